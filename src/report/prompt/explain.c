#include "report/prompt/explain.h"

#include "report/cells.h"

#include <errno.h>
#include <stdlib.h>

const char explain_system[] =
    "You explain what a causal profile says about one line of a program to the engineer who wrote it. Rely on the "
    "numbers and on the source that you are given. Never claim more than the intervals allow, and name what is not "
    "established. Answer in plain text without tables, in at most 300 words.";

/* "numbers of the profile, and lines of FILE". */
static char *say_what(const char *file)
{
    char *what, *clean = file ? clean_text(file, true) : NULL;
    int size = clean ? asprintf(&what, "numbers and names of the profile, and up to %d lines of %.300s",
                                PROMPT_SOURCE_AROUND, clean)
                     : asprintf(&what, "numbers and names of the profile, no source");
    free(clean);
    return size < 0 ? NULL : what;
}

int explain_question_make(struct explain_question *question, struct analysis *analysis,
                          const struct explain_options *options, struct coz_error *err)
{
    const struct analysis_result *results;
    const struct report_options report = {.point = options->point,
                                          .source = options->without_source ? 0 : PROMPT_SOURCE_AROUND,
                                          .story = options->story};
    char *file = NULL;
    *question = (struct explain_question){0};
    if (analysis_results(analysis, &results) == 0)
        return error_set(err, ENODATA, "There is nothing to explain: the profile has no answers yet.");
    FILE *out = open_memstream(&question->text, &question->size);
    int code = out ? report_prompt_target(out, analysis, &report, options->wanted, &file, err)
                   : error_set(err, ENOMEM, "out of memory");
    bool failed = out && fclose(out) != 0;
    if (code == 0)
        question->what = say_what(file);
    if (code == 0 && (failed || !question->what))
        code = error_set(err, ENOMEM, "out of memory");
    free(file);
    if (code < 0)
        explain_question_release(question);
    return code;
}

void explain_question_release(struct explain_question *question)
{
    free(question->text);
    free(question->what);
    *question = (struct explain_question){0};
}

/* The page as a file: what a profile holds cannot become markup, only sources are read, the data is what --format
 * json says. */
#include "base/sha256.h"
#include "report/json/tree.h"
#include "report/page/bundle.h"
#include "report/page/html.h"
#include "report/page/sources.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_analysis.h"

static char folder[] = "/tmp/coz-test-page-XXXXXX";

static struct analysis *example(const char *line, const char *point)
{
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t window = 0; window < 15; window++) {
        add(analysis, (struct profile_record){.type = PROFILE_EXPERIMENT,
                                              .experiment = {.selected = line,
                                                             .speedup = window % 3 == 1 ? 0.5 : 0,
                                                             .duration_ns = 1000,
                                                             .has_block = true,
                                                             .block = window / 3,
                                                             .window = window % 3 + 1}});
        add(analysis,
            (struct profile_record){.type = PROFILE_THROUGHPUT,
                                    .throughput = {point, 100, window % 3 == 1 ? 800 : 1000 + window}});
    }
    add(analysis,
        (struct profile_record){.type = PROFILE_SAMPLES, .samples = {.location = line, .count = 9}});
    assert_int_equal(analysis_finish(analysis), 0);
    return analysis;
}

static char *page_of(struct analysis *analysis, const char *title)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct coz_error error;
    const struct report_options options = {.top = 0};
    int code = report_html(out, analysis, &options, &(struct page_options){.title = title}, &error);
    fclose(out);
    if (page_bundle.script) {
        assert_int_equal(code, 0);
    } else {
        assert_int_equal(code, -ENOSYS);
        assert_non_null(strstr(error.text, page_bundle.missing));
        free(text);
        analysis_free(analysis);
        skip();
    }
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void test_names_stay_text(void **state)
{
    (void)state;
    struct analysis *analysis = example("a</script><script>x()</script><!--.c:3", "p\xff<!--<script>");
    char *text = page_of(analysis, "<title>&\"\xfe");
    assert_int_equal(count_of(text, "</script>"), 2);
    assert_null(strstr(text, "x()</script>"));
    assert_null(strstr(text, "<!--"));
    assert_int_equal(count_of(text, "<title>"), 1);
    assert_non_null(strstr(text, "&#60;title&#62;&#38;&#34;\xef\xbf\xbd"));
    free(text);
    analysis_free(analysis);
}

/* A script that is not ours to the last byte does not run: the policy names its hash. */
static void test_policy_names_the_script(void **state)
{
    (void)state;
    struct analysis *analysis = example("a.c:3", "p");
    char *text = page_of(analysis, "t"), hash[SHA256_BASE64], wanted[128];
    const char *script = strstr(strstr(text, "</script>"), "<script>") + strlen("<script>");
    sha256_base64(script, (size_t)(strstr(script, "</script>") - script), hash);
    snprintf(wanted, sizeof wanted, "script-src 'sha256-%s';", hash);
    assert_non_null(strstr(text, wanted));
    assert_non_null(strstr(text, "default-src 'none'"));
    free(text);
    analysis_free(analysis);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static json_t *sources_of(const char *location, const struct story *story)
{
    struct analysis *analysis = example(location, "p");
    json_t *tree = report_tree(analysis, &(struct report_options){.top = 0});
    json_t *sources = read_sources(analysis, story, tree);
    assert_non_null(sources);
    json_decref(tree);
    analysis_free(analysis);
    return sources;
}

static void test_sources(void **state)
{
    (void)state;
    char path[128], location[160], text[4096] = "";
    for (int i = 1; i <= 100; i++)
        sprintf(text + strlen(text), "line %d\n", i);
    snprintf(path, sizeof path, "%s/a.c", folder);
    put_file(path, text);
    snprintf(location, sizeof location, "%s:50", path);
    json_t *sources = sources_of(location, NULL), *source = json_array_get(sources, 0);
    assert_int_equal(json_array_size(sources), 1);
    json_t *part = json_array_get(json_object_get(source, "parts"), 0),
           *lines = json_object_get(part, "lines");
    assert_int_equal(json_integer_value(json_object_get(part, "from")), 25);
    assert_int_equal(json_array_size(lines), 51);
    assert_string_equal(json_string_value(json_array_get(lines, 0)), "line 25");
    assert_int_equal(
        json_integer_value(json_array_get(json_array_get(json_object_get(source, "shares"), 0), 0)), 50);
    json_decref(sources);

    /* Neither what is not called like a source, nor what is no text, nor what is not there. */
    snprintf(path, sizeof path, "%s/secret", folder);
    put_file(path, "a\nb\n");
    snprintf(location, sizeof location, "%s:1", path);
    sources = sources_of(location, NULL);
    assert_int_equal(json_array_size(sources), 0);
    json_decref(sources);
    snprintf(location, sizeof location, "%s/gone.c:1", folder);
    sources = sources_of(location, NULL);
    assert_int_equal(json_array_size(sources), 0);
    json_decref(sources);
    sources = sources_of("/dev/zero.c:1", NULL);
    assert_int_equal(json_array_size(sources), 0);
    json_decref(sources);
}

static void assert_changed(const char *location, const struct story *story, const char *since)
{
    json_t *sources = sources_of(location, story);
    json_t *changed = json_object_get(json_array_get(sources, 0), "changed");
    if (since)
        assert_string_equal(json_string_value(changed), since);
    else
        assert_true(json_is_null(changed));
    json_decref(sources);
}

/* Told by content where that is known, by what was built before what was profiled; whatever the times say. */
static void test_changed_sources(void **state)
{
    (void)state;
    char path[128], location[160];
    snprintf(path, sizeof path, "%s/a.c", folder);
    snprintf(location, sizeof location, "%s:1", path);
    struct profile_record record = {.type = PROFILE_SOURCE};
    record.source.path = path;
    record.source.sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    struct story *story = story_new();
    assert_non_null(story);
    put_file(path, "abc");
    assert_changed(location, story, NULL);
    assert_int_equal(story_add(story, &record), 0);
    assert_changed(location, story, "");
    put_file(path, "abd");
    assert_changed(location, story, "profiled");
    record.source.md5 = "900150983cd24fb0d6963f7d28e17f72"; /* of abc */
    assert_int_equal(story_add(story, &record), 0);
    assert_changed(location, story, "built");
    put_file(path, "abc");
    assert_changed(location, story, "");
    story_free(story);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/a.c", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/secret", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_stay_text),
        cmocka_unit_test(test_policy_names_the_script),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_changed_sources),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

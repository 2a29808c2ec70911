#include "cli/compare/conditions.h"

#include <stdio.h>

bool conditions_add(struct conditions *conditions, const char *command, const char *text)
{
    struct coz_error error;
    if (conditions->count == CONDITIONS_MOST) {
        fprintf(stderr, "%s: --fail-if can be said %d times, and no more.\n", command, CONDITIONS_MOST);
        return false;
    }
    struct condition *condition = &conditions->items[conditions->count++];
    if (condition_parse(condition, text, &error) == 0)
        return true;
    fprintf(stderr, "%s: %s\n", command, error.text);
    return false;
}

void conditions_release(struct conditions *conditions)
{
    for (size_t i = 0; i < conditions->count; i++)
        condition_release(&conditions->items[i]);
}

static void put_plain(const char *text)
{
    for (; *text; text++)
        putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, stderr);
}

void conditions_print(const struct conditions *conditions, const char *command)
{
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->items[i];
        if (condition->outcome == CONDITION_NOT_MET)
            continue;
        fprintf(stderr, "%s: --fail-if '", command);
        put_plain(condition->text);
        fprintf(stderr, "' is %s. ",
                condition->outcome == CONDITION_MET ? "met" : "not known to be met or not");
        put_plain(condition->why);
        putc('\n', stderr);
    }
}

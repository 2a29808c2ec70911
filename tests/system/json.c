/* Reads JSON from standard input, and complains when it is none.
 *
 *     json [MEMBER | INDEX ...]      one document: prints what the path leads to
 *     json --lines                   one object a line */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_lines(void)
{
    char *line = NULL;
    size_t size = 0;
    json_error_t error;
    for (unsigned number = 1; getline(&line, &size, stdin) > 0; number++) {
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(object)) {
            fprintf(stderr, "line %u is no object: %s\n", number, error.text);
            return 1;
        }
        json_decref(object);
    }
    free(line);
    return 0;
}

static json_t *step(json_t *value, const char *name)
{
    return json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
                                : json_object_get(value, name);
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc > 1 && strcmp(argv[1], "--lines") == 0)
        return check_lines();
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error), *value = root;
    if (!root) {
        fprintf(stderr, "line %d: %s\n", error.line, error.text);
        return 1;
    }
    for (int i = 1; i < argc && value; i++)
        value = step(value, argv[i]);
    if (!value)
        fputs("there is no such member\n", stderr);
    else if (json_is_string(value))
        puts(json_string_value(value));
    else
        json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(root);
    return value ? 0 : 1;
}

#include "advice/points/compile.h"

#include "advice/points/sources.h"
#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60, ARGUMENTS_MOST = 1000, EXIT_NO_COMPILER = 127 };

/* ---- what is known of how it is compiled ---- */

static int add_flag(struct compile_way *way, const char *flag)
{
    if (way->flag_count == way->flag_capacity) {
        void *more = array_grown(way->flags, &way->flag_capacity, sizeof *way->flags);
        if (!more)
            return -ENOMEM;
        way->flags = more;
    }
    way->flags[way->flag_count] = strdup(flag);
    return way->flags[way->flag_count] ? (int)(++way->flag_count, 0) : -ENOMEM;
}

/* Flags that are followed by a word of their own, and that begin a word. */
static bool takes_word(const char *word)
{
    static const char *const flags[] = {"-I",      "-D",         "-U",       "-isystem",
                                        "-iquote", "-idirafter", "-include", "-imacros"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i]) == 0)
            return true;
    return false;
}

static bool is_wanted(const char *word)
{
    static const char *const beginnings[] = {"-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-std="};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return strcmp(word, "-pthread") == 0;
}

static int take_words(struct compile_way *way, char *const *words, size_t count)
{
    int code = 0;
    for (size_t i = 1; i < count && code == 0; i++) {
        bool has_own = takes_word(words[i]) && i + 1 < count;
        if (has_own || is_wanted(words[i]))
            code = add_flag(way, words[i]);
        if (has_own && code == 0)
            code = add_flag(way, words[++i]);
    }
    return code;
}

/* A command line in words, in place, as a shell would have them, but for variables and the like. */
static size_t split_command(char *command, char **words, size_t most)
{
    size_t count = 0;
    char *from = command, *to = command;
    while (*(from += strspn(from, " \t\n")) && count < most) {
        char quote = '\0';
        words[count++] = to;
        for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
            if (*from == '\\' && quote != '\'' && from[1])
                *to++ = *++from;
            else if (*from == quote)
                quote = '\0';
            else if (!quote && (*from == '"' || *from == '\''))
                quote = *from;
            else
                *to++ = *from;
        }
        from += *from != '\0';
        *to++ = '\0';
    }
    return count;
}

static int take_entry(struct compile_way *way, const json_t *entry)
{
    char *words[ARGUMENTS_MOST];
    size_t count = 0;
    const json_t *arguments = json_object_get(entry, "arguments");
    const char *command = json_string_value(json_object_get(entry, "command"));
    char *copy = command ? strdup(command) : NULL;
    if (copy)
        count = split_command(copy, words, ARGUMENTS_MOST);
    for (size_t i = 0; !copy && i < json_array_size(arguments) && i < ARGUMENTS_MOST; i++) {
        const char *word = json_string_value(json_array_get(arguments, i));
        words[count++] = (char *)(word ? word : "");
    }
    int code = take_words(way, words, count);
    free(copy);
    free(way->folder);
    way->folder = strdup(json_string_value(json_object_get(entry, "directory")));
    way->is_listed = true;
    return way->folder ? code : -ENOMEM;
}

/* Whether the entry is about the file at that absolute path. */
static bool is_of(const json_t *entry, const char *path)
{
    char *joined = NULL, real[PATH_MAX];
    const char *folder = json_string_value(json_object_get(entry, "directory"));
    const char *file = json_string_value(json_object_get(entry, "file"));
    if (!folder || !file ||
        asprintf(&joined, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/", file) < 0)
        return false;
    bool is = realpath(joined, real) && strcmp(real, path) == 0;
    free(joined);
    return is;
}

static int search_list(struct compile_way *way, const char *list, const char *path)
{
    json_t *root = json_load_file(list, 0, NULL), *entry;
    size_t i;
    int code = 0;
    json_array_foreach(root, i, entry)
    {
        if (!is_of(entry, path))
            continue;
        code = take_entry(way, entry);
        break;
    }
    json_decref(root);
    return code;
}

/* Where coz.h is beside this command: in the prefix, or in the tree that it was built in. */
static int add_header_folder(struct compile_way *way)
{
    char exe[PATH_MAX], header[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[length > 0 ? length : 0] = '\0';
    for (char *slash; (slash = strrchr(exe, '/')); *slash = '\0') {
        *slash = '\0';
        snprintf(header, sizeof header, "%s/include/coz.h", exe);
        if (access(header, R_OK) == 0) {
            snprintf(header, sizeof header, "%s/include", exe);
            int code = add_flag(way, "-idirafter");
            return code ? code : add_flag(way, header);
        }
    }
    return 0;
}

int compile_way_find(struct compile_way *way, const char *path)
{
    static const char *const lists[] = {"compile_commands.json", "build/compile_commands.json"};
    char real[PATH_MAX], folder[PATH_MAX], list[PATH_MAX + 32];
    *way = (struct compile_way){0};
    int code = 0;
    if (realpath(path, real)) {
        strcpy(folder, real);
        for (char *slash; (slash = strrchr(folder, '/')) && code == 0 && !way->is_listed;) {
            *slash = '\0';
            for (size_t i = 0; i < sizeof lists / sizeof *lists && code == 0 && !way->is_listed; i++) {
                snprintf(list, sizeof list, "%s/%s", folder, lists[i]);
                if (access(list, R_OK) == 0)
                    code = search_list(way, list, real);
            }
        }
    }
    return code ? code : add_header_folder(way);
}

void compile_way_release(struct compile_way *way)
{
    for (size_t i = 0; i < way->flag_count; i++)
        free(way->flags[i]);
    free(way->flags);
    free(way->folder);
}

/* ---- compiling ---- */

static _Noreturn void run_compiler(const struct compile_way *way, char *const *arguments, int out)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (way->folder && chdir(way->folder) != 0)
        _exit(EXIT_NO_COMPILER);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("LC_ALL", "C", 1);
    alarm(SECONDS_MOST);
    execvp(arguments[0], arguments);
    _exit(EXIT_NO_COMPILER);
}

/* The first line that tells of an error. */
static void read_complaint(int fd, char *words, size_t room)
{
    char text[8192];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    const char *found = strstr(text, "error:");
    snprintf(words, room, "%.*s", (int)strcspn(found ? found : text, "\n"), found ? found : text);
}

static enum compile_outcome try_file(const struct compile_way *way, const char *folder, const char *file,
                                     bool is_cxx, char *words, size_t room)
{
    const char *said = getenv(is_cxx ? "CXX" : "CC"), *usual = is_cxx ? "c++" : "cc";
    bool is_one = said && *said && !strchr(said, ' ');
    char **arguments = calloc(way->flag_count + 10, sizeof *arguments);
    FILE *complaints = tmpfile();
    enum compile_outcome outcome = COMPILE_UNKNOWN;
    if (arguments && complaints) {
        size_t n = 0;
        arguments[n++] = (char *)(is_one ? said : usual);
        arguments[n++] = "-fsyntax-only";
        arguments[n++] = "-w";
        arguments[n++] = "-iquote";
        arguments[n++] = (char *)folder;
        for (size_t i = 0; i < way->flag_count; i++)
            arguments[n++] = way->flags[i];
        arguments[n++] = (char *)file;
        int status = -1;
        pid_t pid = fork();
        if (pid == 0)
            run_compiler(way, arguments, fileno(complaints));
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) != EXIT_NO_COMPILER)
            outcome = WEXITSTATUS(status) == 0 ? COMPILE_WORKS : COMPILE_FAILS;
        read_complaint(fileno(complaints), words, room);
    }
    if (complaints)
        fclose(complaints);
    free(arguments);
    return outcome;
}

enum compile_outcome compile_try(const struct compile_way *way, const char *path, const char *text,
                                 char *words, size_t room)
{
    char real[PATH_MAX], place[PATH_MAX + 128], scratch[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    enum compile_outcome outcome = COMPILE_UNKNOWN;
    *words = '\0';
    snprintf(scratch, sizeof scratch, "%s/coz-points.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!realpath(path, real) || !mkdtemp(scratch))
        return COMPILE_UNKNOWN;
    /* Its own ending says which language it is. */
    const char *dot = strrchr(real, '.');
    snprintf(place, sizeof place, "%s/changed%.60s", scratch, dot ? dot : ".c");
    *strrchr(real, '/') = '\0';
    FILE *out = fopen(place, "wxe");
    bool is_written = out && fputs(text, out) >= 0;
    if (out && fclose(out) == 0 && is_written)
        outcome = try_file(way, *real ? real : "/", place, path_is_cxx(path), words, room);
    unlink(place);
    rmdir(scratch);
    return outcome;
}

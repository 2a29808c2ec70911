/* What can be said of a program by its file. */
#include "diagnosis/rules.h"
#include "diagnosis/words.h"

enum { SOME_SAMPLES = 50 };
static const double settled_s = 3;

bool rule_static(const struct facts *facts, struct finding *finding)
{
    if (facts->file.kind != FILE_STATIC)
        return false;
    say(finding->what, "%s is a static program, so that libcoz.so cannot be loaded into it.",
        facts->file.path);
    say(finding->remedy, "Link it without -static.");
    return true;
}

bool rule_privileged(const struct facts *facts, struct finding *finding)
{
    if (facts->file.kind != FILE_PRIVILEGED)
        return false;
    say(finding->what,
        "%s gets another user's rights (it is setuid or setgid, or has capabilities), so that the system does not let libcoz.so into it.",
        facts->file.path);
    say(finding->remedy, "Profile a copy of it without them (cp makes one), as the user that it needs.");
    return true;
}

bool rule_go(const struct facts *facts, struct finding *finding)
{
    if (facts->file.kind != FILE_GO)
        return false;
    say(finding->what,
        "%s is a Go program without libc: it starts its threads and waits by system calls of its own, which coz cannot see.",
        facts->file.path);
    say(finding->remedy, "Go has a profiler of its own (runtime/pprof).");
    return true;
}

bool rule_go_with_c(const struct facts *facts, struct finding *finding)
{
    if (facts->file.kind != FILE_GO_WITH_C)
        return false;
    say(finding->what,
        "%s is a Go program that uses C: it is profiled as far as libc sees it. Goroutines that wait for each other do so by system calls that coz cannot see.",
        facts->file.path);
    say(finding->remedy, "Believe what is said of its C code only.");
    return true;
}

bool rule_not_loaded(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    bool had_time = run->elapsed_s >= EARLY_S || (run->has_ended && run->elapsed_s > 0);
    if (run->processes || run->code.samples || !had_time || facts->file.kind == FILE_STATIC)
        return false;
    say(finding->what,
        "libcoz.so was not loaded into %s: it, or what it starts, is a static or a setuid program, or for another processor.",
        facts->file.path);
    say(finding->remedy, "Profile a program that is linked dynamically.");
    return true;
}

/* A program that it starts may have what it has not, or a library that -b names. */
bool rule_no_code(const struct facts *facts, struct finding *finding)
{
    const struct file_facts *file = &facts->file;
    const struct run_facts *run = &facts->run;
    bool had_time = (run->elapsed_s >= settled_s && run->code.samples >= SOME_SAMPLES) || run->has_ended;
    if (!code_is_missing(file->code) || run->code.modules_with_code || !had_time)
        return false;
    switch (file->code) {
    case CODE_BARE:
        say(finding->what, "%s was stripped: it has no debug information, and names none of its functions.",
            file->path);
        break;
    case CODE_NOTHING:
        say(finding->what,
            "%s was stripped: it has no debug information, and tells neither names nor places of its functions.",
            file->path);
        break;
    default:
        say(finding->what, "%s has no debug information for its lines.", file->path);
    }
    say(finding->remedy,
        "Compile with -g and do not strip it (-s, strip), or say where its debug information is (COZ_DEBUG_FILE_DIRECTORY, DEBUGINFOD_URLS), or name a library that has some with -b%s.",
        file->code == CODE_BARE ? ", or take its functions by their addresses (--target function)" : "");
    return true;
}

bool rule_no_lines(const struct facts *facts, struct finding *finding)
{
    const char *path = facts->file.path;
    if (facts->file.code == CODE_FUNCTIONS) {
        say(finding->what, "%s has no debug information for its lines, so that targets are its functions.",
            path);
        say(finding->remedy, "Compile with -g to have lines.");
        return true;
    }
    if (facts->file.code != CODE_STRIPPED)
        return false;
    say(finding->what,
        "%s was stripped, so that targets are its functions, called by their addresses unless it exports them: %.80s+0x1234 is where `objdump -d %s` shows 1234.",
        path, last_part(path), path);
    say(finding->remedy,
        "Install its debug symbols for names and lines (Debian: its package's -dbgsym; or DEBUGINFOD_URLS), or compile with -g.");
    return true;
}

/* Writes functions into memory, tells of them in /tmp/perf-PID.map as for perf, and runs them. One is told of
 * only after it has been run for a while. With an owner, the file is given to that user.
 *
 *     jit [--ms N | --until FILE] [--owner UID] */
#include "../target.h"

#include <coz.h>
#include <sys/mman.h>

enum { SIZE = 64, HEAVY = 600000, LIGHT = 150000, ROUNDS = 1500 };

typedef void (*function)(void);

/* push rbp; mov rbp, rsp; mov ecx, steps; 1: dec ecx; jnz 1b; pop rbp; ret */
static function emit(unsigned char *at, unsigned steps)
{
    static const unsigned char head[] = {0x55, 0x48, 0x89, 0xe5, 0xb9},
                               tail[] = {0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, &steps, sizeof steps);
    memcpy(at + sizeof head + sizeof steps, tail, sizeof tail);
    return (function)(void *)at;
}

static void run_round(function heavy, function light)
{
    heavy();
    light();
    COZ_PROGRESS_NAMED("round");
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    const char *owner = text_option(argc, argv, "--owner", NULL);
    unsigned char *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        must(errno);
    function heavy = emit(code, HEAVY), light = emit(code + SIZE, LIGHT), late = emit(code + 2 * SIZE, HEAVY);
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(path, "w");
    if (!map || (owner && chown(path, (uid_t)atoi(owner), (gid_t)-1)))
        must(errno);
    fprintf(map, "%lx %x generated heavy\nnonsense\n%lx %x generated light\n", (unsigned long)code, SIZE,
            (unsigned long)(code + SIZE), SIZE);
    fflush(map);
    for (int i = 0; i < ROUNDS; i++)
        run_round(heavy, light);
    for (int i = 0; i < ROUNDS / 4; i++)
        run_round(late, light);
    fprintf(map, "%lx %x generated late\n", (unsigned long)(code + 2 * SIZE), SIZE);
    fclose(map);
    for (int i = 0; i < ROUNDS || !is_over(span); i++)
        run_round(i % 2 ? heavy : late, light);
    unlink(path);
    puts("done");
    return 0;
}

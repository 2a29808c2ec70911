#include "experiment/code/mappings.h"

#include "experiment/code/generated.h"
#include "shared/module_slots.h"
#include "shared/questions.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A line of /proc/PID/maps. */
struct map_line {
    uint64_t start, end, offset;
    bool executable;
    char path[SEGMENT_MODULE_PATH];
};

static bool parse_line(const char *text, struct map_line *line)
{
    char permissions[8];
    int at = 0;
    if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &line->start, &line->end,
               permissions, &line->offset, &at) != 4 ||
        at == 0)
        return false;
    size_t length = strcspn(text + at, "\n");
    line->executable = strchr(permissions, 'x') != NULL;
    if (length >= sizeof line->path)
        return false;
    memcpy(line->path, text + at, length);
    line->path[length] = '\0';
    return true;
}

/* The first line for which an address, or a name, fits. */
static bool find_line(uint32_t pid, uint64_t address, const char *name, struct map_line *line)
{
    char path[64], text[SEGMENT_MODULE_PATH + 256];
    snprintf(path, sizeof path, "/proc/%u/maps", (unsigned)pid);
    FILE *maps = fopen(path, "re");
    bool found = false;
    while (maps && !found && fgets(text, sizeof text, maps))
        found = parse_line(text, line) &&
                (name ? strcmp(line->path, name) == 0
                      : line->executable && address >= line->start && address < line->end);
    if (maps)
        fclose(maps);
    return found;
}

/* What is to be taken away from an address in the mapping to get the file's own. */
static bool find_bias(const struct map_line *line, uint64_t *bias)
{
    Elf64_Ehdr file;
    Elf64_Phdr header;
    bool found = false;
    int fd = open(line->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (pread(fd, &file, sizeof file, 0) == sizeof file && memcmp(file.e_ident, ELFMAG, SELFMAG) == 0 &&
        file.e_phentsize == sizeof header)
        for (uint64_t i = 0; i < file.e_phnum && !found; i++) {
            if (pread(fd, &header, sizeof header, (off_t)(file.e_phoff + i * sizeof header)) != sizeof header)
                break;
            /* A mapping begins at a page, its segment somewhere in that. */
            found = header.p_type == PT_LOAD && (header.p_flags & PF_X) &&
                    line->offset + (line->end - line->start) > header.p_offset &&
                    line->offset < header.p_offset + header.p_filesz;
            *bias = line->start - line->offset + header.p_offset - header.p_vaddr;
        }
    close(fd);
    return found;
}

/* The module of that path; -1 when there is no room. */
static int find_module(struct segment *segment, const char *path)
{
    struct segment_module *module =
        module_slot_of(segment, (struct module_file){path, false, MODULE_REQUESTED});
    return module ? (int)(module - segment->modules) : -1;
}

/* Those of processes that have ended are free too, but nobody says so: a slot is looked for when all are
 * used. */
static struct segment_mapping *free_slot(struct segment *segment)
{
    uint32_t used = atomic_load(&segment->mapping_count);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load(&segment->mappings[i].process) == 0)
            return &segment->mappings[i];
    return used < SEGMENT_MAPPINGS ? &segment->mappings[used] : NULL;
}

/* The module whose code is mapped there. What is in no file that can be read was generated, or removed. */
static int module_of(struct segment *segment, struct generated *generated, uint32_t pid,
                     const struct map_line *line, uint64_t *bias)
{
    if (line->path[0] == '/' && find_bias(line, bias))
        return find_module(segment, line->path);
    bool special = line->path[0] == '[' && strncmp(line->path, "[anon", 5) != 0; /* [vsyscall] and the like */
    return special ? -1 : generated_module(generated, pid, line->start, bias);
}

static void answer_question(struct segment *segment, struct generated *generated, uint32_t process,
                            uint32_t pid, uint64_t address)
{
    struct map_line line;
    uint64_t bias = 0;
    if (!find_line(pid, address, NULL, &line))
        return;
    int module = module_of(segment, generated, pid, &line, &bias);
    struct segment_mapping *slot = free_slot(segment);
    if (module >= 0 && !slot)
        atomic_fetch_add_explicit(&segment->refusals.mappings, 1, memory_order_relaxed);
    if (module < 0 || !slot)
        return;
    slot->module = (uint32_t)module;
    slot->start = line.start;
    slot->end = line.end;
    slot->bias = bias;
    atomic_store(&slot->process, process);
    uint32_t above = (uint32_t)(slot - segment->mappings) + 1;
    if (above > atomic_load(&segment->mapping_count))
        atomic_store(&segment->mapping_count, above);
}

void mappings_serve(struct segment *segment, struct generated *generated)
{
    for (int i = 0; i < SEGMENT_QUESTIONS; i++) {
        struct segment_question *question = &segment->questions[i];
        uint32_t process = question_process(question);
        if (!process)
            continue;
        answer_question(segment, generated, process, question->pid, question->address);
        question_end(question);
    }
}

void mappings_read_vdso(struct debuginfo *out)
{
    struct map_line line;
    char path[64];
    if (!find_line((uint32_t)getpid(), 0, SEGMENT_VDSO, &line))
        return;
    int fd = memfd_create("vdso", MFD_CLOEXEC);
    size_t size = (size_t)(line.end - line.start);
    if (fd >= 0 && write(fd, (const void *)(uintptr_t)line.start, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        debuginfo_load_unwind(path, (struct debuginfo_options){0}, out, NULL);
    }
    if (fd >= 0)
        close(fd);
}

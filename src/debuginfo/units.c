#include "debuginfo/units.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/reader.h"

/* What is worth another thread. */
enum { THREAD_BYTES = 1 << 20, THREADS = 16 };

static bool list_units(struct pool *pool, struct units *units)
{
    Dwarf *dwarf = dwarf_begin_elf(pool->elf, DWARF_C_READ, NULL);
    Dwarf_Off at = 0, next = 0;
    size_t header = 0;
    int more = 1;
    bool ok = true;
    while (dwarf && ok &&
           (more = dwarf_next_unit(dwarf, at, &next, &header, NULL, NULL, NULL, NULL, NULL, NULL)) == 0) {
        struct listed *list = array_reserve(pool->units, pool->unit_count, &pool->unit_room, sizeof *list);
        ok = list != NULL;
        if (ok) {
            pool->units = list;
            list[pool->unit_count++] = (struct listed){.header = at, .die = at + header, .size = next - at};
            pool->bytes += next - at;
        }
        at = next;
    }
    if (dwarf && ok && more < 0)
        snprintf(units->warnings, sizeof units->warnings, "all units from here on: %s", dwarf_errmsg(-1));
    dwarf_end(dwarf);
    return ok;
}

/* Processors that we may run on, but no more than there is work for. */
static unsigned choose_threads(const struct pool *pool, unsigned wanted)
{
    cpu_set_t allowed;
    uint64_t worth = pool->bytes / THREAD_BYTES + 1;
    if (wanted == 0)
        wanted = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? (unsigned)CPU_COUNT(&allowed) : 1;
    if (wanted > pool->unit_count)
        wanted = (unsigned)pool->unit_count;
    if (wanted > THREADS)
        wanted = THREADS;
    return wanted > worth ? (unsigned)worth : wanted;
}

static int compare_warnings(const void *left, const void *right)
{
    const struct warning *a = left, *b = right;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

/* In the order of the units; what does not fit is left out. */
static bool join_warnings(struct units *units, const struct reader *readers, unsigned count)
{
    size_t all = 0, next = 0;
    for (unsigned i = 0; i < count; i++)
        all += readers[i].warning_count;
    struct warning *sorted = calloc(all + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (unsigned i = 0; i < count; i++)
        for (size_t j = 0; j < readers[i].warning_count; j++)
            sorted[next++] = readers[i].warnings[j];
    qsort(sorted, all, sizeof *sorted, compare_warnings);
    for (size_t i = 0; i < all; i++) {
        size_t used = strlen(units->warnings), room = sizeof units->warnings - used;
        int size = snprintf(units->warnings + used, room, "%s%s", used ? "\n" : "", sorted[i].text);
        if (size < 0 || (size_t)size >= room)
            units->warnings[used] = '\0';
    }
    free(sorted);
    return true;
}

/* Each thread has numbered the sources for itself. */
static bool join_sources(struct units *units, struct reader *reader)
{
    uint32_t *numbers = calloc(reader->sources.count + 1, sizeof *numbers);
    bool ok = numbers != NULL;
    for (size_t i = 1; ok && i < reader->sources.count; i++) {
        numbers[i] = source_table_add(&units->sources, reader->sources.items[i].path, NULL);
        units->sources.items[numbers[i]].has_code |= reader->sources.items[i].has_code;
        ok = numbers[i] != 0;
    }
    for (size_t i = 0; ok && i < reader->segments.count; i++)
        reader->segments.items[i].source = numbers[reader->segments.items[i].source];
    free(numbers);
    return ok;
}

static int compare_segments(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static bool join(struct units *units, struct reader *readers, unsigned count)
{
    struct segment_list *all = &units->segments;
    size_t total = 0;
    for (unsigned i = 0; i < count; i++) {
        units->has_lines |= readers[i].has_lines;
        total += readers[i].segments.count;
        if (readers[i].no_memory || !join_sources(units, &readers[i]))
            return false;
    }
    uint32_t *ranks = source_table_sort(&units->sources);
    all->items = ranks ? malloc((total + 1) * sizeof *all->items) : NULL;
    all->room = total + 1;
    for (unsigned i = 0; all->items && i < count; i++) {
        struct segment_list *part = &readers[i].segments;
        for (size_t j = 0; j < part->count; j++) {
            all->items[all->count] = part->items[j];
            all->items[all->count++].source = ranks[part->items[j].source];
        }
        free(part->items);
        *part = (struct segment_list){0};
    }
    free(ranks);
    if (all->items)
        qsort(all->items, all->count, sizeof *all->items, compare_segments);
    return all->items && join_warnings(units, readers, count);
}

static bool run(struct units *units, struct pool *pool, unsigned count)
{
    struct reader *readers = calloc(count + 1, sizeof *readers);
    if (!readers)
        return false;
    for (unsigned i = 0; i < count; i++) {
        readers[i].pool = pool;
        /* The first is this thread itself; without the others it does their part. */
        readers[i].started = i > 0 && pthread_create(&readers[i].thread, NULL, reader_run, &readers[i]) == 0;
    }
    if (count > 0)
        reader_run(&readers[0]);
    for (unsigned i = 1; i < count; i++)
        if (readers[i].started)
            pthread_join(readers[i].thread, NULL);
    bool ok = join(units, readers, count);
    for (unsigned i = 0; i < count; i++)
        reader_release(&readers[i]);
    free(readers);
    return ok;
}

/* Where the Elf's bytes are mapped. libelf reads a file that it cannot map into memory of malloc, which does
 * not begin at a page. */
static void find_mapping(struct pool *pool)
{
    pool->mapping = elf_rawfile(pool->elf, &pool->mapping_size);
    if ((uintptr_t)pool->mapping % (uintptr_t)sysconf(_SC_PAGESIZE) != 0)
        pool->mapping = NULL;
}

int units_read(struct units *units, struct elf_file *file, const struct scope *scope, unsigned threads)
{
    struct pool pool = {.scope = scope, .code = &file->code, .opening = PTHREAD_MUTEX_INITIALIZER};
    const char *path = elf_file_debug(file, &pool.offset);
    *units = (struct units){0};
    if (!source_table_init(&units->sources, scope))
        return -ENOMEM;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    pool.elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    bool ok = true;
    if (pool.elf) {
        find_mapping(&pool);
        ok = list_units(&pool, units);
        sections_find(&pool.sections, pool.elf); /* unpacked by now */
        ok = ok && run(units, &pool, choose_threads(&pool, threads));
    }
    free(pool.units);
    elf_end(pool.elf);
    if (fd >= 0)
        close(fd);
    return ok ? 0 : -ENOMEM;
}

void units_release(struct units *units)
{
    free(units->segments.items);
    source_table_release(&units->sources);
}

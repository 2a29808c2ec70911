#include "debuginfo/units/units.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <malloc.h> /* malloc_trim */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "debuginfo/units/reader.h"

/* What is worth another thread, and what is worth asking the allocator for its memory back. */
enum { THREAD_BYTES = 1 << 20, THREADS = 16, TRIM_BYTES = 1 << 20 };

/* Why libdw does not open it. */
static const char *why_closed(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Chdr header;
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getchdr(section, &header) && header.ch_type != ELFCOMPRESS_ZLIB)
            return "compressed in a way that libelf here does not know (objcopy --decompress-debug-sections)";
    return dwarf_errmsg(-1);
}

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
    if (!dwarf)
        snprintf(units->warnings, sizeof units->warnings, "all of it: %s", why_closed(pool->elf));
    dwarf_end(dwarf);
    return ok;
}

/* Processors that we may run on, but no more than there is work for. */
static unsigned choose_threads(const struct pool *pool, unsigned wanted)
{
    uint64_t worth = pool->bytes / THREAD_BYTES + 1;
    if (wanted == 0)
        wanted = machine_allowed();
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

static bool is_before(const struct line_range *a, const struct line_range *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end < b->end;
    if (a->source != b->source)
        return a->source < b->source;
    return a->line < b->line;
}

/* Shell's: qsort() would take as much memory again, when most is in use. Units are nearly sorted by
 * themselves. */
static void sort_segments(struct line_range_list *list)
{
    size_t gap = 1;
    while (gap < list->count / 9)
        gap = gap * 9 / 4 + 1;
    for (; gap > 0; gap = gap * 4 / 9)
        for (size_t i = gap; i < list->count; i++) {
            struct line_range segment = list->items[i];
            size_t at = i;
            for (; at >= gap && is_before(&segment, &list->items[at - gap]); at -= gap)
                list->items[at] = list->items[at - gap];
            list->items[at] = segment;
        }
}

static bool join(struct units *units, struct reader *readers, unsigned count)
{
    struct line_range_list *all = &units->segments;
    size_t total = 0;
    for (unsigned i = 0; i < count; i++) {
        units->has_lines |= readers[i].has_lines;
        total += readers[i].segments.count;
        if (readers[i].no_memory || !join_sources(units, &readers[i]))
            return false;
    }
    uint32_t *ranks = source_table_sort(&units->sources);
    /* Appended one by one to the first, each gone before the next: this is where most memory is in use. */
    for (unsigned i = 0; ranks && i < count; i++) {
        struct line_range_list *part = &readers[i].segments;
        size_t room = i == 0 ? total + 1 : 0;
        struct line_range *items = i == 0 ? realloc(part->items, room * sizeof *items) : all->items;
        if (!items)
            break;
        if (i > 0)
            memcpy(items + all->count, part->items, part->count * sizeof *items);
        all->items = items;
        all->count += part->count;
        if (i > 0)
            free(part->items);
        *part = (struct line_range_list){0};
    }
    for (size_t i = 0; i < all->count; i++)
        all->items[i].source = ranks[all->items[i].source];
    free(ranks);
    sort_segments(all);
    return all->items && join_warnings(units, readers, count);
}

static bool run(struct units *units, struct pool *pool, unsigned count)
{
    if (count == 0)
        return true;
    struct reader *readers = calloc(count + 1, sizeof *readers);
    if (!readers)
        return false;
    for (unsigned i = 0; i < count; i++) {
        readers[i].pool = pool;
        /* The first is this thread itself; without the others it does their part. */
        readers[i].started = i > 0 && pthread_create(&readers[i].thread, NULL, reader_run, &readers[i]) == 0;
    }
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
    struct section *mapping = &pool->sections.mapping;
    mapping->bytes = (const uint8_t *)elf_rawfile(pool->elf, &mapping->size);
    if ((uintptr_t)mapping->bytes % (uintptr_t)sysconf(_SC_PAGESIZE) != 0)
        *mapping = (struct section){0};
}

static int read_pool(struct units *units, struct pool pool, struct elf_file *file, unsigned threads)
{
    pool.code = &file->code;
    pthread_mutex_init(&pool.opening, NULL);
    const char *path = elf_file_debug(file, &pool.offset);
    *units = (struct units){0};
    if (!source_table_init(&units->sources, pool.scope))
        return -ENOMEM;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    pool.elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    bool ok = true;
    if (pool.elf) {
        find_mapping(&pool);
        ok = list_units(&pool, units);
        sections_find(&pool.sections, pool.elf); /* unpacked by now */
        package_open(&pool.package, path);
        ok = ok && run(units, &pool, choose_threads(&pool, threads));
    }
    if (pool.elf)
        package_close(&pool.package);
    free(pool.units);
    if (pool.bytes > TRIM_BYTES)
        malloc_trim(0); /* what the threads have left */
    elf_end(pool.elf);
    if (fd >= 0)
        close(fd);
    return ok ? 0 : -ENOMEM;
}

int units_read(struct units *units, struct elf_file *file, const struct scope *scope, unsigned threads,
               struct stack_builder *stacks)
{
    return read_pool(units, (struct pool){.scope = scope, .stacks = stacks}, file, threads);
}

int units_name_places(struct place_names *names, struct elf_file *file, const struct scope *scope)
{
    struct units units;
    int result = read_pool(&units, (struct pool){.scope = scope, .names = names}, file, 1);
    units_release(&units);
    return result;
}

void units_release(struct units *units)
{
    free(units->segments.items);
    source_table_release(&units->sources);
}

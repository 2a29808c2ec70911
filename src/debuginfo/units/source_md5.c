#include "debuginfo/units/source_md5.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "debuginfo/lines/line_header.h"
#include "debuginfo/lines/lines.h"

/* DWARF 5 has the directory of the compilation among its own names, so that no unit is asked for it. */
static int read_headers(struct source_table *sources, const struct sections *sections)
{
    const struct unit unit = {.sections = sections};
    for (size_t offset = 0; offset < sections->lines.size;) {
        struct line_header header = {.program = {.end = NULL}};
        struct file_map files = {0};
        const char *why;
        int result = line_header_read(&header, &unit, offset, sources, &files, &why);
        file_map_release(&files);
        if (result == UNIT_NO_MEMORY)
            return -ENOMEM;
        if (!header.program.end)
            return 0; /* nobody knows where the next one is */
        offset = (size_t)(header.program.end - sections->lines.bytes);
    }
    return 0;
}

int source_md5_read(struct source_table *sources, struct elf_file *file)
{
    uint64_t bias;
    int result = 0;
    const char *path = elf_file_debug(file, &bias);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL; /* unpacks the sections */
    if (dwarf) {
        struct sections sections = {0};
        sections_find(&sections, elf);
        result = read_headers(sources, &sections);
    }
    dwarf_end(dwarf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return result;
}

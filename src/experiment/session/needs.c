#include "experiment/session/needs.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool section_needs(Elf *elf, Elf_Scn *section, const char *beginning)
{
    GElf_Shdr header;
    /* Data is read when it is asked for: that of no other section, which may be hundreds of megabytes. */
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
        return false;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data)
        return false;
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry); i++) {
        const char *name =
            entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
        if (name && strncmp(name, beginning, strlen(beginning)) == 0)
            return true;
    }
    return false;
}

bool needs_library(const char *path, const char *beginning)
{
    bool found = false;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    for (Elf_Scn *section = NULL; elf && !found && (section = elf_nextscn(elf, section));)
        found = section_needs(elf, section, beginning);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return found;
}

#include "experiment/points/imports.h"

#include "experiment/points/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the headers look up by name. */
static const char announcing[] = "_coz_get_counter";

static void read_symbols(struct imports *imports, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name =
            symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;
        int call = name ? call_of_symbol(name) : -1;
        if (call >= 0)
            imports->calls[call] = true;
    }
}

static int read_file(struct imports *imports, const char *path, void *bytes, size_t size,
                     struct coz_error *err)
{
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(bytes, size);
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        elf_end(elf);
        return error_set(err, ENOEXEC, "%s: not an ELF file", path);
    }
    GElf_Shdr header;
    imports->is_static = true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header))
            continue;
        if (header.sh_type == SHT_DYNSYM) {
            imports->is_static = false;
            read_symbols(imports, elf, section, &header);
        }
    }
    elf_end(elf);
    imports->announces = memmem(bytes, size, announcing, sizeof announcing) != NULL;
    return 0;
}

int imports_read(struct imports *imports, const char *path, struct coz_error *err)
{
    struct stat status;
    *imports = (struct imports){.announces = false};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
        int code = fd < 0 ? errno : ENOEXEC;
        if (fd >= 0)
            close(fd);
        return error_set(err, code, "%s: %s", path, fd < 0 ? strerror(code) : "not an ELF file");
    }
    /* libelf writes into what it is given, and that is to be in no file. */
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return error_set(err, ENOMEM, "%s: out of memory", path);
    int rc = read_file(imports, path, bytes, (size_t)status.st_size, err);
    munmap(bytes, (size_t)status.st_size);
    return rc;
}

#include "experiment/facts/program_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

struct elf_file {
    int fd;
    Elf *elf; /* NULL: it is none, or cannot be read */
};

static struct elf_file elf_file_open(const char *path)
{
    struct elf_file file = {open(path, O_RDONLY | O_CLOEXEC), NULL};
    elf_version(EV_CURRENT);
    file.elf = file.fd < 0 ? NULL : elf_begin(file.fd, ELF_C_READ_MMAP, NULL);
    if (file.elf && elf_kind(file.elf) != ELF_K_ELF) {
        elf_end(file.elf);
        file.elf = NULL;
    }
    return file;
}

static void elf_file_close(struct elf_file *file)
{
    elf_end(file->elf);
    if (file->fd >= 0)
        close(file->fd);
}

static bool has_segment(Elf *elf, uint32_t type)
{
    size_t count = 0;
    GElf_Phdr header;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == type)
            return true;
    return false;
}

/* The path of its dynamic linker; "": there is none. */
static const char *interpreter_of(Elf *elf)
{
    size_t count = 0, size = 0;
    GElf_Phdr header;
    const char *bytes = elf_rawfile(elf, &size);
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; bytes && i < count; i++)
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP && header.p_offset < size &&
            memchr(bytes + header.p_offset, '\0', size - header.p_offset))
            return bytes + header.p_offset;
    return "";
}

static const char *section_name(Elf *elf, Elf_Scn *section, GElf_Shdr *header)
{
    size_t names;
    if (!gelf_getshdr(section, header) || elf_getshdrstrndx(elf, &names))
        return "";
    const char *name = elf_strptr(elf, names, header->sh_name);
    return name ? name : "";
}

static Elf_Scn *find_section(Elf *elf, const char *wanted)
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        if (strcmp(section_name(elf, section, &header), wanted) == 0)
            return section;
    return NULL;
}

/* Who executes it becomes somebody else, or may more: the dynamic linker then trusts no environment. For who is
 * that already nothing changes. */
static bool is_privileged(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return false;
    bool changes_user = status.st_mode & S_ISUID && status.st_uid != geteuid();
    bool changes_group =
        (status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getegid();
    bool gets_capabilities = getxattr(path, "security.capability", NULL, 0) > 0 && geteuid() != 0;
    return changes_user || changes_group || gets_capabilities;
}

enum file_kind program_file_kind(const char *path)
{
    enum file_kind kind = FILE_ORDINARY;
    struct elf_file file = elf_file_open(path);
    GElf_Ehdr header;
    if (file.elf && gelf_getehdr(file.elf, &header) &&
        (header.e_type == ET_EXEC || header.e_type == ET_DYN)) {
        bool is_go = find_section(file.elf, ".go.buildinfo") || find_section(file.elf, ".note.go.buildid");
        bool is_linked = has_segment(file.elf, PT_INTERP);
        if (is_go)
            kind = is_linked ? FILE_GO_WITH_C : FILE_GO;
        else if (!is_linked)
            kind = FILE_STATIC;
        else if (is_privileged(path))
            kind = FILE_PRIVILEGED;
    }
    elf_file_close(&file);
    return kind;
}

bool program_file_is_of_musl(const char *path)
{
    struct elf_file file = elf_file_open(path);
    bool is_of_musl = file.elf && strstr(interpreter_of(file.elf), "/ld-musl-");
    elf_file_close(&file);
    return is_of_musl;
}

/* What the macros look up, ours and the original's. */
static bool holds_macros(const Elf_Data *data)
{
    static const char *const names[] = {"_coz_get_counter", "_coz_visit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (data && data->d_buf && memmem(data->d_buf, data->d_size, names[i], strlen(names[i]) + 1))
            return true;
    return false;
}

enum known program_file_has_points(const char *path)
{
    struct elf_file file = elf_file_open(path);
    enum known known = file.elf ? KNOWN_FALSE : NOT_KNOWN;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; known == KNOWN_FALSE && (section = elf_nextscn(file.elf, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
            (header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR | SHF_WRITE)) == SHF_ALLOC &&
            holds_macros(elf_rawdata(section, NULL)))
            known = KNOWN_TRUE;
    elf_file_close(&file);
    return known;
}

/* ---- functions ---- */

static bool holds_any(const GElf_Sym *symbol, const uint32_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (addresses[i] - symbol->st_value < symbol->st_size)
            return true;
    return false;
}

unsigned program_file_count_functions(const char *path, const uint32_t *addresses, size_t count)
{
    struct elf_file file = elf_file_open(path);
    Elf_Scn *section = file.elf ? find_section(file.elf, ".symtab") : NULL;
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    unsigned functions = 0;
    if (data && gelf_getshdr(section, &header))
        for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(file.elf, header.sh_link, symbol.st_name);
            if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && name && !strstr(name, ".cold"))
                functions += holds_any(&symbol, addresses, count);
        }
    elf_file_close(&file);
    return functions;
}

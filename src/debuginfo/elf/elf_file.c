#include "debuginfo/elf/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfo/elf/debug_link.h"

/* libdwfl would also take archives, objects and compressed kernels, none of which can be run. */
static int check_header(int fd, const char *path, uint64_t *file_size, struct coz_error *err)
{
    Elf64_Ehdr header;
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return error_set(err, ENOEXEC, "%s: not a regular file", path);
    *file_size = (uint64_t)info.st_size;
    ssize_t got = pread(fd, &header, sizeof header, 0);
    if (got < (ssize_t)sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return error_set(err, ENOEXEC, "%s: not an ELF file", path);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return error_set(err, ENOEXEC, "%s: not a 64-bit little-endian ELF file", path);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return error_set(err, ENOEXEC, "%s: neither a program nor a shared library", path);
    return 0;
}

static bool list_segments(struct range_list *list, Elf *elf, uint64_t file_size)
{
    size_t count = 0;
    GElf_Phdr header;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X))
            continue;
        uint64_t size = header.p_filesz < file_size ? header.p_filesz : file_size;
        if (!range_list_add(list, header.p_vaddr, header.p_vaddr + size))
            return false;
    }
    range_list_sort(list);
    return true;
}

static bool list_sections(struct range_list *list, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
            !(header.sh_flags & SHF_ALLOC))
            continue;
        if (!range_list_add(list, header.sh_addr, header.sh_addr + header.sh_size))
            return false;
    }
    range_list_sort(list);
    return true;
}

/* Sections tell code from the headers and constants that may share its segment, but nobody checks them when
 * the file is run: what counts is in both, and no more than the file can hold. */
static bool find_code(struct range_list *code, Elf *elf, uint64_t file_size)
{
    struct range_list sections = {0}, segments = {0};
    bool ok = list_segments(&segments, elf, file_size) && list_sections(&sections, elf) &&
              range_list_intersect(sections.count ? &sections : &segments, &segments, code);
    range_list_release(&sections);
    range_list_release(&segments);
    return ok;
}

/* What debuginfod has fetched comes without a name, and it is opened again by that. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word checksum, char **found)
{
    char descriptor[32], path[PATH_MAX];
    const char *servers = getenv("DEBUGINFOD_URLS");
    const unsigned char *build_id;
    GElf_Addr address;
    int fd = -1;
    if (dwfl_module_build_id(module, &build_id, &address) > 0)
        fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
    if (fd < 0 && link)
        fd = debug_link_open(file, link, checksum, found);
    /* It loads the client of debuginfod, some ten libraries, even where nobody is to be asked. */
    if (fd < 0 && servers && *servers)
        fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found);
    if (fd < 0 || *found)
        return fd;
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(descriptor, path, sizeof path);
    if (length > 0 && (size_t)length < sizeof path)
        *found = strndup(path, (size_t)length);
    return fd;
}

static Dwfl_Callbacks all_callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static void fill_callbacks(void)
{
    all_callbacks.debuginfo_path = debug_link_path();
}

static const Dwfl_Callbacks *callbacks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_callbacks);
    return &all_callbacks;
}

int elf_file_open(struct elf_file *file, const char *path, struct coz_error *err)
{
    uint64_t file_size = 0;
    *file = (struct elf_file){.path = path};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int code = errno == ENOTDIR ? ENOENT : errno;
        return error_set(err, code, "%s: %s", path, strerror(errno));
    }
    int result = check_header(fd, path, &file_size, err);
    if (result == 0 && !(file->dwfl = dwfl_begin(callbacks())))
        result = error_set(err, ENOMEM, "%s: %s", path, dwfl_errmsg(-1));
    if (result) {
        close(fd);
        return result;
    }
    /* The name is also where a .gnu_debuglink is looked for. The descriptor is the module's from here on. */
    file->module = dwfl_report_offline(file->dwfl, path, path, fd);
    if (!file->module) {
        close(fd);
        return error_set(err, ENOEXEC, "%s: %s", path, dwfl_errmsg(-1));
    }
    dwfl_report_end(file->dwfl, NULL, NULL);
    Elf *elf = dwfl_module_getelf(file->module, &file->bias);
    if (!elf)
        return error_set(err, ENOEXEC, "%s: %s", path, dwfl_errmsg(-1));
    if (!find_code(&file->code, elf, file_size))
        return error_set(err, ENOMEM, "%s: out of memory", path);
    return 0;
}

/* libdwfl would open the DWARF to find out, and unpack it when it is compressed. */
static bool has_dwarf(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section))) {
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && header.sh_type != SHT_NOBITS &&
            (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
            return true;
    }
    return false;
}

const char *elf_file_debug(struct elf_file *file, uint64_t *offset)
{
    Dwarf_Addr bias = 0;
    const char *main_path = NULL, *debug_path = NULL;
    *offset = 0;
    if (has_dwarf(dwfl_module_getelf(file->module, &bias)))
        return file->path;
    if (!dwfl_module_getdwarf(file->module, &bias))
        return NULL;
    *offset = bias - file->bias;
    dwfl_module_info(file->module, NULL, NULL, NULL, NULL, NULL, &main_path, &debug_path);
    return debug_path;
}

void elf_file_close(struct elf_file *file)
{
    if (file->dwfl)
        dwfl_end(file->dwfl);
    range_list_release(&file->code);
    *file = (struct elf_file){0};
}

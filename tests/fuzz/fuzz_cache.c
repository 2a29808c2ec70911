/* Files of the cache. The first byte says what the rest is: a table, which gets a header that is right and
 * the checksum, or a whole file. */
#include "fuzz.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/cache/cache.h"
#include "debuginfo/line_cache.h"

/* The least that has a build-id, and nothing else to read: what is answered comes from the cache. */
static const char *write_program(void)
{
    struct {
        Elf64_Ehdr file;
        Elf64_Phdr segment, note;
        Elf64_Nhdr header;
        char name[4];
        unsigned char build_id[20];
    } elf = {
        .file = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                 .e_type = ET_DYN,
                 .e_machine = EM_X86_64,
                 .e_version = EV_CURRENT,
                 .e_phoff = sizeof(Elf64_Ehdr),
                 .e_ehsize = sizeof(Elf64_Ehdr),
                 .e_phentsize = sizeof(Elf64_Phdr),
                 .e_phnum = 2},
        .segment = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_memsz = 4096},
        .note = {.p_type = PT_NOTE, .p_filesz = sizeof(Elf64_Nhdr) + 24},
        .header = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID},
        .name = "GNU",
        .build_id = "this one's identity",
    };
    elf.note.p_offset = (size_t)((char *)&elf.header - (char *)&elf);
    elf.segment.p_filesz = sizeof elf;
    return fuzz_write("program", (const uint8_t *)&elf, sizeof elf);
}

/* The file of the cache that ends so; NULL when there is none. */
static const char *find_file(const char *ending)
{
    static char name[512];
    char path[256];
    snprintf(path, sizeof path, "%s/coz", fuzz_directory());
    struct dirent *found;
    DIR *files = opendir(path);
    name[0] = '\0';
    while (files && (found = readdir(files))) {
        size_t length = strlen(found->d_name);
        if (length > strlen(ending) && strcmp(found->d_name + length - strlen(ending), ending) == 0)
            snprintf(name, sizeof name, "coz/%s", found->d_name);
    }
    if (files)
        closedir(files);
    return name[0] ? name : NULL;
}

/* What line_cache.c makes of the scope: it is in the name of a table that it stored. */
static uint64_t find_scope(const char *program)
{
    struct line_table table = {.has_lines = true};
    line_cache_store(&table, program, &fuzz_scope);
    const char *name = find_file("lines"), *dash = name ? strrchr(name, '-') : NULL;
    if (!dash)
        abort();
    return strtoull(dash + 1, NULL, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[] = {"lines", "unwind", "functions", "callsites"};
    static char program[256];
    static uint64_t scope;
    if (size == 0)
        return 0;
    if (!program[0]) {
        setenv("XDG_CACHE_HOME", fuzz_directory(), 1);
        strcpy(program, write_program());
        scope = find_scope(program);
    }
    struct cache_key key = {.kind = kinds[data[0] & 3]};
    bool is_whole = data[0] & 4;
    if (strcmp(key.kind, "unwind") != 0)
        key.scope = scope;
    if (!identity_read(&key.identity, program))
        abort();
    const struct iovec part = {(void *)(uintptr_t)(data + 1), size - 1};
    cache_store(&key, &part, 1);
    const char *name = find_file(key.kind);
    if (!name)
        abort();
    if (is_whole)
        fuzz_write(name, data + 1, size - 1);
    fuzz_read_tables(program, (struct debuginfo_options){.cached = true, .threads = 1});
    return 0;
}

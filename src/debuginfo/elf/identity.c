#include "debuginfo/elf/identity.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/sets/checksum.h"

enum { HEADERS = 64, NOTES = 4096 };

static bool read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
    return pread(fd, buffer, size, (off_t)offset) == (ssize_t)size;
}

/* Looks through the notes of one segment. */
static bool find_build_id(struct identity *identity, const unsigned char *notes, size_t size)
{
    Elf64_Nhdr note;
    for (size_t at = 0; at + sizeof note <= size;) {
        memcpy(&note, notes + at, sizeof note);
        uint64_t name = at + sizeof note, text = name + ((note.n_namesz + 3ull) & ~3ull);
        uint64_t next = text + ((note.n_descsz + 3ull) & ~3ull);
        if (next > size)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz > 0 &&
            memcmp(notes + name, "GNU", 4) == 0) {
            identity->size =
                note.n_descsz < sizeof identity->build_id ? note.n_descsz : sizeof identity->build_id;
            memcpy(identity->build_id, notes + text, identity->size);
            return true;
        }
        at = next;
    }
    return false;
}

static bool read_headers(struct identity *identity, int fd)
{
    Elf64_Ehdr file;
    Elf64_Phdr headers[HEADERS];
    unsigned char notes[NOTES];
    if (!read_at(fd, &file, sizeof file, 0) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
        file.e_ident[EI_CLASS] != ELFCLASS64 || file.e_phentsize != sizeof *headers || file.e_phnum == 0 ||
        file.e_phnum > HEADERS || !read_at(fd, headers, file.e_phnum * sizeof *headers, file.e_phoff))
        return false;
    /* Stripping the file leaves its loaded segments as they are. */
    identity->layout = file.e_entry;
    for (size_t i = 0; i < file.e_phnum; i++) {
        const Elf64_Phdr *header = &headers[i];
        if (header->p_type == PT_LOAD)
            identity->layout =
                checksum_word(checksum_word(identity->layout, header->p_vaddr), header->p_memsz);
    }
    for (size_t i = 0; i < file.e_phnum; i++) {
        const Elf64_Phdr *header = &headers[i];
        size_t size = header->p_filesz < sizeof notes ? header->p_filesz : sizeof notes;
        if (header->p_type == PT_NOTE && read_at(fd, notes, size, header->p_offset) &&
            find_build_id(identity, notes, size))
            return true;
    }
    return false;
}

bool identity_read(struct identity *identity, const char *path)
{
    *identity = (struct identity){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = fd >= 0 && read_headers(identity, fd);
    if (fd >= 0)
        close(fd);
    return found;
}

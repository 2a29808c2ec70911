#include "debuginfo/places/probes.h"

#include <gelf.h>
#include <string.h>

enum { NOTE_STAPSDT = 3, NOTE_HEADER = 12, ADDRESSES = 3 * 8 };

static const char owner[] = "stapsdt";

static uint32_t read_word(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t read_address(const unsigned char *bytes)
{
    uint64_t address;
    memcpy(&address, bytes, sizeof address);
    return address;
}

static size_t padded(uint32_t size)
{
    return ((size_t)size + 3) & ~(size_t)3;
}

/* Three addresses, then two strings and what the arguments are. */
static bool read_probe(const unsigned char *bytes, size_t size, uint64_t base_now, struct probe *probe)
{
    if (size <= ADDRESSES || bytes[size - 1] != '\0')
        return false;
    uint64_t base = read_address(bytes + 8), semaphore = read_address(bytes + 16);
    uint64_t moved = base_now ? base_now - base : 0;
    probe->at.address = read_address(bytes) + moved;
    probe->at.semaphore = semaphore ? semaphore + moved : 0;
    probe->provider = (const char *)bytes + ADDRESSES;
    size_t length = strlen(probe->provider) + 1;
    if (ADDRESSES + length >= size)
        return false;
    probe->name = probe->provider + length;
    return true;
}

void probes_read(const unsigned char *notes, size_t size, uint64_t base_now,
                 void (*found)(void *context, const struct probe *probe), void *context)
{
    size_t at = 0;
    while (size - at >= NOTE_HEADER) {
        uint32_t name_size = read_word(notes + at), data_size = read_word(notes + at + 4);
        uint32_t type = read_word(notes + at + 8);
        size_t name = at + NOTE_HEADER, data = name + padded(name_size), next = data + padded(data_size);
        struct probe probe;
        if (data > size || data_size > size - data)
            return;
        if (type == NOTE_STAPSDT && name_size == sizeof owner &&
            memcmp(notes + name, owner, sizeof owner) == 0 &&
            read_probe(notes + data, data_size, base_now, &probe))
            found(context, &probe);
        if (next > size)
            return;
        at = next;
    }
}

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(elf, section))) {
        const char *name = gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
        if (name && strcmp(name, wanted) == 0)
            return section;
    }
    return NULL;
}

void probes_list(struct elf_file *file, void (*found)(void *context, const struct probe *probe),
                 void *context)
{
    GElf_Addr bias;
    GElf_Shdr header;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    uint64_t base = elf && find_section(elf, ".stapsdt.base", &header) ? header.sh_addr : 0;
    Elf_Scn *section = elf ? find_section(elf, ".note.stapsdt", &header) : NULL;
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    if (data && data->d_buf)
        probes_read(data->d_buf, data->d_size, base, found, context);
}

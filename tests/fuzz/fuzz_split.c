/* A .dwo beside the program that names it. An input is both, so that each can be kept: the size of the
 * program in four bytes, the program, whose split unit is called "split.dwo" (and package "input.dwp"), and
 * the rest is that. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t program;
    if (size < sizeof program)
        return 0;
    memcpy(&program, data, sizeof program);
    data += sizeof program;
    size -= sizeof program;
    if (program > size)
        return 0;
    fuzz_write("split.dwo", data + program, size - program);
    fuzz_write("input.dwp", data + program, size - program);
    fuzz_read_tables(fuzz_write("input", data, program), (struct debuginfo_options){.threads = 1});
    return 0;
}

/* ELF in, tables out. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read_tables(fuzz_write("input", data, size), (struct debuginfo_options){.threads = 1});
    return 0;
}

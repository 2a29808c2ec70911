/* What the fuzz targets share. Each is one file with one LLVMFuzzerTestOneInput(), linked with libFuzzer to
 * look for inputs that break something, and with replay.c to run those that were found again. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "debuginfo/debuginfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A directory of this process's own, made on first use and removed at exit. */
const char *fuzz_directory(void);

/* Writes a file there; the path is overwritten by the next call. */
const char *fuzz_write(const char *name, const uint8_t *data, size_t size);

/* All sources. */
extern const struct scope fuzz_scope;

/* Reads the file's tables, and aborts if they are not what debuginfo.h promises. */
void fuzz_read_tables(const char *path, struct debuginfo_options options);

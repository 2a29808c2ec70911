/* Generated code as targets: which functions it has, as far as the program tells (perf_map.h). Of a process
 * the code within one 4 GiB is a module of the segment; its rows are replaced while the program runs,
 * whenever it has told more. Only the controller's own thread. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "shared/create.h"

struct generated;

/* The three must outlive it. NULL when memory is out. */
struct generated *generated_new(struct segment_owner *owner, const struct scope *scope,
                                struct site_set *sites);
void generated_free(struct generated *generated);

/* The module for generated code at the address in that process, and what is to be taken away from an address
 * for its rows. -1: there is no room, or targets are no functions. The rows come later. */
int generated_module(struct generated *generated, uint32_t pid, uint64_t address, uint64_t *bias);

/* Reads what programs have told since, now and then: some of it, and the rest at the next calls. */
void generated_serve(struct generated *generated, uint64_t now_ns);

/* What the user ought to know; "" if nothing. */
const char *generated_note(const struct generated *generated);

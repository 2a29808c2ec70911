/* The per-module tables that the controller writes and the runtime searches. Addresses are ELF virtual
 * addresses (program counter minus load bias). Rows are sorted by start. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a target is (docs/design/lines.md). */
enum granularity {
    GRANULARITY_LINE,
    GRANULARITY_FUNCTION, /* with all that it calls */
    GRANULARITY_CALLSITE, /* a line, called from another line */
    GRANULARITY_FILE,     /* all lines of a source file */
    GRANULARITY_THREAD,   /* all that threads of one name run, whatever code it is */
};

/* [start, end) is code of the site; in a module with nodes, site is the index of one. */
struct site_row {
    uint32_t start;
    uint32_t end;
    uint32_t site;
};

/* True when they are sorted, do not overlap, and name only sites below site_count, and not 0. */
static inline bool site_rows_are_sound(const struct site_row *rows, size_t count, size_t site_count)
{
    uint32_t done = 0;
    for (size_t i = 0; i < count; i++) {
        const struct site_row *row = &rows[i];
        if (row->start < done || row->end <= row->start || row->site == 0 || row->site >= site_count)
            return false;
        done = row->end;
    }
    return true;
}

/* An in-scope frame of an inline stack: functions, or in the granularity of call sites lines. */
struct site_node {
    uint32_t site;  /* 0: there was no number left */
    uint32_t outer; /* index of the node it was inlined into, always a smaller one; 0: none */
};

/* From start up to the start of the next row, the caller's frame is found so, from the stack pointer sp and the frame
 * pointer fp:
 *
 *     UNWIND_NONE    no information, or the outermost frame: the walk ends
 *     UNWIND_SP      CFA = sp + cfa_offset
 *     UNWIND_FP      CFA = fp + cfa_offset
 *     UNWIND_PLT     CFA = sp + 8 + ((pc & 15) >= 11 ? 8 : 0), as linkers write it for x86-64's PLT
 *     UNWIND_SIGNAL  a signal trampoline: all registers are in the ucontext on the stack
 *
 * fp_offset: the caller's fp was saved at CFA + fp_offset; 0 when it was not saved (it still holds the caller's).
 *
 * The return address is
 *
 *     UNWIND_PUSHED    at CFA - 8: always so on x86-64, whose calls push it
 *     UNWIND_BESIDE    at CFA + fp_offset + 8, beside fp, as AArch64's functions save the two
 *     UNWIND_ALONE     at CFA + fp_offset, and fp was not saved
 *     UNWIND_IN_PLACE  where the call put it, in a register (AArch64's x30) */
enum unwind_kind { UNWIND_NONE, UNWIND_SP, UNWIND_FP, UNWIND_PLT, UNWIND_SIGNAL };
enum unwind_return { UNWIND_PUSHED, UNWIND_BESIDE, UNWIND_ALONE, UNWIND_IN_PLACE };

struct unwind_row {
    uint32_t start;
    int16_t fp_offset;
    uint8_t kind;      /* enum unwind_kind */
    uint8_t return_at; /* enum unwind_return */
    int32_t cfa_offset;
};

_Static_assert(sizeof(struct site_row) == 12, "packed in the segment");
_Static_assert(sizeof(struct site_node) == 8, "packed in the segment");
_Static_assert(sizeof(struct unwind_row) == 12, "packed in the segment");

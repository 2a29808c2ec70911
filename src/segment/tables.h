/* The two per-module tables that the controller writes and the runtime searches. Addresses are ELF virtual
 * addresses (program counter minus load bias). Both tables are sorted by start. */
#pragma once

#include <stdint.h>

/* [start, end) is code of the site. */
struct site_row {
    uint32_t start;
    uint32_t end;
    uint32_t site;
};

/* From start up to the start of the next row, the caller's frame is found so (x86-64; the return address is
 * always at CFA-8): UNWIND_NONE   no information, or the outermost frame: the walk ends UNWIND_RSP    CFA =
 * rsp + cfa_offset UNWIND_RBP    CFA = rbp + cfa_offset UNWIND_PLT    CFA = rsp + 8 + ((rip & 15) >= 11 ? 8 :
 * 0), the expression that linkers write for the PLT UNWIND_SIGNAL a signal trampoline: all registers are in
 * the ucontext at rsp fp_offset: the caller's rbp was saved at CFA + fp_offset; 0 when it was not saved (it
 * still holds the caller's). */
enum unwind_kind { UNWIND_NONE, UNWIND_RSP, UNWIND_RBP, UNWIND_PLT, UNWIND_SIGNAL };

struct unwind_row {
    uint32_t start;
    int16_t fp_offset;
    uint16_t kind;
    int32_t cfa_offset;
};

_Static_assert(sizeof(struct site_row) == 12, "packed in the segment");
_Static_assert(sizeof(struct unwind_row) == 12, "packed in the segment");

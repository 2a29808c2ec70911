#include "report/page/bundle.h"

#include <stddef.h>

#ifdef PAGE_SCRIPT

__asm__(".pushsection .rodata\n"
        "coz_page_script: .incbin \"" PAGE_SCRIPT "\"\n"
        "coz_page_script_end: .byte 0\n"
        "coz_page_style: .incbin \"" PAGE_STYLE "\"\n"
        "coz_page_style_end: .byte 0\n"
        ".popsection\n");

extern const char coz_page_script[], coz_page_script_end[], coz_page_style[], coz_page_style_end[];

const struct page_bundle page_bundle = {coz_page_script, coz_page_script_end, coz_page_style,
                                        coz_page_style_end, NULL};

#else

const struct page_bundle page_bundle = {.missing = PAGE_MISSING};

#endif

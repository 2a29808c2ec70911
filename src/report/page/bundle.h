/* The page's script and style, which web/CMakeLists.txt makes of the files in web/. */
#pragma once

struct page_bundle {
    const char *script, *script_end, *style, *style_end; /* NULL: coz was built without */
    const char *missing;                                 /* what building the page lacked; NULL: nothing */
};

extern const struct page_bundle page_bundle;

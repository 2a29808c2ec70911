#include "report/page/html.h"

#include "base/sha256.h"
#include "report/cells.h"
#include "report/json/tree.h"
#include "report/page/bundle.h"
#include "report/page/pack.h"
#include "report/page/sources.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t script_size(void)
{
    return (size_t)(page_bundle.script_end - page_bundle.script);
}

static size_t style_size(void)
{
    return (size_t)(page_bundle.style_end - page_bundle.style);
}

/* Text of an element or of an attribute in double quotes. */
static void put_escaped(FILE *out, const char *raw)
{
    char *clean = clean_text(raw, true);
    for (const char *c = clean ? clean : "?"; *c; c++) {
        if (strchr("<>&\"", *c))
            fprintf(out, "&#%d;", *c);
        else
            putc(*c, out);
    }
    free(clean);
}

/* In a script element nothing but "<" can end the data or begin markup, and JSON may write it so anywhere. */
static int put_json_bytes(const char *bytes, size_t size, void *context)
{
    FILE *out = context;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '<')
            fputs("\\u003c", out);
        else
            putc(bytes[i], out);
    }
    return ferror(out) ? -1 : 0;
}

/* Nothing may be loaded, and only our script and style run, which are named by their hashes. Pictures come
 * from the page itself: a curve on its way to a PNG file. A page that is served may ask its server. */
static void put_head(FILE *out, const struct page_options *page)
{
    char script[SHA256_BASE64], style[SHA256_BASE64];
    sha256_base64(page_bundle.script, script_size(), script);
    sha256_base64(page_bundle.style, style_size(), style);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'sha256-%s'; style-src 'sha256-%s'; img-src blob:; base-uri 'none'; "
            "form-action 'none'; %srequire-trusted-types-for 'script'; trusted-types 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n",
            script, style, page->served ? "connect-src 'self'; " : "");
    if (page->served)
        fprintf(out, "<meta name=\"coz-served\" content=\"%" PRIu64 "\">\n", page->served);
    fputs("<title>", out);
    put_escaped(out, page->title);
    fputs("</title>\n<style>", out);
    fwrite(page_bundle.style, 1, style_size(), out);
    fputs("</style>\n</head>\n<body>\n<noscript>This page draws its curves with a script, and scripts are "
          "switched off here. `coz report` says the same in a terminal.</noscript>\n",
          out);
}

static json_t *page_data(struct analysis *analysis, const struct report_options *options,
                         const struct page_options *page)
{
    json_t *tree = report_tree(analysis, options);
    json_t *results = tree ? pack_results(json_object_get(tree, "results")) : NULL;
    json_t *sources =
        results && !page->without_source ? read_sources(analysis, options->story, tree) : json_array();
    if (!results || !sources) {
        json_decref(tree);
        json_decref(results);
        json_decref(sources);
        return NULL;
    }
    json_object_set_new(tree, "results", results);
    json_object_set_new(tree, "sources", sources);
    json_object_set_new(tree, "version", json_string(COZ_VERSION));
    if (page->compared)
        json_object_set_new(tree, "compared", compare_tree(page->compared, options));
    return tree;
}

/* In a file that is all ASCII browsers have nothing to decode, and half as much to keep. */
static int put_json(FILE *out, const json_t *tree, struct coz_error *err)
{
    int code = json_dump_callback(tree, put_json_bytes, out,
                                  JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    return code == 0 ? 0 : error_set(err, EIO, "The page cannot be written.");
}

int report_html_compared(FILE *out, const struct compare_report *compared,
                         const struct report_options *options, struct coz_error *err)
{
    json_t *tree = compare_tree(compared, options);
    int code =
        tree ? put_json(out, tree, err) : error_set(err, ENOMEM, "There is not enough memory for the page.");
    json_decref(tree);
    return code;
}

static int put_data(FILE *out, struct analysis *analysis, const struct report_options *options,
                    const struct page_options *page, struct coz_error *err)
{
    json_t *data = page_data(analysis, options, page);
    if (!data)
        return error_set(err, ENOMEM, "There is not enough memory for the page.");
    int code = put_json(out, data, err);
    json_decref(data);
    return code;
}

int report_html_check(struct coz_error *err)
{
    if (page_bundle.script)
        return 0;
    return error_set(err, ENOSYS,
                     "This coz was built without the page, because %s. Install the packages esbuild and "
                     "node-highlight.js and build it again; `coz report` says the same in a terminal.",
                     page_bundle.missing);
}

int report_html_data(FILE *out, struct analysis *analysis, const struct report_options *options,
                     const struct page_options *page, struct coz_error *err)
{
    int code = report_html_check(err);
    return code ? code : put_data(out, analysis, options, page, err);
}

int report_html(FILE *out, struct analysis *analysis, const struct report_options *options,
                const struct page_options *page, struct coz_error *err)
{
    int code = report_html_check(err);
    if (code)
        return code;
    put_head(out, page);
    fputs("<script type=\"application/json\" id=\"data\">", out);
    code = put_data(out, analysis, options, page, err);
    fputs("</script>\n<script>", out);
    fwrite(page_bundle.script, 1, script_size(), out);
    fputs("</script>\n</body>\n</html>\n", out);
    return code;
}

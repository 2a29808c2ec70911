#include "report/json/tree.h"
#include "report/report.h"

#include <errno.h>

int report_json(FILE *out, struct analysis *analysis, const struct report_options *options,
                struct coz_error *err)
{
    json_t *root = report_tree(analysis, options);
    int code = root && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0 ? 0 : -ENOMEM;
    json_decref(root);
    if (code < 0)
        return error_set(err, ENOMEM, "cannot write the report as JSON");
    putc('\n', out);
    return 0;
}

#include "runtime/sampling/own_name.h"

#include "runtime/core/kernel.h"
#include "runtime/core/runtime.h"
#include "shared/thread_names.h"

#include <sys/prctl.h>

uint32_t own_name_site(struct own_name *name)
{
    struct thread_name_text text = {{0, 0}};
    if (kernel_call(SYS_prctl, PR_GET_NAME, (long)text.words, 0, 0, 0, 0))
        return 0;
    if (name->site && name->words[0] == text.words[0] && name->words[1] == text.words[1])
        return name->site;
    name->words[0] = text.words[0];
    name->words[1] = text.words[1];
    return name->site = thread_name_number(runtime_segment, text);
}

#include "runtime/real/list.h"

#include <dlfcn.h>

#define HOOK_POINTER(result, name, parameters) result(*real_##name) parameters;
HOOKS(HOOK_POINTER)

void hooks_resolve(void)
{
#define HOOK_RESOLVE(result, name, parameters) real_##name = (result(*) parameters)dlsym(RTLD_NEXT, #name);
    HOOKS(HOOK_RESOLVE)
}

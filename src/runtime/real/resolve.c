#include "runtime/real/list.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#define HOOK_POINTER(result, name, parameters) result(*real_##name) parameters;
HOOKS(HOOK_POINTER)

/* In the place of a function that this libc does not have. What it returns is in the register of every integer
 * result, and what it is called with does not matter. */
static long fail_by_errno(void)
{
    errno = ENOSYS;
    return -1;
}

static long fail_by_code(void)
{
    return ENOSYS;
}

static long fail_as_c11(void)
{
    return thrd_error;
}

static long give_nothing(void)
{
    errno = ENOSYS;
    return 0; /* NULL */
}

static bool begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

typedef long any_function(void);

static any_function *find_substitute(const char *name)
{
    if (begins_with(name, "pthread_") || begins_with(name, "posix_spawn"))
        return fail_by_code;
    if (begins_with(name, "thrd_") || begins_with(name, "mtx_") || begins_with(name, "cnd_"))
        return fail_as_c11;
    return strcmp(name, "popen") == 0 ? give_nothing : fail_by_errno;
}

static void *look_up(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    return found ? found : (void *)find_substitute(name);
}

void hooks_resolve(void)
{
#define HOOK_RESOLVE(result, name, parameters) real_##name = (result(*) parameters)look_up(#name);
    HOOKS(HOOK_RESOLVE)
}

/* A system call without libc: the header of the machine that this is built for. */
#pragma once

#ifdef __x86_64__
#include "runtime/arch/x86_64/system_call.h"
#else
#include "runtime/arch/aarch64/system_call.h"
#endif

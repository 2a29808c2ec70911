/* A loop that waits: the header of the machine that this is built for. */
#pragma once

#ifdef __x86_64__
#include "runtime/arch/x86_64/spin.h"
#else
#include "runtime/arch/aarch64/spin.h"
#endif

/* The processor's own counter: the header of the machine that this is built for. */
#pragma once

#ifdef __x86_64__
#include "runtime/arch/x86_64/ticks.h"
#else
#include "runtime/arch/aarch64/ticks.h"
#endif

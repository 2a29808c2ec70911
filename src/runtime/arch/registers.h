/* The processor's registers, by what they are for: the header of the machine that this is built for. */
#pragma once

#ifdef __x86_64__
#include "runtime/arch/x86_64/registers.h"
#else
#include "runtime/arch/aarch64/registers.h"
#endif

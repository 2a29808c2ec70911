/* Numbers that are nearly the same, with words for what they are when not. After cmocka.h. */
#pragma once

#include <math.h>

#define assert_near(value, expected, within)                                                                 \
    do {                                                                                                     \
        double value_ = (value), expected_ = (expected);                                                     \
        if (!(fabs(value_ - expected_) <= (within)))                                                         \
            fail_msg("%s is %.9g, not %.9g", #value, value_, expected_);                                     \
    } while (0)

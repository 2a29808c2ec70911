/* More progress points than there is room for: 300, each visited as often as was told.
 *
 *     many_points COUNT */
#include "target.h"

#include <coz.h>

#define POINT(name) COZ_PROGRESS_NAMED(name)
#define TEN(name)                                                                                            \
    POINT(name "0")                                                                                          \
    POINT(name "1")                                                                                          \
    POINT(name "2")                                                                                          \
    POINT(name "3")                                                                                          \
    POINT(name "4")                                                                                          \
    POINT(name "5")                                                                                          \
    POINT(name "6")                                                                                          \
    POINT(name "7")                                                                                          \
    POINT(name "8")                                                                                          \
    POINT(name "9")
#define HUNDRED(name)                                                                                        \
    TEN(name "0")                                                                                            \
    TEN(name "1")                                                                                            \
    TEN(name "2")                                                                                            \
    TEN(name "3")                                                                                            \
    TEN(name "4")                                                                                            \
    TEN(name "5")                                                                                            \
    TEN(name "6")                                                                                            \
    TEN(name "7")                                                                                            \
    TEN(name "8")                                                                                            \
    TEN(name "9")

int main(int argc, char **argv)
{
    for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; i--) {
        HUNDRED("point 0")
        HUNDRED("point 1")
        HUNDRED("point 2")
    }
    return 0;
}

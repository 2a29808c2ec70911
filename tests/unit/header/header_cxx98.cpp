#include "coz.h"
#include "header_users.h"

template <typename T> static void use(T branch)
{
    if (branch)
        COZ_PROGRESS_NAMED("cxx98");
    coz::region region("cxx98-region");
    COZ_BEGIN("cxx98-latency");
    COZ_PRE_BLOCK;
    COZ_POST_BLOCK(branch);
    COZ_CATCH_UP;
    COZ_END("cxx98-latency");
    COZ_BEGIN_ID("cxx98-unit", 7);
    COZ_END_ID("cxx98-unit", 7);
    COZ_PROGRESS;
}

static void leave_region_by_exception()
{
    coz::region region("cxx98-thrown");
    throw 1;
}

void use_from_cxx98(int branch)
{
    use(branch);
    try {
        leave_region_by_exception();
    } catch (int) {
    }
}

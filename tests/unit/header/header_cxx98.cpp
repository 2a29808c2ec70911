#include "coz.h"
#include "header_users.h"

template <typename T> static void use(T branch)
{
    if (branch)
        COZ_PROGRESS_NAMED("cxx98");
    COZ_BEGIN("cxx98-latency");
    COZ_PRE_BLOCK;
    COZ_POST_BLOCK(branch);
    COZ_CATCH_UP;
    COZ_END("cxx98-latency");
    COZ_PROGRESS;
}

void use_from_cxx98(int branch)
{
    use(branch);
}

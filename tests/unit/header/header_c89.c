#include "coz.h"
#include "header_users.h"

void use_from_c89(int branch)
{
    if (branch)
        COZ_PROGRESS_NAMED("c89");
    COZ_BEGIN("c89-latency");
    if (branch)
        COZ_REGION_BEGIN("c89-region");
    else
        COZ_REGION_BEGIN("c89-region");
    COZ_PRE_BLOCK;
    COZ_POST_BLOCK(branch);
    COZ_CATCH_UP;
    COZ_REGION_END("c89-region");
    COZ_END("c89-latency");
    COZ_BEGIN_ID("c89-unit", 7);
    COZ_END_ID("c89-unit", 7);
    COZ_PROGRESS /* the original allows it without a semicolon */
}

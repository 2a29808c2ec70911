/* Waits for a core as the target: what would more cores bring? docs/design/waits.md has the model.
 *
 * For the calling thread, inside its guard or in its handler; async-signal-safe; errno is kept. */
#pragma once

#include "runtime/ledger/account.h"

/* What the thread has stood in the run queue since the last call was as much shorter as the target says: it gets
 * ahead by that, but for what it was credited with meanwhile. While such a window lasts, account->core_waits.is_target:
 * then every hook settles, and who pauses gives its core away (pause.h). Without that target it costs a load. */
void core_waits_shorten(struct account *account, struct instant now);

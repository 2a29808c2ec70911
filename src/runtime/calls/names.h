/* Names of threads, where threads are targets. One that names itself is known by that name at once, for it may end
 * before its first sample; all other ways to a name are noticed by samples. */
#pragma once

/* The calling thread has another name now. What it ran before counts under the old one. */
void names_taken(void);

/* Threads that restrict their own system calls (seccomp.c). */
#pragma once

/* The calling thread is not profiled any more, which is said. Not for handlers. */
void seccomp_leave_thread(void);

/* No thread of the process is: the restriction is for all of them at once. Not for handlers. */
void seccomp_leave_process(void);

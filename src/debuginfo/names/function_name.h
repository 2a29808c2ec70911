/* Names of functions, as people write and read them: "compute", "shapes::Stack<int>::push(int)",
 * "alloc::vec::Vec<T>::push", and "queue.c:put" for one that only its file knows. */
#pragma once

#include <stddef.h>

/* Longer names are cut, and end in a hash of all of it, so that they stay different. */
enum { FUNCTION_NAME_MOST = 1000 };

/* The name of a function, to be freed. symbol: what the linker calls it, name: what its source does; either
 * may be NULL. C++ and Rust are demangled, and what compilers add to the names of copies (".isra.0", ".cold")
 * is taken off. file: path of the source of a function that only this file knows, else NULL; Rust's names are
 * unique without it. NULL when there is no name, or memory is out. */
char *function_name_make(const char *symbol, const char *name, const char *file);

/* Cuts a name that has become longer, where it is, and returns it; NULL stays NULL. */
char *function_name_cut(char *name);

/* How well a name answers to what a person wrote: 0 not at all; the more the better. All of it is best, then
 * without the file, then without parameters, then its last parts, as in "Stack<int>::push" and "push", then
 * without what stands in angle brackets, "Stack::push". */
int function_name_match(const char *name, const char *wanted);

/* How far it is from what a person wrote: the number of changes of a character between the last part of the
 * name, without its parameters, and that of what was wanted. */
size_t function_name_distance(const char *name, const char *wanted);

/* Of several names, as in "main + push": the '+' behind the first one, or the end. Part of a name is one next to another,
 * as in "c++/", one that names a function of C++ ("operator+"), and one before an address ("server+0x5a30"). */
const char *function_name_plus(const char *names);

/* Which of several words somebody may have meant. */
#pragma once

/* The word of the list (that ends with NULL) with the fewest letters to add, take away, change or swap with
 * their neighbours; NULL when none is near enough to be meant. */
const char *nearest_word(const char *typed, const char *const *words);

/* What texts of findings are made with. Internal to src/diagnosis/. */
#pragma once

#include "diagnosis/finding.h"

/* Sets a text of a finding. */
void say(char text[FINDING_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The path without its folders. */
const char *last_part(const char *path);

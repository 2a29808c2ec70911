/* Puts a changed source in the old one's place: whole or not at all, with its mode, through symbolic links. */
#pragma once

#include "advice/points/sources.h"

/* 0; -ESTALE: the file is not what was read any more, and is left alone; or another negative errno. */
int source_replace(const struct point_source *source, const char *text, struct coz_error *err);

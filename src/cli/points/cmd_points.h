#pragma once

/* coz points: what could be a progress point of a program. Returns the exit status. */
int cmd_points(int argc, char **argv);

/* coz verify. Takes its own argv (argv[0] is the subcommand's name) and returns the exit status. */
#pragma once

int cmd_verify(int argc, char **argv);

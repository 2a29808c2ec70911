/* The subcommands. Each takes its own argv (argv[0] is the subcommand's name) and returns the exit status. */
#pragma once

int cmd_run(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_lines(int argc, char **argv);
int cmd_selftest(int argc, char **argv);

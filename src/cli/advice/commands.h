/* The subcommands that ask a language model (see cli/commands.h). */
#pragma once

int cmd_explain(int argc, char **argv);
int cmd_suggest_points(int argc, char **argv);

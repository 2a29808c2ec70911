/* What commands say of wrong usage. A process reads the options of one command. */
#pragma once

/* What a reader of options returns: to go on, or the exit status. */
enum { GO_ON = -1, EXIT_HELP = 0, EXIT_WRONG_USAGE = 2 };

/* Before options are read: getopt's complaints, and those below, begin with "coz" and the command's name ("plot"). */
void usage_begin(char **argv, const char *command);

/* After a complaint: says where help is. Returns EXIT_WRONG_USAGE. */
int usage_refuse(void);

/* Says the sentence, which names the option and the remedy, behind the command's name. Returns EXIT_WRONG_USAGE. */
int usage_say(const char *sentence);

/* The whole complaint: "coz run: --seed x: must be a number above 0", and where help is. Returns EXIT_WRONG_USAGE. */
int usage_complain(const char *option, const char *value, const char *remedy);

/* The functions that use the public header from C89 and from C++98; each reaches each macro once. */
#ifndef HEADER_USERS_H
#define HEADER_USERS_H

#ifdef __cplusplus
extern "C" {
#endif

void use_from_c89(int branch);
void use_from_cxx98(int branch);

#ifdef __cplusplus
}
#endif

#endif

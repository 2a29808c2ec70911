#include "experiment/facts/socket_peer.h"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- TCP: a row for each end ---- */

enum { ADDRESS_SIZE = 48 };

/* ADDRESS:PORT in hexadecimal digits. */
struct connection {
    char local[ADDRESS_SIZE], remote[ADDRESS_SIZE];
    unsigned long inode;
};

/* A socket for IPv6 can be the other end of one for IPv4: its address is that of IPv4 behind a prefix. */
static void shorten_address(char address[ADDRESS_SIZE])
{
    static const char mapped[] = "0000000000000000FFFF0000";
    enum { LENGTH = sizeof mapped - 1 };
    if (strncmp(address, mapped, LENGTH) == 0)
        memmove(address, address + LENGTH, ADDRESS_SIZE - LENGTH);
}

/* False where the row is none: the table's head. */
static bool parse_row(const char *line, struct connection *row)
{
    if (sscanf(line, "%*d: %47s %47s %*x %*x:%*x %*x:%*x %*x %*u %*u %lu", row->local, row->remote,
               &row->inode) != 3)
        return false;
    shorten_address(row->local);
    shorten_address(row->remote);
    return true;
}

/* The row with that inode; or, where `other` is given, that of its other end. */
static bool find_row(pid_t pid, unsigned long inode, const struct connection *other, struct connection *row)
{
    static const char *const tables[] = {"tcp", "tcp6"};
    bool found = false;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !found; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, tables[i]);
        FILE *file = fopen(path, "re");
        for (char line[512]; file && !found && fgets(line, sizeof line, file);)
            found = parse_row(line, row) &&
                    (other ? strcmp(row->local, other->remote) == 0 && strcmp(row->remote, other->local) == 0
                           : row->inode == inode);
        if (file)
            fclose(file);
    }
    return found;
}

static unsigned long tcp_peer(pid_t pid, unsigned long inode)
{
    struct connection here, there;
    return find_row(pid, inode, NULL, &here) && find_row(pid, 0, &here, &there) ? there.inode : 0;
}

/* ---- UNIX: the kernel is asked for the one ---- */

static bool ask_for_peer(int diagnosis, unsigned long inode)
{
    struct {
        struct nlmsghdr header;
        struct unix_diag_req request;
    } question = {
        .header = {.nlmsg_len = sizeof question,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST},
        .request = {.sdiag_family = AF_UNIX,
                    .udiag_states = UINT32_MAX,
                    .udiag_ino = (uint32_t)inode,
                    .udiag_show = UDIAG_SHOW_PEER,
                    .udiag_cookie = {UINT32_MAX, UINT32_MAX} /* none */},
    };
    return send(diagnosis, &question, sizeof question, 0) == (ssize_t)sizeof question;
}

static unsigned long read_peer(int diagnosis)
{
    union {
        struct nlmsghdr header;
        char bytes[1024];
    } answer;
    ssize_t length = recv(diagnosis, &answer, sizeof answer, 0);
    if (length < 0 || !NLMSG_OK(&answer.header, (size_t)length) ||
        answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return 0;
    const struct nlattr *attribute;
    size_t at = NLMSG_SPACE(sizeof(struct unix_diag_msg));
    while (at + sizeof *attribute <= answer.header.nlmsg_len) {
        attribute = (const struct nlattr *)(const void *)(answer.bytes + at);
        uint32_t peer;
        if (attribute->nla_len < sizeof *attribute)
            return 0;
        if (attribute->nla_type == UNIX_DIAG_PEER && attribute->nla_len == sizeof *attribute + sizeof peer) {
            memcpy(&peer, answer.bytes + at + sizeof *attribute, sizeof peer);
            return peer;
        }
        at += NLMSG_ALIGN(attribute->nla_len); /* as attributes are, too */
    }
    return 0;
}

static unsigned long unix_peer(unsigned long inode)
{
    int diagnosis = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (diagnosis < 0)
        return 0;
    unsigned long peer = ask_for_peer(diagnosis, inode) ? read_peer(diagnosis) : 0;
    close(diagnosis);
    return peer;
}

unsigned long socket_peer(pid_t pid, unsigned long inode)
{
    unsigned long peer = tcp_peer(pid, inode);
    return peer ? peer : unix_peer(inode);
}

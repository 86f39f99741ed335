/* SPDX-License-Identifier: MIT */
/*
 * Terminal devices: their names, and opening one by name. Tty layer.
 *
 * A name comes from the user, from a process or from a tmux server and is not trusted:
 * only a device with the name and number of a terminal and the right owner is opened.
 * Nothing is opened to find out what it is: that would wake the reader of a FIFO,
 * rewind a tape or start a watchdog.
 */
#ifndef TTY_DEVICE_H
#define TTY_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { DEVICE_NAME = 64 }; /* bytes, the NUL among them */

struct tty_device {
	char name[DEVICE_NAME];
	/* must belong to `owner`; else any owner will do: /dev/tty, or named by the user */
	bool owned;
	uid_t owner;
};

/*
 * The terminal `name` as announced by a process of the user `by`: a tmux server
 * or an ancestor. It has to be a terminal of ours; for root, of `by`, for root
 * may write to every terminal and another user's word is no reason to.
 */
struct tty_device device_announced(const char *name, uid_t by);

/*
 * What the user has named: links are followed (/dev/stdout leads to a terminal),
 * and the owner may be anybody. False, with errno and, unless `why` is NULL, the
 * reason in `*why` (borrowed until the next strerror()): there is no such file,
 * or its name is too long for a terminal's.
 */
bool device_named(struct tty_device *device, const char *path, const char **why);

/*
 * Why it would not be opened, without opening it: no name of a terminal, no
 * device of that number, not the owner's, not ours to write. NULL: it would.
 */
const char *device_check(const struct tty_device *device);

/*
 * Opens it to write to it (and with `reading` to read from it), never as a
 * controlling terminal and never left non-blocking: a fresh description has
 * flags of its own, whatever another program has set on those it shares (tmux
 * sets O_NONBLOCK on its client's). What was opened is checked again: the name
 * may have got another terminal meanwhile. Gives a close-on-exec descriptor of
 * the caller's, or -1 with errno and, unless `why` is NULL, the reason in words
 * (borrowed until the next strerror()).
 */
int device_open(const struct tty_device *device, bool reading, const char **why);

/*
 * The name in /dev of the device with this number. False: it is no terminal, or
 * /dev shows another one by that name.
 */
bool device_of_number(char name[DEVICE_NAME], dev_t number);

/*
 * The number that a terminal of this name has. False: it is no terminal's name. Linux
 * has a number for each name; elsewhere it is that of the file, if there is one.
 */
bool device_number(const char *name, dev_t *number);

/* A terminal's number as Linux writes it in /proc; there only. */
dev_t device_decode(unsigned number);

/* The name in /dev of the terminal behind `fd`, even for /dev/tty. */
bool device_name(char name[DEVICE_NAME], int fd);

/* The name of our controlling terminal. False: there is none, or /dev does not show it. */
bool device_controlling(char name[DEVICE_NAME]);

#endif

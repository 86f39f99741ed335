/* SPDX-License-Identifier: MIT */
/*
 * Base layer: what a program needs that knows nothing of terminals. That is text, messages,
 * running other programs, and what systems differ in.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <ctype.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* ---- errors --------------------------------------------------------------- */

/* The exit statuses, the same for every command. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,      /* system or data */
	STATUS_USAGE = 2,
	STATUS_NO_TERMINAL = 3, /* none can be reached */
	STATUS_REFUSED = 4,     /* too large, or dropped on the path */
	STATUS_NO_REPLY = 5,    /* no reply in time */
	STATUS_UNLIKELY = 7     /* sent, but probably lost, with a warning */
};

/*
 * The text of a message is the problem. A remedy may follow after the first newline, and is
 * printed as the hint:
 *
 *     "cannot open /dev/tty: No such device or address\n"
 *     "run it in a terminal, or name one: --tty DEVICE"
 *
 * A remedy may have more lines, but a problem has one. Text from a user, a file or a program must
 * go through text_quote() first, or be cut at its newline.
 */

/* Room for a problem, and for both, with the NUL; longer ones end in "...". */
enum { MESSAGE_PROBLEM = 1024, MESSAGE_TEXT = 1792 };

struct problem {
	char text[MESSAGE_PROBLEM];
};

/* Formats a message. A problem that is too long leaves the remedy its room. */
void message_format(char text[MESSAGE_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The two parts of a message; the remedy, "" if there is none, is borrowed. */
struct problem message_problem(const char *text);
const char *message_remedy(const char *text);

/* Set by a function that returns false. Zeroed: no error. */
struct error {
	enum status status;
	char text[MESSAGE_TEXT];
};

/* Sets status and message, which may be made of the present one. Returns false. */
bool fail(struct error *e, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Replaces the remedy, if there is one; it may be made of the present one. */
void advise(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- messages and the end of the program ---------------------------------- */

/*
 * A command that fails calls die(), which prints the message and exits. Cleanup, such as
 * restoring the modes of the terminal, is registered with atexit(). Code that continues
 * after a failure gets a struct error instead, and may print it as a warning.
 */

/* How messages begin and whether they are printed; main() sets it. */
extern struct messages {
	const char *title;   /* "viatty copy", "xclip" */
	const char *command; /* for --json: "copy", or "" */
	bool other_name;     /* called as xclip or the like, whose options are not in the hints */
	/* "not copied", before messages other than usage errors, or NULL; a command may set it */
	const char *outcome;
	char printed[MESSAGE_PROBLEM]; /* the first line of the last one */
	bool failed;         /* that was of die() */
	bool quiet;          /* no warnings */
	bool decorates;      /* with `quiet`, no errors either: progress, title */
	bool silent;         /* no errors either, and this status */
	enum status silent_status;
	bool json;           /* also print a failure, but no usage error, as JSON */
} messages;

/*
 * The first signal that arrived while a terminal was in use (signals_begin()), or 0; main() dies
 * of it after cleanup.
 */
extern volatile sig_atomic_t signal_caught;

/*
 * Prints "TITLE: OUTCOME: problem" and the hint, and exits with the status. With STATUS_USAGE the
 * outcome is left out.
 */
_Noreturn void die(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* die() with the error of a function. An empty message prints nothing. */
_Noreturn void die_of(const struct error *error);

/*
 * Prints "TITLE: KIND: problem" and the hint. An empty message is not printed. With --quiet, only
 * a message of the kind "" is.
 */
void message_say(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For -v, and for what --quiet does not conceal. */
#define message_note(...) message_say("", __VA_ARGS__)
#define message_warn(...) message_say("warning", __VA_ARGS__)

/* ---- buffers -------------------------------------------------------------- */

/*
 * A growable buffer of bytes with a size limit. Sizes are in bytes.
 *
 * If an addition would exceed the limit, the function sets `full`, changes nothing else and
 * returns false. From then on every addition fails. So a caller may add many pieces and check
 * once at the end: the buffer has all pieces before the one that failed. Running out of memory
 * ends the program.
 */

/* No limit. A sum of several such sizes does not overflow. */
#define BUF_NO_LIMIT ((size_t)-1 / 16)

/* An initializer: empty, without a limit. With one: { .max = BYTES }. */
#define BUF_EMPTY { .max = BUF_NO_LIMIT }

struct buf {
	/* owned by the buf; NULL until something is added or reserved */
	unsigned char *data;
	size_t len;
	bool full;
	/* for the functions below only; the limit can be raised */
	size_t capacity;
	size_t max;
};

/* realloc() that ends the program if memory runs out. */
void *xrealloc(void *old, size_t n);

/* Frees the bytes; the buf is empty again, with the same limit. */
void buf_free(struct buf *b);

/*
 * Reserves `extra` bytes: the caller may then write data[len .. len + extra - 1] and
 * raise len.
 */
bool buf_reserve(struct buf *b, size_t extra);

/* Appends `n` bytes, which must not be part of `b` itself. */
bool buf_add(struct buf *b, const void *bytes, size_t n);

/* Appends a string without its NUL. */
static inline bool
buf_add_string(struct buf *b, const char *string)
{
	return buf_add(b, string, strlen(string));
}

/* Appends what printf() would print. */
bool buf_format(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes a newline at the end. Returns false if there is none. */
bool buf_trim_newline(struct buf *b);

/* Whether `b` contains `text`, which is not empty. Quadratic: for short bufs. */
bool buf_holds(const struct buf *b, const char *text);

/* ---- text ----------------------------------------------------------------- */

/*
 * Untrusted text: arguments, environment, replies. Sizes are in bytes. No locale is set, so that
 * isdigit() and isalpha() know ASCII alone.
 */

/* For strspn(): ASCII letters and digits, in any locale. */
#define TEXT_ALNUM "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/* Room for one quoted text with its NUL; longer ones end in "...". */
enum { TEXT_QUOTED = 160 };

struct quoted {
	char text[TEXT_QUOTED];
};

/*
 * `text` in quotation marks for a message. Characters that text_printable() accepts are
 * unchanged. Any other byte, a quotation mark and a backslash are written as \n, \t, \", \\ or
 * \xNN. So a file name cannot send an escape sequence or reorder the message. NULL becomes
 * "(none)".
 */
struct quoted text_quote(const char *text);

/*
 * The length, 1 to 4, of the character at the start of the `n` bytes of `text`, and its code
 * point. 0 if it is not well-formed UTF-8 (RFC 3629, section 3); `*point` is then unspecified.
 */
size_t text_utf8(const char *text, size_t n, uint32_t *point);

/* The length of the valid UTF-8 without a NUL at the start of the `n` bytes of `text`. */
size_t text_utf8_prefix(const char *text, size_t n);

/* The largest size up to `n` that splits no character of the valid UTF-8 `text`. */
size_t text_cut(const char *text, size_t n);

/*
 * The length of the character at the start of `text`, as of text_utf8(). 0 also for one that is
 * not printable:
 *
 *   control characters             C0, DEL, C1 (U+0080-009F)
 *   bidirectional controls         U+061C, U+200E-200F, U+202A-202E, U+2066-2069
 *   line, paragraph separators     U+2028, U+2029
 */
size_t text_printable(const char *text, size_t n);

/*
 * snprintf() into `to`, which has `size` bytes, at least 4. A text that is too long is cut
 * between two characters and ends in "...".
 */
void text_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_vformat(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/*
 * Parses an unsigned decimal integer, at most `max`. Returns false, with `*value`
 * unchanged, for anything else.
 */
bool text_number(const char *text, unsigned long max, unsigned long *value);

/*
 * Adds `n` bytes of text in a form that is safe inside any sequence:
 *
 *   printable ASCII and UTF-8             unchanged
 *   tab                                   space
 *   LF, CR LF, CR, U+2028, U+2029         space, or LF with `lines`
 *   other controls (C0, DEL, C1 as one    U+FFFD, the replacement character
 *   byte or two, bidirectional), bytes
 *   of invalid UTF-8
 *
 * The result cannot end or begin a sequence or reorder the text displayed around it, and
 * is empty only for an empty text. Returns false if `out` is full; part was added.
 */
bool text_sanitize(struct buf *out, const char *text, size_t n, bool lines);

/*
 * Whether a shell takes the word as it is, without quotes. Users paste the commands of hints,
 * which therefore contain nothing else that a file, a terminal or tmux named.
 */
bool text_is_typable(const char *word);

/* Replaces every byte that is not printable ASCII by `?`, in place. */
void text_clean(char *text);

/* Whether `text` begins with `prefix`; false if `text` is NULL. */
bool text_begins(const char *text, const char *prefix);

/* Whether both are strings and equal; NULL equals nothing. */
bool text_equal(const char *a, const char *b);

/* Whether a list of words, separated by spaces or newlines, has this one. NULL is an empty list. */
bool text_lists(const char *list, const char *word, size_t n);

/*
 * Copies `from` with its NUL into `to`, which has `size` bytes (at least 1). Returns false
 * if it is too long; `to` is then empty, because a truncated name is another name.
 */
bool text_copy(char *to, size_t size, const char *from);

/* ---- versions ------------------------------------------------------------- */

enum { VERSION_PARTS = 4 };

/* Versions are compared part by part. A letter is a part, too: 3.3a is { 3, 3, 1 }. */
struct version {
	unsigned part[VERSION_PARTS];
};

/*
 * Finds the first number with a dot: 3.4 in "tmux next-3.4". Returns false, with `*version`
 * unchanged, if there is none.
 */
bool version_find(struct version *version, const char *text);

/* Whether `version` is equal to `other` or later. */
bool version_is_at_least(const struct version *version, const struct version *other);

/* ---- base64 --------------------------------------------------------------- */

/*
 * Base64 with the standard alphabet, padded, on one line (RFC 4648, section 4). libb64 encodes.
 * Only base64.c includes it.
 */

/* The exact number of characters that encode `n` bytes. */
size_t base64_encoded_size(size_t n);

/*
 * Appends `n` bytes as base64. They may be part of `out`, where room for the result is reserved
 * (buf_reserve()), if they begin before its end. To encode in several calls, pass a multiple of
 * three bytes to all but the last. Returns false if `out` is full.
 */
bool base64_encode(struct buf *out, const void *raw, size_t n);

/*
 * Decodes `n` characters of base64 and appends the bytes. Strict: the standard alphabet
 * only, no white space, `=` only as the last one or two characters of a group of four.
 * Padding may be omitted. The text may be in the memory of `out`, not before its end, and is
 * overwritten then. Returns false and adds nothing if `out` is full, which sets out->full, or
 * if the text is not base64.
 */
bool base64_decode(struct buf *out, const char *text, size_t n);

/* ---- JSON ----------------------------------------------------------------- */

/*
 * Appends JSON (RFC 8259) to a buf. Commas are added where needed. `name` is the name of a
 * member of an object, or NULL for an element of an array and the top-level value. A full
 * buf is reported by out->full.
 */

/* A value that is JSON already: "true", or the bracket that opens an object or array. */
void json_raw(struct buf *out, const char *name, const char *value);

/* A string; bytes of invalid UTF-8 become U+FFFD. NULL and "" are written as null. */
void json_text(struct buf *out, const char *name, const char *text);

void json_number(struct buf *out, const char *name, size_t number);

/* ---- files and pipes ------------------------------------------------------ */

/*
 * Appends the result of one read(2) of `fd` to `b`; blocks even if the descriptor is
 * non-blocking. Returns the number of bytes, 0 at the end, or -1 with errno, or with
 * b->full set if more was read than fits.
 */
ssize_t stream_read(int fd, struct buf *b);

/* Appends standard input to `b`, to its end or until `b` is full. Dies if that fails. */
void stream_read_all(struct buf *b);

/* The same, without trailing newlines (like $() of a shell), and with `full` unset. */
void stream_read_text(struct buf *b);

/* Opens a file to read, or returns -1 with errno. */
int file_open(const char *name);

/* Opens files now, which a later file_open() returns, by a process that may not open them. */
void file_open_early(char *const *names, size_t count);

/* Writes all `n` bytes. Returns false with errno. */
bool stream_write(int fd, const void *bytes, size_t n);

/* The same to standard output. Dies if that fails. */
void stream_output(const void *bytes, size_t n);

/* ---- time ----------------------------------------------------------------- */

/* Milliseconds of CLOCK_MONOTONIC. */
long long clock_ms(void);

/* ---- waiting -------------------------------------------------------------- */

/*
 * Like poll(): returns the number of `ends` with events, 0 after the timeout, -1 with errno.
 * A descriptor below 0 is skipped; `timeout_ms` below 0 means no limit. `events` is POLLIN
 * or POLLOUT; end of file or a closed reader is reported as that, or as POLLHUP or POLLERR.
 */
int wait_on(struct pollfd *ends, size_t count, int timeout_ms);

/* ---- programs ------------------------------------------------------------- */

/* Runs a program and collects its output, within a time limit. */

enum {
	SUBPROCESS_NOT_STARTED = -1, /* see errno */
	SUBPROCESS_TOO_SLOW = -2,    /* it exceeded the time limit and was killed */
	SUBPROCESS_UNREAD = -3       /* it exited with 0, but did not read all its input */
};

/* Whether the output so far is enough. */
enum child_state {
	CHILD_GOES_ON,      /* wait for more */
	CHILD_HAS_ANSWERED, /* complete: do not wait for its exit */
	CHILD_HAS_FAILED    /* nothing useful will follow: kill it */
};
typedef enum child_state subprocess_enough(const struct buf *answer);

struct subprocess_command {
	const char *const *arguments; /* argv, NULL-terminated */
	const char *program;     /* its path, or NULL to search for arguments[0] in PATH */
	/* NAME=value to add to its environment, at most 8, NULL-terminated; or NULL */
	const char *const *variables;
	bool inherits;           /* all of our environment, instead of these and those below */
	struct buf *errors;      /* for its stderr, or NULL to treat that like its stdout */
	/*
	 * The program leaves a process in the background that keeps its streams open. So it runs
	 * in a new session, and we wait for its own exit. `errors`, which must not be NULL, gets
	 * stdout and stderr until then.
	 */
	bool serves;
	/*
	 * Gets the PID of a child that has answered, unless NULL: it then keeps its streams, and
	 * a pipe as descriptor 3, for subprocess_tell().
	 */
	pid_t *stays;
};

/*
 * Runs `command`, writes `n` bytes to its stdin and appends its stdout and stderr to
 * `output`, up to the limit of that buffer. Returns the exit status, 128 + n for signal
 * n, or one of the values above. `timeout_ms` limits the time for its output, counted from
 * the last input it accepted, and again the time until its exit.
 *
 * `enough` (may be NULL) is called after each read. When it says that the child has answered, 0
 * is returned, and the child is collected when this process exits. When it says that the child
 * has failed, the result is SUBPROCESS_TOO_SLOW.
 *
 * The child inherits only its three streams, and few variables: set_environment() lists them.
 */
int subprocess_run_command(const struct subprocess_command *command, const void *bytes,
    size_t n, struct buf *output, subprocess_enough *enough, unsigned timeout_ms);

/*
 * Writes `line`, at most PIPE_BUF bytes, to the stdin of a child that stays, and `n` bytes to its
 * descriptor 3, and closes both. Appends what it then writes, until its exit. Returns the same,
 * SUBPROCESS_NOT_STARTED if no such child stays. One that is never told gets the end of its input
 * when this process exits.
 */
int subprocess_tell(pid_t pid, const char *line, const void *bytes, size_t n,
    struct buf *output, unsigned timeout_ms);

/*
 * Set by a process that was root: its children get a session of their own and the directory /.
 * In its session they could type into the terminal (TIOCSTI) or read it.
 */
extern bool subprocess_apart;

/*
 * One step of a search in `*folders`, a list such as PATH. Stores the path that a file with this
 * name has in the first folder, or "" if that needs more than `size` bytes. Moves `*folders` to
 * the rest, which is NULL after the last. Returns false if it was NULL. An empty folder is the
 * current one, where the path is the name.
 */
bool program_candidate(char *path, size_t size, const char **folders, const char *name);

/* A variable of our environment; NULL if unset. Borrowed. */
const char *environment_get(const char *name);

/* ---- portability ---------------------------------------------------------- */

/*
 * Calls that differ between systems. Code for one system is only in base/system.c,
 * detect/process_*.c and tty/device.c. Only system.c needs _GNU_SOURCE on Linux: the others
 * use POSIX and what all of these systems have.
 */

/* POSIX requires programs to declare it. */
extern char **environ;

/* An unnamed file, close-on-exec, for reading and writing; -1 with errno. */
int compat_unnamed_file(void);

/*
 * Opens a new pseudoterminal, with the modes of the system. Returns its master, or -1 with errno,
 * and stores the terminal as `*slave`. Both are close-on-exec. forkpty() would need -lutil in
 * some systems, and its child would be the session leader.
 */
int compat_open_pty(int *slave);

/* Makes every descriptor above stderr close-on-exec. */
void compat_close_at_exec(void);

/*
 * For a process that was root: keeps others of its user from tracing it. Returns false if it
 * still has a privilege.
 */
bool compat_seal(void);

/*
 * Whether a process listens on the socket at `path` (up to 100 bytes), or on the abstract one of
 * that name. Connects to it and sends nothing. `*pid` and `*owner` are of the process that began
 * to listen, or 0 and (uid_t)-1, as on other systems than Linux.
 */
bool compat_listener(const char *path, bool is_abstract, pid_t *pid, uid_t *owner);

/*
 * How many bytes a process of ours has written so far, to files and devices (wchar in
 * proc_pid_io(5)). 0 if that is unknown: other systems than Linux do not tell.
 */
unsigned long long compat_written(pid_t pid);

/* ---- processes of macOS and FreeBSD --------------------------------------- */

/*
 * The public facts about a process on macOS and FreeBSD: sysctl(3), KERN_PROC_PID. Linux
 * has them in /proc and does not compile this.
 */

struct kinfo {
	pid_t parent;
	/* the real, effective and saved ones */
	uid_t user[3];
	gid_t group[3];
	bool has_terminal;
	dev_t terminal;              /* the controlling one */
	bool in_foreground;          /* of that terminal */
	char name[32];
	unsigned long long started;  /* in microseconds since 1970 */
	int jail;                    /* FreeBSD; elsewhere 0 */
};

/* Returns false if the process is gone or hidden. */
bool kinfo_read(struct kinfo *kinfo, pid_t pid);

#endif

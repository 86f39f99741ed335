/* SPDX-License-Identifier: MIT */
/* route/deliver: what is left when there is no room for the bytes that stop it. */
#include "route/deliver.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* the sanitizer has an allocator of its own, and looks for leaks itself */
static size_t
in_use(void)
{
	return 0;
}
#else
static size_t
in_use(void)
{
	return mallinfo2().uordblks;
}
#endif

Test(deliver, holds_no_memory_after_it_ran_out)
{
	static char abort_bytes[3001];
	struct route route = { .kind = ROUTE_PASSTHROUGH, .own_device = true,
	    .chain = { 1, { LAYER_TMUX } } };
	struct path path = { .fd = open("/dev/null", O_WRONLY) };
	struct source source;
	struct delivery delivery = { .source = &source, .abort = abort_bytes };
	struct error error = { .status = STATUS_DONE };
	size_t before = 0;
	int signal, i;

	/* each ESC is doubled: more than the buffer may hold */
	memset(abort_bytes, 0x1b, sizeof(abort_bytes) - 1);
	for (i = 0; i < 2; i++) {
		if (i == 1)
			before = in_use();
		source_bytes(&source, "x", 1);
		cr_expect_not(deliver(&route, &path, &delivery, &signal, &error));
		cr_expect_str_eq(error.message, "out of memory");
		source_free(&source);
	}
	cr_expect_eq(in_use(), before);
	close(path.fd);
}

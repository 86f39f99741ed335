/* SPDX-License-Identifier: MIT */
/* The manual page that is generated from the table of terminals. */
#ifndef CLI_TERMINALS_PAGE_H
#define CLI_TERMINALS_PAGE_H

/* Prints viatty-terminals(7) as mdoc; see ferror() for a failure. */
void terminals_page(void);

#endif

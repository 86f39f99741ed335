/* SPDX-License-Identifier: MIT */
/*
 * The interface of libb64's encoder, for libraries that behave as its versions do:
 *
 *   LENGTH  the type of a length: int until 1.4.1, size_t since 2.0
 *   INPUT   what is encoded: char until 1.4.1, void since 2.0
 *   LINE    characters of a line: 72 until 1.2.1; 0, none, since 1.3
 */
#ifndef BASE64_CENCODE_H
#define BASE64_CENCODE_H

#ifndef LENGTH
#define LENGTH int
#define INPUT char
#endif
#ifndef LINE
#define LINE 72
#endif

/* not the fields of libb64: nothing may rely on those */
typedef struct {
	char begun[3];
	LENGTH bytes, column;
} base64_encodestate;

void base64_init_encodestate(base64_encodestate *state);
LENGTH base64_encode_block(const INPUT *raw, const LENGTH n, char *text,
    base64_encodestate *state);
LENGTH base64_encode_blockend(char *text, base64_encodestate *state);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The part of Criterion's interface that tests/unit uses, for systems and processors
 * to which Criterion has not been ported. Each test is a process; there is no exec, so
 * that the tests run under an emulator. Documented at
 * https://criterion.readthedocs.io/en/master/assert.html
 */
#ifndef LIB_CRITERION_H
#define LIB_CRITERION_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include <stdbool.h>
#include <string.h>

struct cr_settings {
	void (*init)(void), (*fini)(void);
	int signal;     /* that has to end the test, or 0 */
	double timeout; /* in seconds, or 0: that of --timeout */
	int sentinel;
};

struct cr_test {
	const char *suite, *name;
	void (*run)(void); /* null: settings of a suite */
	struct cr_settings settings;
	struct cr_test *next;
};

void cr_add(struct cr_test *test);

/* Counts and prints a failure unless `good`; a fatal one ends the test. */
void cr_check(const char *file, int line, bool fatal, const char *text, bool good,
    const char *format, ...);

_Noreturn void cr_skip_test(const char *format, ...);

#define CR_ADD(Id, Suite, Name, Run, ...)                                                     \
	__attribute__((constructor)) static void Id##_add(void)                               \
	{                                                                                     \
		static struct cr_test test = { Suite, Name, Run, { __VA_ARGS__ }, NULL };     \
		cr_add(&test);                                                                \
	}
#define CR_TEST(Suite, Name, ...)                                                             \
	static void Suite##_##Name##_test(void);                                              \
	CR_ADD(Suite##_##Name, #Suite, #Name, Suite##_##Name##_test, __VA_ARGS__)             \
	static void Suite##_##Name##_test(void)
#define CR_SUITE(Suite, ...)                                                                  \
	CR_ADD(Suite##_suite, #Suite, NULL, NULL, __VA_ARGS__)                                \
	_Static_assert(1, "takes the semicolon")

#define Test(...) CR_TEST(__VA_ARGS__, .sentinel = 0)
#define TestSuite(...) CR_SUITE(__VA_ARGS__, .sentinel = 0)

/* What follows the compared values is a format and its values, or nothing. */
#define CR_IF(Fatal, Text, ...) cr_check(__FILE__, __LINE__, Fatal, Text, __VA_ARGS__)
#define CR_ONE(Fatal, Text, Sign, A, ...) CR_IF(Fatal, Text, Sign(A), __VA_ARGS__)
#define CR_OP(Fatal, Sign, Text, A, B, ...) CR_IF(Fatal, Text, (A) Sign(B), __VA_ARGS__)
#define CR_STR(Fatal, Sign, Text, A, B, ...)                                                  \
	CR_IF(Fatal, Text, strcmp(A, B) Sign 0, __VA_ARGS__)
#define CR_ARR(Fatal, Text, A, B, Size, ...)                                                  \
	CR_IF(Fatal, Text, memcmp(A, B, Size) == 0, __VA_ARGS__)
#define CR_END (const char *)NULL

#define cr_assert(...) CR_IF(true, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_not(...) CR_ONE(true, #__VA_ARGS__, !, __VA_ARGS__, CR_END)
#define cr_assert_null(...) CR_ONE(true, #__VA_ARGS__, NULL ==, __VA_ARGS__, CR_END)
#define cr_assert_not_null(...) CR_ONE(true, #__VA_ARGS__, NULL !=, __VA_ARGS__, CR_END)
#define cr_assert_eq(...) CR_OP(true, ==, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_neq(...) CR_OP(true, !=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_lt(...) CR_OP(true, <, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_leq(...) CR_OP(true, <=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_gt(...) CR_OP(true, >, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_geq(...) CR_OP(true, >=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_str_eq(...) CR_STR(true, ==, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_str_neq(...) CR_STR(true, !=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_assert_arr_eq(...) CR_ARR(true, #__VA_ARGS__, __VA_ARGS__, CR_END)

#define cr_expect(...) CR_IF(false, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_not(...) CR_ONE(false, #__VA_ARGS__, !, __VA_ARGS__, CR_END)
#define cr_expect_null(...) CR_ONE(false, #__VA_ARGS__, NULL ==, __VA_ARGS__, CR_END)
#define cr_expect_not_null(...) CR_ONE(false, #__VA_ARGS__, NULL !=, __VA_ARGS__, CR_END)
#define cr_expect_eq(...) CR_OP(false, ==, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_neq(...) CR_OP(false, !=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_lt(...) CR_OP(false, <, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_leq(...) CR_OP(false, <=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_gt(...) CR_OP(false, >, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_geq(...) CR_OP(false, >=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_str_eq(...) CR_STR(false, ==, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_str_neq(...) CR_STR(false, !=, #__VA_ARGS__, __VA_ARGS__, CR_END)
#define cr_expect_arr_eq(...) CR_ARR(false, #__VA_ARGS__, __VA_ARGS__, CR_END)

#endif

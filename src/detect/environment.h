/* SPDX-License-Identifier: MIT */
/*
 * Environments: our own, and those of other processes as detect/process.h gives them. Detect
 * layer; the only file that calls getenv().
 */
#ifndef DETECT_ENVIRONMENT_H
#define DETECT_ENVIRONMENT_H

#include "base/buf.h"

/* A variable of this process's environment, or NULL; borrowed. */
const char *environment_get(const char *name);

/*
 * The value of `name` in the environment that process_environment() has read, or
 * NULL; borrowed from `environment`.
 */
const char *environment_value(const struct buf *environment, const char *name);

#endif

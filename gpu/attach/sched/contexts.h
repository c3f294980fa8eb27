// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

// The context switches of a Jetson's GPU. One thread.

// Asks nvgpu for them. Returns why it does not tell them; null if it does.
const char *jsa_open_contexts(void);

// Gives the lines of what has happened since the last call to `write`, which returns 0 if it took them all; returns
// what it returned.
int jsa_take_contexts(int (*write)(const char *bytes, size_t length));

void jsa_close_contexts(void);

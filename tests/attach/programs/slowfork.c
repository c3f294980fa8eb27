// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library that is linked to a program and holds up its forks. Its constructor runs before those of preloaded
// libraries, so that its handler runs when theirs have run.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

__attribute__((visibility("default"))) uint32_t slowfork_begun, slowfork_may_go_on;

static void hold_up(void)
{
    __atomic_store_n(&slowfork_begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&slowfork_may_go_on, __ATOMIC_ACQUIRE))
        usleep(100);
}

__attribute__((constructor)) static void begin(void)
{
    pthread_atfork(hold_up, NULL, NULL);
}

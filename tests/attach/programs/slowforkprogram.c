// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// slowforkprogram : a thread that is to be cancelled, but comes to no cancellation point, looks up functions while
// another one forks for a long time. Exits with 42 if it comes to its end, and waits for the fork once at most.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kLookups = 60, kRatio = 20 };

extern uint32_t slowfork_begun, slowfork_may_go_on;
static uint32_t s_is_cancelled;
static int64_t s_during[kLookups];
static int s_found;

static int64_t time_of_a_lookup(void)
{
    struct timespec begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    s_found += dlsym(RTLD_DEFAULT, "puts") != NULL;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    return (int64_t)(ended.tv_sec - begun.tv_sec) * 1000000000 + ended.tv_nsec - begun.tv_nsec;
}

static void *look_up(void *nothing)
{
    time_of_a_lookup(); // What is done only once.
    while (!__atomic_load_n(&s_is_cancelled, __ATOMIC_ACQUIRE) || !__atomic_load_n(&slowfork_begun, __ATOMIC_ACQUIRE)) {
    }
    for (int i = 0; i < kLookups; ++i)
        s_during[i] = time_of_a_lookup();
    return nothing;
}

static void *fork_once(void *nothing)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return nothing;
}

int main(void)
{
    pthread_t looking, forking;
    pthread_create(&looking, NULL, look_up, NULL);
    pthread_cancel(looking);
    __atomic_store_n(&s_is_cancelled, 1, __ATOMIC_RELEASE);
    pthread_create(&forking, NULL, fork_once, NULL);
    pthread_join(looking, NULL);
    __atomic_store_n(&slowfork_may_go_on, 1, __ATOMIC_RELEASE);
    pthread_join(forking, NULL);
    if (s_found != 1 + kLookups) {
        puts("the thread ended inside of dlsym");
        return 1;
    }
    int64_t usual = 0;
    for (int i = 0; i < kLookups; ++i) {
        const int64_t time = time_of_a_lookup();
        usual = time > usual ? time : usual;
    }
    int slow = 0;
    for (int i = 0; i < kLookups; ++i)
        slow += s_during[i] > kRatio * usual;
    if (slow > kLookups / 2)
        printf("%d of %d lookups waited for the fork\n", slow, kLookups);
    return slow > kLookups / 2 ? 2 : 42;
}

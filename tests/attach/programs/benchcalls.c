// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_attachcalls : what a hooked call costs, by turns with a bare one and with two readings of the CPU's counter,
// which are a part of it. Run it alone (hooks are absent), with LD_PRELOAD of the library (they pass through), and
// under `jetscope attach` (they record).

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern void *mockgl_bare(void);
extern void glDeleteSync(void *sync);                              // A record for each call.
extern void glDispatchCompute(unsigned x, unsigned y, unsigned z); // Counted.

enum { kTurns = 200, kCalls = 4000 };

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static uint64_t counter(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#else
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count)::"memory");
    return count;
#endif
}

static double median(double *values)
{
    qsort(values, kTurns, sizeof *values, by_value);
    return values[kTurns / 2];
}

int main(void)
{
    static double bare[kTurns], recorded[kTurns], counted[kTurns], read[kTurns];
    volatile uint64_t stamp = 0; // The compiler keeps the readings.
    (void)stamp;
    void (*volatile direct)(void) = (void (*)(void))mockgl_bare();
    void (*volatile record)(void *) = glDeleteSync;
    void (*volatile count)(unsigned, unsigned, unsigned) = glDispatchCompute;
    for (int turn = 0; turn < kTurns; ++turn) {
        const double a = now_ns();
        for (int i = 0; i < kCalls; ++i)
            direct();
        const double b = now_ns();
        for (int i = 0; i < kCalls; ++i)
            record(NULL);
        const double c = now_ns();
        for (int i = 0; i < kCalls; ++i)
            count(1, 1, 1);
        const double d = now_ns();
        for (int i = 0; i < kCalls; ++i) {
            stamp = counter();
            stamp = counter();
        }
        const double e = now_ns();
        bare[turn] = (b - a) / kCalls;
        recorded[turn] = (c - b) / kCalls;
        counted[turn] = (d - c) / kCalls;
        read[turn] = (e - d) / kCalls;
        nanosleep(&(struct timespec){0, 20000000}, NULL); // A full ring would make calls cheaper.
    }
    const double least = median(bare);
    printf(
        "bare call %.1f ns, recorded function %+.1f ns, counted function %+.1f ns, two readings of the counter %.1f ns "
        "(medians of %d turns)\n",
        least, median(recorded) - least, median(counted) - least, median(read), kTurns);
    return 0;
}

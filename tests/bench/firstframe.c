// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Preloaded by bench_start.sh: prints when the program hands its first picture to the X server, in milliseconds since
// the start of the process, and ends it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kMinWidth = 200, kStartField = 22 }; // Smaller pictures are icons and pointers.

typedef struct {
    unsigned sequence;
} Cookie;

typedef Cookie (*PutImage)(void *, uint32_t, uint32_t, uint16_t, uint16_t, uint16_t, uint16_t, uint16_t, uint16_t,
                           int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint32_t, uint32_t);

static double milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/// Since the system was started; 0 if it is not known. A hundredth of a second is the finest that the kernel says.
static double startOfProcess(void)
{
    char text[1024] = "";
    FILE *file = fopen("/proc/self/stat", "r");
    if (file == NULL)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *field = strrchr(text, ')'); // The second field may contain spaces.
    for (int number = 2; field != NULL && number < kStartField; ++number)
        field = strchr(field + 1, ' ');
    return field == NULL ? 0 : (double)strtoull(field, NULL, 10) * 1e3 / (double)sysconf(_SC_CLK_TCK);
}

/// In place of the function of the X library.
Cookie xcb_shm_put_image(void *connection, uint32_t drawable, uint32_t gc, uint16_t totalWidth, uint16_t totalHeight,
                         uint16_t x, uint16_t y, uint16_t width, uint16_t height, int16_t toX, int16_t toY,
                         uint8_t depth, uint8_t format, uint8_t event, uint32_t segment, uint32_t offset)
{
    if (width > kMinWidth) {
        printf("%.0f %.0f\n", milliseconds(CLOCK_BOOTTIME) - startOfProcess(), milliseconds(CLOCK_PROCESS_CPUTIME_ID));
        fflush(stdout);
        _exit(0);
    }
    const PutImage put = (PutImage)dlsym(RTLD_NEXT, "xcb_shm_put_image");
    return put(connection, drawable, gc, totalWidth, totalHeight, x, y, width, height, toX, toY, depth, format, event,
               segment, offset);
}

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of EGL and GL that count their calls and check that their arguments arrive unchanged.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))

static struct {
    const char *name;
    unsigned long calls;
} s_counts[] = {{"eglSwapBuffers", 0}, {"glFinish", 0},          {"glDrawArrays", 0},   {"glTexImage2D", 0},
                {"glFlush", 0},        {"eglCreateImageKHR", 0}, {"wrong arguments", 0}};

static void (*s_in_finish)(void);

static void count(const char *name)
{
    for (size_t i = 0; i < sizeof s_counts / sizeof *s_counts; ++i)
        if (strcmp(s_counts[i].name, name) == 0)
            __atomic_fetch_add(&s_counts[i].calls, 1, __ATOMIC_RELAXED);
}

static void expect(int good)
{
    if (!good)
        count("wrong arguments");
}

VISIBLE unsigned long mockgl_calls(const char *name)
{
    for (size_t i = 0; i < sizeof s_counts / sizeof *s_counts; ++i)
        if (strcmp(s_counts[i].name, name) == 0)
            return __atomic_load_n(&s_counts[i].calls, __ATOMIC_RELAXED);
    return 0;
}

// For programs with two of these libraries.
__attribute__((destructor)) static void say_calls(void)
{
    Dl_info own = {0};
    if (getenv("MOCK_GL_SAYS_CALLS") && s_counts[0].calls > 0 && dladdr((void *)s_counts, &own))
        printf("%s: swaps %lu\n", strrchr(own.dli_fname, '/') + 1, s_counts[0].calls);
}

VISIBLE void mockgl_in_finish(void (*callback)(void))
{
    s_in_finish = callback;
}

VISIBLE void glFlush(void)
{
    count("glFlush");
}

// The function itself, past any hook.
static void bare_flush(void)
{
    __asm__ volatile("" ::: "memory");
}

VISIBLE void *mockgl_bare(void)
{
    return (void *)bare_flush;
}

// For measurements: do as little as a bare call.
VISIBLE void glDeleteSync(void *sync)
{
    (void)sync;
    bare_flush();
}

VISIBLE void glDispatchCompute(unsigned x, unsigned y, unsigned z)
{
    (void)x;
    (void)y;
    (void)z;
    bare_flush();
}

VISIBLE unsigned eglSwapBuffers(void *display, void *surface)
{
    count("eglSwapBuffers");
    expect(display == (void *)1 && surface != NULL);
    glFlush(); // The library's own call, which is not the program's.
    return surface != (void *)99;
}

VISIBLE void glFinish(void)
{
    count("glFinish");
    if (s_in_finish)
        s_in_finish();
    errno = 77;
}

VISIBLE void glDrawArrays(unsigned mode, int first, int vertices)
{
    count("glDrawArrays");
    expect(mode == 4 && first == 0 && vertices == 3);
}

VISIBLE void glTexImage2D(unsigned target, int level, int internal, int width, int height, int border, unsigned format,
                          unsigned type, const void *pixels)
{
    count("glTexImage2D");
    expect(target == 0xde1 && level == -1 && internal == 0x8058 && width == 640 && height == 480 && border == 0
           && format == 0x1908 && type == 0x1401 && pixels == (const void *)0x123456789abcdef0);
}

// For programs with hazards.
VISIBLE void glTexSubImage2D(unsigned target, int level, int x, int y, int width, int height, unsigned format,
                             unsigned type, const void *pixels)
{
    expect(target == 0xde1 && level == 0 && x == 0 && y == 0 && width == 16 && height == 16 && format == 0x1908
           && type == 0x1401 && pixels != NULL);
}

VISIBLE void glGenTextures(int count, unsigned *names)
{
    static unsigned s_last;
    for (int i = 0; i < count; ++i)
        names[i] = ++s_last;
}

VISIBLE void glDeleteTextures(int count, const unsigned *names)
{
    expect(count > 0 && names != NULL);
}

VISIBLE void *eglCreateSync(void *display, unsigned type, const intptr_t *attributes)
{
    expect(display == (void *)1 && type == 0x323b && attributes != NULL);
    return (void *)0x7100;
}

VISIBLE unsigned eglWaitSync(void *display, void *sync, int flags)
{
    expect(display == (void *)1 && sync == (void *)0x7100 && flags == 0);
    return 1;
}

VISIBLE void glPixelStorei(unsigned parameter, int value)
{
    expect(parameter == 0x0cf2 && (value == 0 || value == 32));
}

VISIBLE void *eglCreateImageKHR(void *display, void *context, unsigned target, void *buffer, const int *attributes)
{
    count("eglCreateImageKHR");
    expect(display == (void *)1 && context == (void *)2 && target == 3 && buffer == (void *)4 && attributes == NULL);
    return (void *)0x7000000000000000;
}

// --- EGLStreams; with a count of those that exist

static int s_streams;

VISIBLE int mockgl_streams(void)
{
    return s_streams;
}
VISIBLE void *eglCreateStreamKHR(void *display, const int *attributes)
{
    static uintptr_t s_last = 0x7200;
    expect(display == (void *)1 && attributes == NULL);
    ++s_streams;
    return (void *)(s_last += 0x10);
}
VISIBLE unsigned eglDestroyStreamKHR(void *display, void *stream)
{
    expect(display == (void *)1 && stream > (void *)0x7200);
    --s_streams;
    return 1;
}
VISIBLE unsigned eglStreamConsumerGLTextureExternalKHR(void *display, void *stream)
{
    return display == (void *)1 && stream != NULL;
}
VISIBLE unsigned eglStreamConsumerAcquireKHR(void *display, void *stream)
{
    expect(display == (void *)1 && stream > (void *)0x7200);
    return 1;
}
VISIBLE unsigned eglStreamConsumerReleaseKHR(void *display, void *stream)
{
    expect(display == (void *)1 && stream > (void *)0x7200);
    return 1;
}
VISIBLE unsigned eglStreamConsumerAcquireAttribKHR(void *display, void *stream, const intptr_t *attributes)
{
    expect(display == (void *)1 && stream > (void *)0x7200 && attributes == NULL);
    return 1;
}
VISIBLE unsigned eglStreamConsumerReleaseAttribKHR(void *display, void *stream, const intptr_t *attributes)
{
    expect(display == (void *)1 && stream > (void *)0x7200 && attributes == NULL);
    return 1;
}
VISIBLE unsigned eglQueryStreamKHR(void *display, void *stream, unsigned attribute, int *value)
{
    expect(display == (void *)1 && stream > (void *)0x7200 && attribute == 0x3214); // EGL_STREAM_STATE_KHR
    *value = 0x3218;                                                                // A new frame.
    return 1;
}

VISIBLE void *eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {{"eglSwapBuffers", (void *)eglSwapBuffers},
                     {"glFinish", (void *)glFinish},
                     {"glDrawArrays", (void *)glDrawArrays},
                     {"glTexImage2D", (void *)glTexImage2D},
                     {"eglCreateStreamKHR", (void *)eglCreateStreamKHR},
                     {"eglStreamConsumerAcquireAttribKHR", (void *)eglStreamConsumerAcquireAttribKHR},
                     {"eglStreamConsumerReleaseAttribKHR", (void *)eglStreamConsumerReleaseAttribKHR},
                     {"eglCreateImageKHR", (void *)eglCreateImageKHR}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}

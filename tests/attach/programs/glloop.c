// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// glloop FRAMES : real EGL and GL without a window. Prints its calls, a checksum of its last picture and the time of
// its frames, or why EGL is missing (exit code 77).
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kSide = 256 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int missing(const char *what)
{
    printf("%s is missing\n", what);
    return 77;
}

static unsigned char s_pixels[kSide * kSide * 4];

// Of the surface and of the texture, after the last frame.
static uint64_t picture_checksum(GLuint texture)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    GLuint frame = 0;
    glGenFramebuffers(1, &frame);
    for (int part = 0; part < 2; ++part) {
        glBindFramebuffer(GL_FRAMEBUFFER, part == 0 ? 0 : frame);
        if (part == 1)
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        glReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, s_pixels);
        for (size_t i = 0; i < sizeof s_pixels; ++i)
            sum = (sum ^ s_pixels[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 100;
    PFNEGLGETPLATFORMDISPLAYEXTPROC open_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = open_display ? open_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : NULL;
    if (!display || !eglInitialize(display, NULL, NULL))
        return missing("EGL without a window");
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                    EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, kSide, EGL_HEIGHT, kSide, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint found = 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        return missing("a configuration of EGL");
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!surface || !context || !eglMakeCurrent(display, surface, surface, context))
        return missing("a context of GLES 3");
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSide, kSide);
    for (size_t i = 0; i < sizeof s_pixels; ++i)
        s_pixels[i] = (unsigned char)(i * 7);
    const double start = seconds();
    for (int frame = 0; frame < frames; ++frame) {
        s_pixels[frame % sizeof s_pixels] = (unsigned char)frame;
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, s_pixels);
        glClearColor((float)(frame % 5) / 4, (float)(frame % 7) / 6, (float)(frame % 3) / 2, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
        glDeleteSync(fence);
        glFinish();
        eglSwapBuffers(display, surface);
    }
    const double took = seconds() - start;
    printf("eglSwapBuffers %d\nglFinish %d\nglTexSubImage2D %d\nglClientWaitSync %d\nglFenceSync %d\nglDrawArrays %d\n",
           frames, frames, frames, frames, frames, frames);
    printf("picture %016llx\n", (unsigned long long)picture_checksum(texture));
    fprintf(stderr, "%.3f us a frame\n", took / frames * 1e6);
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}

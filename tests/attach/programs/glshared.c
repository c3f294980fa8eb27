// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// glshared WAY FRAMES : one thread draws into a texture, another one shows it; their contexts share it. WAY says what
// orders the two. Exits with 77 where there is no OpenGL ES 3.
#include <EGL/egl.h>
#include <GLES3/gl3.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSize = 64 };

static EGLDisplay s_display;
static EGLContext s_producer, s_consumer;
static EGLSurface s_surfaces[2];
static GLuint s_textures[2], s_own, s_buffer, s_renderbuffer;
static GLsync s_fence, s_before, s_back;
static EGLSync s_of_egl;
static sem_t s_full, s_empty;
static int s_frames;
static const char *s_way;

static int is(const char *way)
{
    return strcmp(s_way, way) == 0;
}

static int begins(const char *way)
{
    return strncmp(s_way, way, strlen(way)) == 0;
}

static int waits_in_gpu(void)
{
    return is("buffer") || is("renderbuffer") || is("fence") || is("no flush") || is("flush by current")
        || is("old fence") || is("upload") || is("bound once") || is("fence before") || begins("overwritten");
}

static GLuint texture_of(int frame)
{
    return s_textures[begins("overwritten") ? 0 : frame & 1];
}

// What follows the drawing in the context that draws.
static void hand_over(void)
{
    s_before = s_fence;
    if ((waits_in_gpu() && !is("fence before")) || is("client wait"))
        s_fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (begins("fence of EGL"))
        s_of_egl = eglCreateSync(s_display, EGL_SYNC_FENCE, NULL);
    if (is("flush by current")) {
        eglMakeCurrent(s_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglMakeCurrent(s_display, s_surfaces[0], s_surfaces[0], s_producer);
    } else if (is("finish"))
        glFinish();
    else if (!is("no flush") && !is("fence of EGL, no flush") && !is("nothing") && !begins("upload, nothing")
             && !is("buffer, nothing") && !is("renderbuffer, nothing") && !is("sampled, nothing")
             && !is("reader finishes"))
        glFlush();
}

static void write_object(GLuint framebuffer, int frame)
{
    static unsigned char pixels[kSize * kSize * 4];
    if (begins("upload")) {
        memset(pixels, frame, sizeof pixels);
        glBindTexture(GL_TEXTURE_2D, s_textures[frame & 1]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        return;
    }
    if (begins("buffer")) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s_buffer);
        void *const at = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, sizeof pixels, GL_MAP_WRITE_BIT);
        if (at)
            memset(at, frame, sizeof pixels);
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
        return;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (begins("renderbuffer"))
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s_renderbuffer);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_of(frame), 0);
    glClearColor((float)(frame & 7) / 7.f, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void *produce(void *unused)
{
    GLuint framebuffer;
    (void)unused;
    eglMakeCurrent(s_display, s_surfaces[0], s_surfaces[0], s_producer);
    glGenFramebuffers(1, &framebuffer);
    for (int i = 0; i < s_frames; ++i) {
        sem_wait(&s_empty);
        if (s_back)
            glWaitSync(s_back, 0, GL_TIMEOUT_IGNORED);
        if (is("fence before"))
            s_fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        write_object(framebuffer, i);
        hand_over();
        sem_post(&s_full);
    }
    glFinish();
    return NULL;
}

static void wait_for_producer(void)
{
    if (is("client wait"))
        glClientWaitSync(s_fence, 0, UINT64_C(5000000000));
    else if (is("reader finishes"))
        glFinish();
    else if (s_of_egl)
        eglWaitSync(s_display, s_of_egl, 0);
    else if (waits_in_gpu() && (s_before || !is("old fence")))
        glWaitSync(is("old fence") ? s_before : s_fence, 0, GL_TIMEOUT_IGNORED);
}

static void bind_object(const GLuint *framebuffers, int frame)
{
    if (is("sampled, nothing")) { // Without a shader; that it is bound and something is drawn is what counts.
        glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        glBindTexture(GL_TEXTURE_2D, s_textures[frame & 1]);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    } else if (begins("buffer")) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s_buffer);
        glBindTexture(GL_TEXTURE_2D, s_own);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    } else if (begins("renderbuffer")) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
        glFramebufferRenderbuffer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s_renderbuffer);
    } else if (!is("bound once")) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[frame & 1]);
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_of(frame), 0);
    }
}

static void consume(void)
{
    unsigned char pixel[4];
    GLuint framebuffers[2];
    glGenFramebuffers(2, framebuffers);
    for (int i = 0; i < 2; ++i) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[i]);
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s_textures[i], 0);
    }
    for (int i = 0; i < s_frames; ++i) {
        sem_wait(&s_full);
        wait_for_producer();
        bind_object(framebuffers, i);
        glBlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        if (!begins("overwritten"))
            glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        if (is("overwritten, fence"))
            s_back = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
        eglSwapBuffers(s_display, s_surfaces[1]);
        sem_post(&s_empty);
    }
}

static int begin(void)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, kSize, EGL_HEIGHT, kSize, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    s_display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (!eglInitialize(s_display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API)
        || !eglChooseConfig(s_display, want, &config, 1, &count) || count == 0)
        return 0;
    s_consumer = eglCreateContext(s_display, config, EGL_NO_CONTEXT, version);
    s_producer = eglCreateContext(s_display, config, is("not shared") ? EGL_NO_CONTEXT : s_consumer, version);
    for (int i = 0; i < 2; ++i)
        s_surfaces[i] = eglCreatePbufferSurface(s_display, config, size);
    return s_consumer && s_producer && eglMakeCurrent(s_display, s_surfaces[1], s_surfaces[1], s_consumer);
}

static void make_objects(void)
{
    glGenTextures(1, &s_own);
    glGenTextures(2, s_textures);
    for (int i = 0; i < 3; ++i) {
        glBindTexture(GL_TEXTURE_2D, i < 2 ? s_textures[i] : s_own);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSize, kSize);
    }
    glGenBuffers(1, &s_buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s_buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, kSize * kSize * 4, NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glGenRenderbuffers(1, &s_renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, s_renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kSize, kSize);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    s_way = argv[1];
    s_frames = atoi(argv[2]);
    if (!begin())
        return 77;
    make_objects();
    glFinish();
    sem_init(&s_full, 0, 0);
    sem_init(&s_empty, 0, 1);
    pthread_t thread;
    if (pthread_create(&thread, NULL, produce, NULL))
        return 3;
    consume();
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/streamconsumer.h"

namespace jetscope {

namespace {

/// How long an acquire waits for a frame that was presented but has not arrived.
constexpr EGLint kAcquireTimeoutUs = 16000;

} // namespace

EglStreamConsumer::EglStreamConsumer(std::shared_ptr<EglDisplay> display, const EglStreamApi &api, EGLStreamKHR stream)
    : m_display(std::move(display)), m_api(api), m_stream(stream)
{
    glGenTextures(1, &m_texture);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, m_texture);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

Result<std::unique_ptr<EglStreamConsumer>> EglStreamConsumer::create(std::shared_ptr<EglDisplay> display, int length,
                                                                     const EglStreamApi &api)
{
    if (!api.complete())
        return Error{"eglCreateStreamKHR", 0, "this EGL has no EGLStreams (EGL_KHR_stream); take output eglimage"};
    const EGLint attributes[] = {EGL_STREAM_FIFO_LENGTH_KHR, length, EGL_CONSUMER_ACQUIRE_TIMEOUT_USEC_KHR,
                                 kAcquireTimeoutUs, EGL_NONE};
    EGLStreamKHR stream = api.create(display->native(), attributes);
    if (stream == EGL_NO_STREAM_KHR)
        return eglError("eglCreateStreamKHR");
    std::unique_ptr<EglStreamConsumer> consumer(new EglStreamConsumer(std::move(display), api, stream));
    // Uses the bound texture, which the constructor created.
    if (!api.connectTexture(consumer->m_display->native(), stream))
        return eglError("eglStreamConsumerGLTextureExternalKHR");
    JETSCOPE_TRY(glStatus("glBindTexture(GL_TEXTURE_EXTERNAL_OES)"));
    return consumer;
}

EglStreamConsumer::~EglStreamConsumer()
{
    m_api.destroy(m_display->native(), m_stream);
    glDeleteTextures(1, &m_texture);
}

bool EglStreamConsumer::isEmpty() const
{
    EGLint state = 0;
    return m_api.query(m_display->native(), m_stream, EGL_STREAM_STATE_KHR, &state)
        && state == EGL_STREAM_STATE_EMPTY_KHR;
}

Result<EglStreamConsumer::Acquired> EglStreamConsumer::acquire()
{
    if (!m_api.acquire(m_display->native(), m_stream)) {
        const Error error = eglError("eglStreamConsumerAcquireKHR");
        // Drivers set different errors at the time-out, but the state of the stream is reliable.
        if (isEmpty())
            return Acquired::TimedOut;
        return error;
    }
    EGLuint64KHR number = 0;
    if (!m_api.queryCounter(m_display->native(), m_stream, EGL_CONSUMER_FRAME_KHR, &number))
        return eglError("eglQueryStreamu64KHR(EGL_CONSUMER_FRAME_KHR)");
    const bool repeated = number == m_lastFrame;
    m_lastFrame = number;
    return repeated ? Acquired::Repeat : Acquired::NewFrame;
}

Status EglStreamConsumer::release()
{
    if (!m_api.release(m_display->native(), m_stream))
        return eglError("eglStreamConsumerReleaseKHR");
    return {};
}

const EglStreamApi &realEglStreamApi()
{
    static const EglStreamApi api{extension("eglCreateStreamKHR"),
                                  extension("eglDestroyStreamKHR"),
                                  extension("eglStreamConsumerGLTextureExternalKHR"),
                                  extension("eglStreamConsumerAcquireKHR"),
                                  extension("eglStreamConsumerReleaseKHR"),
                                  extension("eglQueryStreamKHR"),
                                  extension("eglQueryStreamu64KHR")};
    return api;
}

} // namespace jetscope

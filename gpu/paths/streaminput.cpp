// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/streaminput.h"

namespace jetscope {

StreamInput::StreamInput(Device &device, std::shared_ptr<EglDisplay> display, const EglStreamApi &api,
                         EGLStreamKHR stream)
    : m_device(device), m_display(std::move(display)), m_api(api), m_stream(stream)
{
}

Result<std::unique_ptr<StreamInput>> StreamInput::create(Device &device, std::shared_ptr<EglDisplay> display,
                                                         int length, const EglStreamApi &api)
{
    if (!api.create || !api.destroy || !api.queryCounter)
        return Error{"eglCreateStreamKHR", 0,
                     "this EGL has no EGLStreams (EGL_KHR_stream); take another source or memory kind"};
    const EGLint fifo[] = {EGL_STREAM_FIFO_LENGTH_KHR, length, EGL_NONE};
    const EGLint mailbox[] = {EGL_NONE};
    EGLStreamKHR stream = api.create(display->native(), length > 0 ? fifo : mailbox);
    if (stream == EGL_NO_STREAM_KHR)
        return eglError("eglCreateStreamKHR");
    std::unique_ptr<StreamInput> input(new StreamInput(device, std::move(display), api, stream));
    JETSCOPE_TRY_ASSIGN(input->m_consumer, device.connectConsumer(stream));
    return input;
}

StreamInput::~StreamInput()
{
    m_consumer.reset();
    m_api.destroy(m_display->native(), m_stream);
}

Result<FrameConsumer::Acquired> StreamInput::acquire(std::uint64_t number, Stream &stream)
{
    for (int tries = 0; tries < kMaxStreamTries; ++tries) {
        JETSCOPE_TRY_ASSIGN(const std::optional<FrameConsumer::Acquired> acquired,
                            m_device.acquire(*m_consumer, stream));
        if (!acquired) {
            ++m_timeouts;
            continue;
        }
        EGLuint64KHR shown = 0;
        if (!m_api.queryCounter(m_display->native(), m_stream, EGL_CONSUMER_FRAME_KHR, &shown)) {
            const Error error = eglError("eglQueryStreamu64KHR(EGL_CONSUMER_FRAME_KHR)");
            static_cast<void>(release(stream)); // The read error is the one to report.
            return error;
        }
        m_device.tell(&DeviceObserver::frameNumber, *m_consumer, shown);
        // A new frame with a lower number belongs to a camera frame that was dropped; it is progress, not a repeat.
        if (shown == m_latest)
            ++m_repeats;
        else
            tries = 0;
        m_latest = shown;
        if (shown >= number) {
            ++m_returned;
            return *acquired;
        }
        JETSCOPE_TRY(release(stream));
    }
    return Error{"cudaEGLStreamConsumerAcquireFrame", 0,
                 "a frame that was presented to the EGLStream did not arrive; take another source or memory kind"};
}

} // namespace jetscope

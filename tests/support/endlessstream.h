// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/streamconsumer.h"
#include "tests/support/stubdevice.h"

#include <memory>
#include <optional>

namespace jetscope::testing {

/// The consuming end of an EGLStream that has a new frame whenever it is asked for one, or the last one once more.
class EndlessStreamDevice final : public StubDevice {
public:
    EndlessStreamDevice() : StubDevice("EndlessStreamDevice", "this device only consumes frames")
    {
        shown() = 0;
        repeats() = 0;
    }

    /// The next times that EGL is asked, the frame is still the last one.
    static void repeatNext(int times) { repeats() = times; }

    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *) override
    {
        return std::unique_ptr<FrameConsumer>(std::make_unique<Consumer>());
    }
    Status launch(const ChainLaunch &, Stream &) override { return {}; }
    Result<std::unique_ptr<Stream>> createStream() override { return std::unique_ptr<Stream>(new DeviceStream); }

    /// The calls on its EGLStream.
    static const EglStreamApi &table()
    {
        static const EglStreamApi api = [] {
            EglStreamApi calls;
            calls.create = create;
            calls.destroy = destroy;
            calls.queryCounter = queryCounter;
            return calls;
        }();
        return api;
    }

private:
    class DeviceStream final : public Stream {};
    class Frame final : public Image {
    public:
        Frame() : Image(8, 8) {}
    };
    class Consumer final : public FrameConsumer {
    protected:
        Result<std::optional<Acquired>> acquire(Stream &) override
        {
            return std::optional(Acquired{&m_frame, makeImageLayout(PixelFormat::Rgba8, 8, 8)});
        }
        Status release(Stream &) override { return {}; }

    private:
        Frame m_frame;
    };

    static EGLuint64KHR &shown()
    {
        static EGLuint64KHR frames = 0;
        return frames;
    }
    static int &repeats()
    {
        static int times = 0;
        return times;
    }
    static EGLStreamKHR EGLAPIENTRY create(EGLDisplay, const EGLint *) { return &shown(); }
    static EGLBoolean EGLAPIENTRY destroy(EGLDisplay, EGLStreamKHR) { return EGL_TRUE; }
    static EGLBoolean EGLAPIENTRY queryCounter(EGLDisplay, EGLStreamKHR, EGLenum, EGLuint64KHR *value)
    {
        if (repeats() > 0)
            --repeats();
        else
            ++shown();
        *value = shown();
        return EGL_TRUE;
    }
};

} // namespace jetscope::testing

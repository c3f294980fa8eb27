// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakeeglstream.h"

#include "tests/support/stubdevice.h"

#include <algorithm>
#include <deque>

namespace jetscope::testing {

namespace {

struct State {
    bool streamLives = false;
    bool consumerConnected = false;
    bool producerConnected = false;
    bool acquired = false;
    bool refusesProducer = false;
    std::size_t fifoLength = 0;
    std::deque<const Image *> waiting;  ///< Presented, but not acquired yet.
    std::deque<const Image *> consumed; ///< Acquired, then released or replaced; oldest first, the last is the newest.
    std::uint64_t shown = 0;            ///< Number of the frame that the consumer has.
    int framesAlive = 0;
    int repeats = 0;
    int empties = 0;
    int keptBack = 0;
    std::vector<std::string> violations;

    void expect(bool holds, const char *rule)
    {
        if (!holds)
            violations.emplace_back(rule);
    }
    bool holds(const Image *frame) const
    {
        return std::count(waiting.begin(), waiting.end(), frame) + std::count(consumed.begin(), consumed.end(), frame)
            > 0;
    }
};

State *g_state = nullptr;

void *const kStream = &g_state;

EGLStreamKHR EGLAPIENTRY createStream(EGLDisplay, const EGLint *attributes)
{
    g_state->expect(!g_state->streamLives, "one stream at a time");
    g_state->streamLives = true;
    for (const EGLint *at = attributes; *at != EGL_NONE; at += 2)
        if (at[0] == EGL_STREAM_FIFO_LENGTH_KHR)
            g_state->fifoLength = static_cast<std::size_t>(at[1]);
    return kStream;
}

EGLBoolean EGLAPIENTRY destroyStream(EGLDisplay, EGLStreamKHR)
{
    g_state->expect(g_state->streamLives, "a stream is destroyed once");
    g_state->expect(!g_state->producerConnected, "the producer disconnects before the stream goes");
    g_state->streamLives = g_state->consumerConnected = false;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY connectTexture(EGLDisplay, EGLStreamKHR)
{
    g_state->expect(!g_state->producerConnected, "the consumer connects first");
    g_state->consumerConnected = true;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY acquireFrame(EGLDisplay, EGLStreamKHR)
{
    g_state->expect(!g_state->acquired, "a frame is released before the next is acquired");
    if (g_state->empties > 0 || (g_state->waiting.empty() && g_state->consumed.empty())) {
        --g_state->empties;
        return EGL_FALSE;
    }
    g_state->acquired = true;
    if (g_state->repeats > 0) {
        --g_state->repeats;
        return EGL_TRUE;
    }
    if (!g_state->waiting.empty()) {
        g_state->consumed.push_back(g_state->waiting.front());
        g_state->waiting.pop_front();
        ++g_state->shown;
    }
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY releaseFrame(EGLDisplay, EGLStreamKHR)
{
    g_state->expect(g_state->acquired, "only what is acquired is released");
    g_state->acquired = false;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY queryStream(EGLDisplay, EGLStreamKHR, EGLenum, EGLint *value)
{
    *value = EGL_STREAM_STATE_EMPTY_KHR;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY queryCounter(EGLDisplay, EGLStreamKHR, EGLenum, EGLuint64KHR *value)
{
    *value = g_state->shown;
    return EGL_TRUE;
}

class FakeFrame final : public Image {
public:
    FakeFrame(int width, int height) : Image(width, height) { ++g_state->framesAlive; }
    ~FakeFrame() override
    {
        g_state->expect(!g_state->producerConnected, "the producer disconnects before its frames go");
        --g_state->framesAlive;
    }
};

class FakeProducer final : public FrameProducer {
public:
    FakeProducer(int width, int height) : m_width(width), m_height(height)
    {
        g_state->expect(g_state->consumerConnected, "the consumer connects before the producer");
        g_state->producerConnected = true;
    }
    ~FakeProducer() override { g_state->producerConnected = false; }

    Result<std::unique_ptr<Image>> makeFrame() override
    {
        return std::unique_ptr<Image>(new FakeFrame(m_width, m_height));
    }

    Status present(Image &frame, Stream &) override
    {
        g_state->expect(!g_state->holds(&frame), "a frame that the stream has is not presented again");
        g_state->waiting.push_back(&frame);
        g_state->expect(g_state->waiting.size() <= g_state->fifoLength, "no more frames wait than the FIFO holds");
        return {};
    }

    Result<Image *> takeBack(Stream &) override
    {
        if (g_state->keptBack > 0 || g_state->consumed.size() < 2) {
            --g_state->keptBack;
            return static_cast<Image *>(nullptr);
        }
        auto *frame = const_cast<Image *>(g_state->consumed.front());
        g_state->consumed.pop_front();
        return frame;
    }

private:
    const int m_width;
    const int m_height;
};

class FakeStream final : public Stream {};
class FakeEvent final : public Event {};

class FakeStreamDevice final : public StubDevice {
public:
    FakeStreamDevice() : StubDevice("FakeStreamDevice", "this device only produces frames")
    {
        m_facts.eglStream = Capability::yes();
    }

    Result<std::unique_ptr<FrameProducer>> connectProducer(void *stream, int width, int height, FrameMemory) override
    {
        g_state->expect(stream == kStream, "the producer connects to the consumer's stream");
        if (g_state->refusesProducer)
            return Error{"cudaEGLStreamProducerConnect", 999, "refused"};
        return std::unique_ptr<FrameProducer>(std::make_unique<FakeProducer>(width, height));
    }

    Result<std::unique_ptr<Stream>> createStream() override { return std::unique_ptr<Stream>(new FakeStream); }
    Result<std::unique_ptr<Event>> createEvent(Timing) override { return std::unique_ptr<Event>(new FakeEvent); }
    Status record(Event &, Stream &) override { return {}; }
    Status launch(const ChainLaunch &, Stream &) override { return {}; }
    Result<bool> query(const Event &) override { return true; }
    Result<std::int64_t> elapsedNs(const Event &, const Event &) override { return std::int64_t{0}; }
};

} // namespace

FakeEglStream::FakeEglStream()
{
    g_state = new State;
}

FakeEglStream::~FakeEglStream()
{
    delete g_state;
    g_state = nullptr;
}

const EglStreamApi &FakeEglStream::table() const
{
    static const EglStreamApi api{createStream, destroyStream, connectTexture, acquireFrame,
                                  releaseFrame, queryStream,   queryCounter};
    return api;
}

std::unique_ptr<Device> FakeEglStream::device() const
{
    return std::make_unique<FakeStreamDevice>();
}

std::vector<std::string> FakeEglStream::violations() const
{
    std::vector<std::string> all = g_state->violations;
    if (g_state->streamLives)
        all.emplace_back("the stream still lives");
    if (g_state->producerConnected)
        all.emplace_back("the producer is still connected");
    if (g_state->framesAlive != 0)
        all.emplace_back("frames still live");
    return all;
}

bool FakeEglStream::isInStream(const Image &frame) const
{
    return g_state->holds(&frame);
}

void FakeEglStream::repeatNext(int times)
{
    g_state->repeats = times;
}

void FakeEglStream::emptyNext(int times)
{
    g_state->empties = times;
}

void FakeEglStream::keepBackNext(int times)
{
    g_state->keptBack = times;
}

void FakeEglStream::refuseProducer()
{
    g_state->refusesProducer = true;
}

} // namespace jetscope::testing

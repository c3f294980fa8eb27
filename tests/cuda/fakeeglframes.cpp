// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/fakeeglframes.h"

#include <algorithm>
#include <deque>
#include <map>

namespace jetscope::testing {

namespace {

constexpr unsigned kLongestWait = 100'000; ///< Microseconds for which the pipeline may stall.

struct State {
    bool streamLives = false;
    bool consumerConnected = false;
    bool producerConnected = false;
    bool refusesConsumer = false;
    bool refusesFrames = false;
    cudaGraphicsResource_t acquired = nullptr;
    std::deque<const Image *> waiting;  ///< Presented, not yet acquired.
    std::deque<const Image *> consumed; ///< Acquired, oldest first; the last is the newest.
    std::map<cudaGraphicsResource_t, void *> registered;
    std::size_t registrations = 0;
    std::function<bool(void *)> lives = [](void *) { return true; };
    cudaEglFrame frame = FakeEglFrames::frameOf(cudaEglColorFormatABGR, 8, 8);
    std::uint64_t shown = 0;
    std::uintptr_t nextHandle = 0x1000;
    int framesAlive = 0;
    int repeats = 0;
    int empties = 0;
    cudaError_t emptyAnswer = cudaErrorLaunchTimeout;
    std::vector<std::string> violations;

    void expect(bool holds, const char *rule)
    {
        if (!holds)
            violations.emplace_back(rule);
    }
    cudaGraphicsResource_t handle() { return reinterpret_cast<cudaGraphicsResource_t>(nextHandle += 16); }
};

State *g_state = nullptr; // The functions of the tables have no other access to it.

void *const kStream = &g_state;

// --- images

cudaError_t registerImage(cudaGraphicsResource_t *resource, EGLImageKHR image, unsigned flags)
{
    g_state->expect(flags == cudaGraphicsRegisterFlagsNone, "an image is registered with flags 0");
    g_state->expect(image != nullptr && g_state->lives(image), "an image is mapped before it is registered");
    g_state->expect(std::none_of(g_state->registered.begin(), g_state->registered.end(),
                                 [&](const auto &entry) { return entry.second == image; }),
                    "an image is registered once");
    *resource = g_state->handle();
    g_state->registered[*resource] = image;
    ++g_state->registrations;
    return cudaSuccess;
}

cudaError_t unregister(cudaGraphicsResource_t resource)
{
    const auto found = g_state->registered.find(resource);
    g_state->expect(found != g_state->registered.end(), "only what is registered is unregistered");
    if (found == g_state->registered.end())
        return cudaErrorInvalidResourceHandle;
    g_state->expect(g_state->lives(found->second), "an image is unregistered before it is unmapped");
    g_state->registered.erase(found);
    return cudaSuccess;
}

cudaError_t mappedFrame(cudaEglFrame *frame, cudaGraphicsResource_t resource, unsigned index, unsigned level)
{
    g_state->expect(index == 0 && level == 0, "a frame has one layer and one level");
    g_state->expect(resource != nullptr && (resource == g_state->acquired || g_state->registered.count(resource) == 1),
                    "a frame is looked at while it is acquired or registered");
    if (g_state->refusesFrames)
        return cudaErrorUnknown;
    *frame = g_state->frame;
    // Frames of a stream are identified by their memory.
    if (resource == g_state->acquired && !g_state->consumed.empty())
        frame->frame.pPitch[0].ptr = const_cast<Image *>(g_state->consumed.back());
    return cudaSuccess;
}

// --- the stream and its consumer

EGLStreamKHR EGLAPIENTRY createStream(EGLDisplay, const EGLint *)
{
    g_state->expect(!g_state->streamLives, "one stream at a time");
    g_state->streamLives = true;
    return kStream;
}

EGLBoolean EGLAPIENTRY destroyStream(EGLDisplay, EGLStreamKHR)
{
    g_state->expect(g_state->streamLives, "a stream is destroyed once");
    g_state->expect(!g_state->consumerConnected && !g_state->producerConnected,
                    "both ends disconnect before the stream goes");
    g_state->streamLives = false;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY queryCounter(EGLDisplay, EGLStreamKHR, EGLenum attribute, EGLuint64KHR *value)
{
    g_state->expect(attribute == EGL_CONSUMER_FRAME_KHR, "it is the consumer's frame that is asked for");
    *value = g_state->shown;
    return EGL_TRUE;
}

cudaError_t connectConsumer(cudaEglStreamConnection *connection, EGLStreamKHR stream)
{
    g_state->expect(stream == kStream && g_state->streamLives, "the consumer connects to a stream that lives");
    g_state->expect(!g_state->producerConnected, "the consumer connects before the producer");
    if (g_state->refusesConsumer)
        return cudaErrorNotSupported;
    g_state->consumerConnected = true;
    *connection = reinterpret_cast<cudaEglStreamConnection>(kStream);
    return cudaSuccess;
}

cudaError_t acquireFrame(cudaEglStreamConnection *, cudaGraphicsResource_t *resource, cudaStream_t *,
                         unsigned microseconds)
{
    g_state->expect(g_state->consumerConnected, "only a connected consumer acquires");
    g_state->expect(g_state->acquired == nullptr, "a frame is released before the next is acquired");
    g_state->expect(microseconds > 0 && microseconds <= kLongestWait, "an acquisition waits, but not for long");
    const bool nothing = g_state->waiting.empty() && g_state->consumed.empty();
    if (g_state->empties > 0 || nothing) {
        --g_state->empties;
        return g_state->emptyAnswer;
    }
    if (g_state->repeats > 0 && !g_state->consumed.empty()) {
        --g_state->repeats;
    } else if (!g_state->waiting.empty()) {
        g_state->consumed.push_back(g_state->waiting.front());
        g_state->waiting.pop_front();
        ++g_state->shown;
    }
    *resource = g_state->acquired = g_state->handle();
    return cudaSuccess;
}

cudaError_t releaseFrame(cudaEglStreamConnection *, cudaGraphicsResource_t resource, cudaStream_t *)
{
    g_state->expect(resource != nullptr && resource == g_state->acquired, "only what is acquired is released");
    g_state->acquired = nullptr;
    return cudaSuccess;
}

cudaError_t disconnectConsumer(cudaEglStreamConnection *)
{
    g_state->expect(g_state->consumerConnected, "a consumer disconnects once");
    g_state->expect(!g_state->producerConnected, "the producer disconnects before the consumer goes");
    g_state->expect(g_state->acquired == nullptr, "a frame is released before the consumer disconnects");
    g_state->consumerConnected = false;
    return cudaSuccess;
}

// --- its producer

class FakeFrame final : public Image {
public:
    FakeFrame() : Image(8, 8) { ++g_state->framesAlive; }
    ~FakeFrame() override
    {
        g_state->expect(!g_state->producerConnected, "the producer disconnects before its frames go");
        --g_state->framesAlive;
    }
};

bool streamHolds(const Image *frame)
{
    return std::count(g_state->waiting.begin(), g_state->waiting.end(), frame)
        + std::count(g_state->consumed.begin(), g_state->consumed.end(), frame)
        > 0;
}

class FakeProducer final : public FrameProducer {
public:
    FakeProducer()
    {
        g_state->expect(g_state->consumerConnected, "the consumer connects before the producer");
        g_state->producerConnected = true;
    }
    ~FakeProducer() override { g_state->producerConnected = false; }

    Result<std::unique_ptr<Image>> makeFrame() override { return std::unique_ptr<Image>(new FakeFrame); }
    Status present(Image &frame, Stream &) override
    {
        g_state->expect(!streamHolds(&frame), "a frame that the stream has is not presented again");
        g_state->waiting.push_back(&frame);
        return {};
    }
    Result<Image *> takeBack(Stream &) override
    {
        if (g_state->consumed.size() < 2)
            return static_cast<Image *>(nullptr);
        auto *frame = const_cast<Image *>(g_state->consumed.front());
        g_state->consumed.pop_front();
        return frame;
    }
};

constexpr EglFrameApi kTable{registerImage, unregister,   mappedFrame,       connectConsumer,
                             acquireFrame,  releaseFrame, disconnectConsumer};

} // namespace

FakeEglFrames::FakeEglFrames()
{
    g_state = new State;
}

FakeEglFrames::~FakeEglFrames()
{
    delete g_state;
    g_state = nullptr;
}

const EglFrameApi &FakeEglFrames::table() const
{
    return kTable;
}

const EglStreamApi &FakeEglFrames::streamTable() const
{
    static const EglStreamApi api{createStream, destroyStream, nullptr, nullptr, nullptr, nullptr, queryCounter};
    return api;
}

Result<std::unique_ptr<FrameProducer>> FakeEglFrames::connectProducer(void *stream)
{
    g_state->expect(stream == kStream, "the producer connects to the consumer's stream");
    return std::unique_ptr<FrameProducer>(std::make_unique<FakeProducer>());
}

std::vector<std::string> FakeEglFrames::violations() const
{
    std::vector<std::string> all = g_state->violations;
    if (g_state->streamLives)
        all.emplace_back("the stream still lives");
    if (g_state->consumerConnected)
        all.emplace_back("the consumer is still connected");
    if (g_state->framesAlive != 0)
        all.emplace_back("frames still live");
    if (!g_state->registered.empty())
        all.push_back(std::to_string(g_state->registered.size()) + " images are still registered");
    return all;
}

bool FakeEglFrames::isInStream(const Image &frame) const
{
    return streamHolds(&frame);
}

std::size_t FakeEglFrames::registrations() const
{
    return g_state->registrations;
}

void FakeEglFrames::setFrame(const cudaEglFrame &frame)
{
    g_state->frame = frame;
}

cudaEglFrame FakeEglFrames::frameOf(cudaEglColorFormat format, unsigned width, unsigned height)
{
    cudaEglFrame frame{};
    frame.frameType = cudaEglFrameTypePitch;
    frame.eglColorFormat = format;
    const bool rgba = format == cudaEglColorFormatABGR;
    frame.planeCount = rgba ? 1 : 2;
    for (unsigned i = 0; i < frame.planeCount; ++i) {
        frame.planeDesc[i].width = i == 0 ? width : (width + 1) / 2;
        frame.planeDesc[i].height = i == 0 ? height : (height + 1) / 2;
        frame.planeDesc[i].numChannels = rgba ? 4 : i + 1;
        frame.frame.pPitch[i].pitch = frame.planeDesc[i].pitch = (rgba ? 4 : 1) * width + width % 2;
        frame.frame.pPitch[i].ptr = reinterpret_cast<void *>(std::uintptr_t{0x10000} * (i + 1));
    }
    return frame;
}

void FakeEglFrames::setImages(std::function<bool(void *)> lives)
{
    g_state->lives = std::move(lives);
}

void FakeEglFrames::repeatNext(int times)
{
    g_state->repeats = times;
}

void FakeEglFrames::emptyNext(int times, cudaError_t answer)
{
    g_state->empties = times;
    g_state->emptyAnswer = answer;
}

void FakeEglFrames::refuseConsumer()
{
    g_state->refusesConsumer = true;
}

void FakeEglFrames::refuseFrames()
{
    g_state->refusesFrames = true;
}

} // namespace jetscope::testing

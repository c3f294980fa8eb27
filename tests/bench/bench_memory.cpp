// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What each memory kind costs a frame, by shuffled turns: the CPU writes a frame, kernels read it and write a picture
// and a small grey result, the CPU reads that. Beside them stands "fresh": pinned memory, and device memory that is
// allocated and freed with each frame, which a pool is there to replace.
//     bench_memory [DEVICE] [ROUNDS]
#include "core/figures/averages.h"
#include "core/recording/tracer.h"
#include "core/settings/memorykinds.h"
#include "core/time/clock.h"
#include "gpu/device/backends.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/transferbuffer.h"
#include "tests/bench/gpubench.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

namespace jetscope {

namespace {

constexpr int kWarmUp = 10;
constexpr int kFrames = 60; ///< Of a turn.
constexpr std::size_t kInFlight = 3;
constexpr double kNsPerUs = 1000;

/// Device memory of cudaMalloc for each frame.
class FreshTransfer final : public TransferBuffer {
public:
    FreshTransfer(const ImageLayout &layout, Device &device)
        : TransferBuffer(device), m_layout(layout), m_host(need(device.allocate(Allocation::Pinned, layout.bytes)))
    {
    }
    BufferRange memory() const override { return wholeOf(*m_host); }
    Status acquire(std::uint32_t, Stream &stream, ChainLaunch &launch) override
    {
        m_fresh.reset(); // The frame that used it is done.
        JETSCOPE_TRY_ASSIGN(m_fresh, m_device.allocate(Allocation::Device, m_layout.bytes));
        pointLaunch(launch, Direction::Input, *m_fresh, m_layout);
        return m_device.copyAsync(wholeOf(*m_fresh), wholeOf(*m_host), CopyKind::HostToDevice, stream);
    }
    std::uint64_t bytesCopied() const override { return m_layout.bytes; }

private:
    const ImageLayout m_layout;
    const std::unique_ptr<Buffer> m_host;
    std::unique_ptr<Buffer> m_fresh;
};

struct Slot {
    std::unique_ptr<TransferBuffer> input;
    std::unique_ptr<TransferBuffer> result;
    std::unique_ptr<Buffer> output;
    std::unique_ptr<Event> done;
};

/// Frames of one size through one memory kind; its buffers exist during a turn only, as in a pipeline.
class Frames {
public:
    Frames(const TransferContext &context, int width, int height)
        : m_context(context),
          m_layout(makeImageLayout(PixelFormat::Nv12, width, height)),
          m_half(makeImageLayout(PixelFormat::Grey8, (width + 1) / 2, (height + 1) / 2)),
          m_frame(m_layout.bytes, std::byte{0x40}),
          m_seen(m_half.bytes)
    {
    }

    /// Microseconds a frame; `kind` is none for fresh memory.
    double turn(std::optional<MemoryKind> kind)
    {
        std::array<Slot, kInFlight> slots;
        for (Slot &slot : slots)
            slot = make(kind);
        std::int64_t start = 0;
        for (std::uint32_t frame = 0; frame < kWarmUp + kFrames; ++frame) {
            start = frame == kWarmUp ? nowNs() : start;
            run(slots[frame % kInFlight], frame);
        }
        need(m_context.device.synchronize());
        need(m_context.timer.finish());
        return static_cast<double>(nowNs() - start) / kNsPerUs / kFrames;
    }

private:
    Slot make(std::optional<MemoryKind> kind)
    {
        using Direction = TransferBuffer::Direction;
        Device &device = m_context.device;
        Slot slot;
        if (kind)
            slot.input = need(createTransferBuffer(*kind, Direction::Input, m_layout, m_context));
        else
            slot.input = std::make_unique<FreshTransfer>(m_layout, device);
        slot.result =
            need(createTransferBuffer(kind.value_or(MemoryKind::Pinned), Direction::Result, m_half, m_context));
        slot.output = need(device.allocate(Allocation::Device,
                                           std::size_t{4} * static_cast<std::size_t>(m_layout.width)
                                               * static_cast<std::size_t>(m_layout.height)));
        slot.done = need(device.createEvent(Device::Timing::Off));
        return slot;
    }

    void run(Slot &slot, std::uint32_t frame)
    {
        Device &device = m_context.device;
        Stream &stream = m_context.setupStream;
        need(device.synchronize(*slot.done));
        if (frame >= kInFlight) {
            need(slot.result->fetch(frame));
            std::memcpy(m_seen.data(), slot.result->read().data(), m_seen.size());
        }
        std::memcpy(slot.input->write().data(), m_frame.data(), m_frame.size());
        ChainLaunch launch;
        launch.filters = {Filter::Gaussian5, Filter::Sobel};
        launch.output = wholeOf(*slot.output);
        launch.outputPitch = std::size_t{4} * static_cast<std::size_t>(m_layout.width);
        need(slot.input->acquire(frame, stream, launch));
        need(slot.result->acquire(frame, stream, launch));
        need(device.launch(launch, stream));
        need(slot.input->release(frame, stream));
        need(slot.result->release(frame, stream));
        need(device.record(*slot.done, stream));
    }

    const TransferContext m_context;
    const ImageLayout m_layout;
    const ImageLayout m_half;
    const std::vector<std::byte> m_frame;
    std::vector<std::byte> m_seen;
};

void compareKinds(const TransferContext &context, int width, int height, int rounds)
{
    Frames frames(context, width, height);
    std::vector<std::pair<std::string, std::optional<MemoryKind>>> kinds{{"fresh", std::nullopt}};
    for (const auto &kind : choices<MemoryKind>()) {
        const Availability found = availability(kind.value, {}, context.device.facts());
        if (kind.value == MemoryKind::GlTexture || kind.value == MemoryKind::NvBuf) // Of GL and of cameras.
            continue;
        if (found.legal())
            kinds.emplace_back(kind.name, kind.value);
        else
            std::printf("  %-16s %s\n", std::string(kind.name).c_str(), found.reason.c_str());
    }
    std::map<std::string, std::vector<double>> us;
    std::map<std::string, std::vector<double>> toPinned;
    std::mt19937 random(1);
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(kinds.begin(), kinds.end(), random);
        std::map<std::string, double> ofRound;
        for (const auto &[name, kind] : kinds)
            ofRound[name] = frames.turn(kind);
        for (const auto &[name, time] : ofRound) {
            us[name].push_back(time);
            toPinned[name].push_back(time / ofRound["pinned"]);
        }
    }
    std::printf("%dx%d NV12, %d turns of %d frames:\n", width, height, rounds, kFrames);
    for (auto &[name, times] : us) {
        std::vector<double> &ratios = toPinned[name];
        std::sort(ratios.begin(), ratios.end());
        std::printf("  %-16s %9.1f us a frame, %.3f of pinned (%.3f to %.3f)\n", name.c_str(), medianOf(times),
                    medianOf(ratios), ratios[ratios.size() / 10], ratios[ratios.size() - 1 - ratios.size() / 10]);
    }
}

/// A driver may reserve pages of 32 MiB, and a pool above its threshold gives back all that nobody uses.
constexpr std::uint64_t kPoolPages = std::uint64_t{64} << 20U;

/// The calls alone: an allocation and its end, with a wait behind each, as a pipeline that synchronizes has.
void comparePool(const TransferContext &context, int width, int height)
{
    Device &device = context.device;
    if (!device.facts().memoryPools.available) {
        std::printf("pool: %s\n", device.facts().memoryPools.reason.c_str());
        return;
    }
    const std::size_t bytes = makeImageLayout(PixelFormat::Nv12, width, height).bytes;
    const auto medianUs = [&](const auto &cycle) {
        std::vector<double> times;
        for (int i = 0; i < 200; ++i) {
            const std::int64_t begin = nowNs();
            cycle();
            times.push_back(static_cast<double>(nowNs() - begin) / kNsPerUs);
            need(device.synchronize(context.setupStream));
        }
        return medianOf(std::move(times));
    };
    const auto pooled = [&] {
        const std::unique_ptr<Buffer> memory = need(device.allocateInStream(bytes, context.setupStream));
        need(device.freeInStream(*memory, context.setupStream));
    };
    const double fresh = medianUs([&] { need(device.allocate(Allocation::Device, bytes)); });
    need(device.keepInPool(0));
    const double empty = medianUs(pooled);
    need(device.keepInPool(4 * bytes + kPoolPages));
    const double kept = medianUs(pooled);
    const PoolUse use = need(device.poolUse());
    std::printf("%zu bytes, allocated and freed, with a wait behind each: cudaMalloc %.1f us; pool without a threshold "
                "%.1f us; pool with a threshold of %llu bytes %.1f us, %llu bytes reserved\n",
                bytes, fresh, empty, static_cast<unsigned long long>(use.releaseThreshold), kept,
                static_cast<unsigned long long>(use.reservedBytes));
}

int bench(int argc, char **argv)
{
    const std::string deviceId = argc > 1 ? argv[1] : "cuda:0";
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 15;
    const std::shared_ptr<EglDisplay> display = need(openHeadlessDisplay(deviceId));
    const std::unique_ptr<Device> device = need(openDevice(deviceId, display));
    Tracer tracer(Tracer::Recording::Off);
    const std::unique_ptr<GlQueue> queue = need(GlQueue::create(display, GlQueue::Execution::Inline, nullptr, tracer));
    const std::unique_ptr<Stream> stream = need(device->createStream());
    GpuTimer timer(*device, tracer);
    timer.addStream(*stream, 0);
    std::printf("%s\n", device->facts().name.c_str());
    {
        const TransferContext context{*device, *queue, nullptr, timer, *stream};
        for (const auto &[width, height] : {std::pair(1280, 720), std::pair(1920, 1080)}) {
            comparePool(context, width, height);
            compareKinds(context, width, height, rounds);
        }
    }
    timer.removeStream(*stream);
    return 0;
}

} // namespace

} // namespace jetscope

int main(int argc, char **argv)
{
    return jetscope::bench(argc, argv);
}

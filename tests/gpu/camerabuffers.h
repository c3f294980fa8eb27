// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/forwardingdevice.h"
#include "gpu/stages/stageset.h"
#include "tests/gpu/jetsonbuffer.h"
#include "tests/support/pipelinefixture.h"

#include <cstring>
#include <map>
#include <mutex>

// A camera of a made-up Jetson and the device that reads its buffers, for pipelines with stages that wrap the buffers.
namespace jetscope::testing {

/// What camera and device see; outlives both. Any thread.
struct CameraRecord {
    std::atomic<int> buffers{0};      ///< That the camera ever had.
    std::atomic<int> mostWrappers{0}; ///< Of one buffer.
    std::atomic<int> wrapped{0};      ///< Buffers with a wrapper when they went.
    std::atomic<int> readWhileFilled{0};
    std::atomic<int> wrappedTooLong{0}; ///< Buffers that went before their wrapper.
    std::atomic<int> inPlace{0};        ///< Frames that stages read in the buffer.
    std::atomic<int> inMemory{0};       ///< And as a picture in memory.
};

/// One buffer, which checks that nothing is left of it when it goes.
class CameraBuffer final : public ExternalBuffer {
public:
    CameraBuffer(CameraRecord &record, FakeEglImage::Format format) : jetson(format), m_record(record)
    {
        ++m_record.buffers;
    }
    ~CameraBuffer() override
    {
        m_record.wrappedTooLong += jetson.fake.registrations;
        m_record.wrapped += jetson.fake.wrappers > 0 ? 1 : 0;
        m_record.mostWrappers = std::max(m_record.mostWrappers.load(), jetson.fake.wrappers);
    }
    Result<void *> eglImage(void *) override { return static_cast<void *>(&jetson.fake); }
    Result<int> nvBufDescriptor() const override { return jetson.descriptor(); }

    JetsonBuffer jetson;

private:
    CameraRecord &m_record;
};

/// Frames in NV12 in its own buffers, or the same as RGBA in the reader's memory. Takes new buffers in the middle.
class BufferCamera final : public FrameSource {
public:
    static constexpr std::size_t kBuffers = 9;

    BufferCamera(CameraRecord &record, std::uint64_t frames, std::uint64_t renewedAt)
        : m_record(record), m_frames(frames), m_renewedAt(renewedAt)
    {
        m_info.uri = "camera:";
        m_info.description = "made-up camera";
        m_info.layout = makeImageLayout(PixelFormat::Nv12, kWidth, kHeight);
    }
    const SourceInfo &info() const override { return m_info; }
    void cancel() override { m_cancelled = true; }
    Result<ExternalBufferView> externalBuffers() const override { return ExternalBufferView::Picture; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_cancelled || m_next >= m_frames)
            return std::optional<CapturedFrame>();
        std::memset(into, static_cast<int>(m_next), m_info.layout.bytes);
        return std::optional(CapturedFrame{m_next++, nowNs()});
    }

    Result<std::optional<ExternalFrame>> readExternal() override
    {
        if (m_cancelled || m_next >= m_frames)
            return std::optional<ExternalFrame>();
        if (m_next == m_renewedAt || m_buffers.empty()) {
            m_buffers.clear();
            for (std::size_t i = 0; i < kBuffers; ++i)
                m_buffers.emplace_back(std::make_shared<CameraBuffer>(m_record, FakeEglImage::Format::Nv12),
                                       std::weak_ptr<void>());
        }
        const auto free =
            std::find_if(m_buffers.begin(), m_buffers.end(), [](const auto &entry) { return entry.second.expired(); });
        if (free == m_buffers.end())
            return Error{"test", 0, "the pipeline holds all buffers"};
        CameraBuffer &buffer = *free->first;
        m_record.readWhileFilled += buffer.jetson.fake.readers;
        buffer.jetson.fill(seedOf(m_next));
        ExternalFrame frame;
        frame.captured = {m_next++, nowNs()};
        frame.buffer = free->first;
        frame.hold = std::make_shared<int>();
        free->second = frame.hold;
        std::rotate(m_buffers.begin(), free + 1, m_buffers.end());
        return std::optional(std::move(frame));
    }

    static std::uint32_t seedOf(std::uint64_t frame) { return static_cast<std::uint32_t>(frame * 2654435761U + 17); }

private:
    CameraRecord &m_record;
    const std::uint64_t m_frames;
    const std::uint64_t m_renewedAt;
    SourceInfo m_info;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
    std::vector<std::pair<std::shared_ptr<CameraBuffer>, std::weak_ptr<void>>> m_buffers;
};

/// A device that reads such buffers and runs chains of one stage as a CUDA device does: the stage has the first choice
/// of the frame's buffer. What it makes is shown by the software iGPU.
class BufferDevice final : public ForwardingDevice {
public:
    /// `cudaMemory` says of memory that it is the CUDA device's.
    BufferDevice(std::unique_ptr<Device> device, CameraRecord &record,
                 std::function<void(const void *, std::size_t)> cudaMemory)
        : ForwardingDevice(std::move(device)), m_record(record), m_cudaMemory(std::move(cudaMemory)), m_stages(*this)
    {
        m_facts.nvBuf = Capability::yes();
    }

    StageHost &stages() override { return m_stages; }
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override
    {
        return std::unique_ptr<Image>(
            std::make_unique<CameraImage>(static_cast<FakeEglImage *>(eglImage), layout.width, layout.height));
    }

    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (!work.inputImage)
            return ForwardingDevice::launch(shown(work, work.input, work.inputLayout), stream);
        JETSCOPE_TRY_ASSIGN(const std::vector<StageInstance *> stages, m_stages.of(work.filters, kWidth, kHeight));
        JETSCOPE_TRY(ForwardingDevice::synchronize(stream)); // It shows the frame before from the same memory.
        Scratch &scratch = m_scratch[&stream];
        if (!scratch.made) {
            JETSCOPE_TRY_ASSIGN(scratch.made, allocate(Allocation::PinnedMapped, kWidth * kHeight * 4));
            JETSCOPE_TRY_ASSIGN(scratch.picture, allocate(Allocation::PinnedMapped, kWidth * kHeight * 4));
            m_cudaMemory(scratch.made->host(), scratch.made->bytes());
            m_cudaMemory(scratch.picture->host(), scratch.picture->bytes());
        }
        StageInstance &stage = *stages.at(0);
        StageFrame frame;
        frame.number = work.frame;
        frame.output = imageIn(*scratch.made, stage.makes());
        frame.stream = streamNumber(m_scratch.size());
        JETSCOPE_TRY_ASSIGN(const bool isDone, stage.runOn(*work.sourceBuffer, frame));
        ++(isDone ? m_record.inPlace : m_record.inMemory);
        if (!isDone) {
            convert(*static_cast<const CameraImage &>(*work.inputImage).fake, scratch.picture->host());
            frame.input = imageIn(*scratch.picture, PixelFormat::Rgba8);
            JETSCOPE_TRY(stage.run(frame));
        }
        ImageLayout layout = makeImageLayout(stage.makes(), kWidth, kHeight);
        layout.planes[0].pitch = frame.output.pitch;
        layout.bytes = frame.output.pitch * kHeight;
        return ForwardingDevice::launch(shown(work, {scratch.made.get(), 0, layout.bytes}, layout), stream);
    }

private:
    struct CameraImage final : Image {
        CameraImage(FakeEglImage *its, int width, int height) : Image(width, height), fake(its) {}
        FakeEglImage *fake;
    };
    struct Scratch {
        std::unique_ptr<Buffer> made;
        std::unique_ptr<Buffer> picture;
    };

    static StageImage imageIn(const Buffer &buffer, PixelFormat format)
    {
        return {format, kWidth, kHeight, buffer.host(), std::size_t{kWidth} * (format == PixelFormat::Grey8 ? 1 : 4)};
    }
    /// Grey of the luma as it is: another picture than the one that VPI makes of the buffer.
    static void convert(const FakeEglImage &from, std::byte *rgba)
    {
        for (unsigned y = 0; y < from.height; ++y)
            for (unsigned x = 0; x < from.width; ++x)
                std::memset(rgba + (std::size_t{y} * from.width + x) * 4, from.pixels[y * from.pitch + x], 4);
    }
    static ChainLaunch shown(const ChainLaunch &work, const BufferRange &input, const ImageLayout &layout)
    {
        ChainLaunch launch = work;
        launch.inputImage = nullptr;
        launch.sourceBuffer = nullptr;
        launch.input = input;
        launch.inputLayout = layout;
        launch.filters = {Filter::Identity};
        return launch;
    }

    class Stages final : public StageSet {
    public:
        explicit Stages(Device &device) : StageSet(deviceOf(true)), m_launches(device) {}

    private:
        Status waitForWork(std::span<const Filter>) override { return m_launches.synchronize(); }
        Device &m_launches;
    };

    CameraRecord &m_record;
    const std::function<void(const void *, std::size_t)> m_cudaMemory;
    Stages m_stages;
    std::map<const Stream *, Scratch> m_scratch;
};

} // namespace jetscope::testing

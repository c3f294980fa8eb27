// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Frames from who writes them to who reads them, warm: again and again in the same memory, as a pipeline has them, and
// nothing displaced from the caches.
#include "core/measure/probe/probepairs.h"
#include "core/settings/memorykinds.h"
#include "gpu/measure/probesteps.h"

#include <cmath>

namespace jetscope {

namespace {

constexpr int kPairCycles = 5; ///< Their median is not that of the first one, which finds cold caches.

/// A frame of one kind, a copy of it in the device's own memory, and what kernels write.
class PairTrial {
public:
    static Result<std::unique_ptr<PairTrial>> create(ProbeBench &bench, MemoryKind kind, std::size_t bytes)
    {
        std::unique_ptr<PairTrial> trial(new PairTrial(bench, kind));
        JETSCOPE_TRY_ASSIGN(trial->m_memory, MeasuredMemory::create(bench, nameOf(kind), bytes));
        JETSCOPE_TRY_ASSIGN(trial->m_device, bench.device().allocate(Allocation::Device, bytes));
        JETSCOPE_TRY_ASSIGN(trial->m_picture, bench.device().allocate(Allocation::Device, bytes));
        return trial;
    }

    /// From the first byte written to the last one read.
    Result<double> cycleNs(FramePair pair)
    {
        return medianNanoseconds(kPairCycles, [&]() -> Status {
            JETSCOPE_TRY(write(pair.writer, pair.reader));
            return pair.reader == FrameReader::Gpu ? readByDevice(pair.writer) : readByCpu();
        });
    }

private:
    PairTrial(ProbeBench &bench, MemoryKind kind)
        : m_bench(bench), m_isCopied(memoryKind(kind).copy == FrameCopy::Always), m_isPool(kind == MemoryKind::Pool)
    {
    }

    Status write(FrameWriter writer, FrameReader reader)
    {
        switch (writer) {
        case FrameWriter::Cpu:
            JETSCOPE_TRY(m_memory->giveToCpu());
            m_memory->write();
            return {};
        case FrameWriter::Dma:
            // A camera writes memory that nobody else has; the copy engine takes its place.
            JETSCOPE_TRY(copy(CopyKind::DeviceToHost));
            return m_bench.synchronize();
        case FrameWriter::Gpu:
            break;
        }
        JETSCOPE_TRY(m_memory->giveToDevice());
        JETSCOPE_TRY(launch(m_isCopied ? wholeOf(*m_device) : wholeOf(m_memory->buffer())));
        return m_isCopied && reader == FrameReader::Cpu ? copy(CopyKind::DeviceToHost) : Status();
    }

    /// A kernel that writes the memory as an RGBA8 picture.
    Status launch(const BufferRange &to)
    {
        const int width = 256;
        const int height = static_cast<int>(to.bytes / (std::size_t{4} * width));
        ChainLaunch work;
        work.inputLayout = makeImageLayout(PixelFormat::Rgba8, width, height);
        work.input = {m_picture.get(), 0, work.inputLayout.bytes};
        work.output = to;
        work.outputPitch = std::size_t{4} * width;
        return m_bench.device().launch(work, m_bench.stream());
    }

    Status readByDevice(FrameWriter writer)
    {
        if (writer == FrameWriter::Cpu || !m_isCopied)
            JETSCOPE_TRY(m_memory->giveToDevice());
        if (!m_isCopied) {
            JETSCOPE_TRY(m_memory->readOnDevice(1));
            return m_bench.synchronize();
        }
        if (m_isPool)
            return readThroughPool();
        JETSCOPE_TRY(copy(CopyKind::HostToDevice));
        JETSCOPE_TRY(m_bench.device().readMemory(wholeOf(*m_device), 1, m_bench.stream()));
        return m_bench.synchronize();
    }

    /// With an allocation for this frame, as the pipeline does it.
    Status readThroughPool()
    {
        Device &device = m_bench.device();
        JETSCOPE_TRY(device.keepInPool(4 * kProbePairBytes.back()));
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> pooled,
                            device.allocateInStream(m_memory->bytes(), m_bench.stream()));
        JETSCOPE_TRY(
            device.copyAsync(wholeOf(*pooled), wholeOf(m_memory->buffer()), CopyKind::HostToDevice, m_bench.stream()));
        JETSCOPE_TRY(device.readMemory(wholeOf(*pooled), 1, m_bench.stream()));
        JETSCOPE_TRY(device.freeInStream(*pooled, m_bench.stream()));
        return m_bench.synchronize();
    }

    Status readByCpu()
    {
        JETSCOPE_TRY(m_memory->giveToCpu());
        m_memory->read(1);
        return {};
    }

    Status copy(CopyKind kind)
    {
        const BufferRange here = wholeOf(m_memory->buffer());
        const BufferRange there = wholeOf(*m_device);
        return kind == CopyKind::HostToDevice ? m_bench.device().copyAsync(there, here, kind, m_bench.stream())
                                              : m_bench.device().copyAsync(here, there, kind, m_bench.stream());
    }

    ProbeBench &m_bench;
    const bool m_isCopied;
    const bool m_isPool;
    std::unique_ptr<MeasuredMemory> m_memory;
    std::unique_ptr<Buffer> m_device;
    std::unique_ptr<Buffer> m_picture;
};

Status measurePairs(ProbeBench &bench, MemoryKind kind, RoundFigures &to)
{
    for (const std::size_t bytes : kProbePairBytes) {
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<PairTrial> trial, PairTrial::create(bench, kind, bytes));
        for (const FramePair pair : framePairs()) {
            JETSCOPE_TRY_ASSIGN(const double ns, trial->cycleNs(pair));
            if (ns > 0)
                to.emplace_back(pairKey(nameOf(kind), pair, bytes), static_cast<double>(bytes) / ns);
        }
    }
    return {};
}

} // namespace

std::vector<RoundStep> pairSteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    for (const auto &kind : choices<MemoryKind>()) {
        const Result<std::unique_ptr<MeasuredMemory>> made =
            MeasuredMemory::create(bench, kind.name, kProbePairBytes.front());
        if (!made.ok())
            steps.push_back(unavailableStep(pairKeys(kind.name), made.error()));
        else
            steps.push_back({pairKeys(kind.name),
                             [&bench, kind = kind.value](RoundFigures &to) { return measurePairs(bench, kind, to); }});
    }
    return steps;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/chainlaunch.h"

#include "core/settings/filters.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/kernels/chainplan.h"
#include "gpu/cuda/kernels/greykernel.h"
#include "gpu/filters/yuvweights.h"

#include <algorithm>
#include <vector>

namespace jetscope {

namespace {

std::uint8_t *bytes(const std::byte *memory)
{
    // Kernels take one kind of memory for reading and writing; inputs are only read.
    return reinterpret_cast<std::uint8_t *>(const_cast<std::byte *>(memory));
}

PixelMemory linear(std::uint8_t *base, std::size_t pitch)
{
    PixelMemory memory;
    memory.base = base;
    memory.pitch = pitch;
    return memory;
}

/// A further plane of an input: further down in the same memory or texture.
PixelMemory planeOf(PixelMemory memory, const PlaneLayout &plane, std::size_t firstPitch)
{
    if (memory.surface != 0) {
        if (plane.pitch == firstPitch) {
            memory.firstLine = static_cast<int>(plane.offset / firstPitch);
        } else {
            memory.pitch = plane.pitch;
            memory.surfacePitch = static_cast<int>(firstPitch);
            memory.firstByte = static_cast<int>(plane.offset);
        }
        return memory;
    }
    memory.base += plane.offset;
    memory.pitch = plane.pitch;
    return memory;
}

Result<PixelMemory> imageMemory(const Image &image)
{
    const PixelMemory &memory = static_cast<const CudaImage &>(image).memory();
    if (memory.empty())
        return Error{"cudaLaunchKernel", cudaErrorInvalidResourceHandle,
                     "the GL texture is not mapped; map it before the launch"};
    return memory;
}

Result<PassInput> inputOf(const ChainLaunch &work)
{
    const ImageLayout &layout = work.inputLayout;
    PassInput input;
    input.format = layout.format;
    input.width = layout.width;
    input.height = layout.height;
    if (work.inputImage) {
        JETSCOPE_TRY_ASSIGN(PixelMemory memory, imageMemory(*work.inputImage));
        input.pixels = memory;
    } else {
        input.pixels = linear(bytes(work.input.device()), layout.planes[0].pitch);
    }
    input.yuv = passYuv(arithmetic::yuvWeights(layout.colour));
    // Planes of an image that somebody else made lie where it has them; ours follow the first one.
    const auto *image = static_cast<const CudaImage *>(work.inputImage);
    const auto planeAt = [&](std::size_t index) {
        return image && image->isPlanar() ? image->memory(index)
                                          : planeOf(input.pixels, layout.planes[index], layout.planes[0].pitch);
    };
    if (layout.planeCount > 1)
        input.chroma = planeAt(1);
    if (layout.planeCount > 2)
        input.chromaV = planeAt(2);
    if (!work.inputImage)
        input.pixels.base += layout.planes[0].offset;
    return input;
}

bool isAligned(const PassInput &input)
{
    return (reinterpret_cast<std::uintptr_t>(input.pixels.base) | input.pixels.pitch) % sizeof(std::uint32_t) == 0;
}

/// Whether all passes can read the input as it lies.
bool isWords(const PassInput &input)
{
    return input.format == PixelFormat::Rgba8 && isAligned(input);
}

Result<PixelMemory> outputOf(const ChainLaunch &work)
{
    if (work.outputImage)
        return imageMemory(*work.outputImage);
    return linear(bytes(work.output.device()), work.outputPitch);
}

/// As the kernel of a pass is called on the timeline.
NameId kernelName(PassKind pass, bool isHalfGreyOnly)
{
    static const std::vector<NameId> kNames = [] {
        std::vector<NameId> names;
        for (const PassRow &row : passRows())
            names.push_back(internName(nameOf(row.kind), Category::Kernel));
        return names;
    }();
    static const NameId kHalfGrey = internName("half-size grey", Category::Kernel);
    return isHalfGreyOnly ? kHalfGrey : kNames[static_cast<std::size_t>(pass)];
}

/// The passes of one chain, walked from input to output.
class ChainWalk {
public:
    ChainWalk(const ChainLaunch &work, CudaStream &stream, PassInput input, PixelMemory output)
        : m_work(work), m_stream(stream), m_input(input), m_output(output)
    {
    }

    /// The end of the chain.
    Status run(std::span<const Filter> filters)
    {
        if (m_isFinished)
            return {};
        JETSCOPE_TRY_ASSIGN(const std::vector<PassKind> passes, planChain(filters, isWords(m_input)));
        for (std::size_t i = 0; i + 1 < passes.size(); ++i)
            JETSCOPE_TRY(step(passes[i]));
        return finish(passes.back());
    }

    /// The filters before a stage, and the stage. It reads the frame itself where that is possible, and the last
    /// filter of a chain writes the output itself; then there is nothing left to run.
    Status run(std::span<const Filter> before, StageInstance &stage, bool isLast)
    {
        const bool isUntouched =
            std::all_of(before.begin(), before.end(), [](Filter filter) { return filter == Filter::Identity; });
        if (isUntouched && m_isFrame && m_work.sourceBuffer) {
            JETSCOPE_TRY_ASSIGN(const bool isDone, runOnBuffer(stage, isLast));
            if (isDone)
                return {};
        }
        if (!isUntouched || m_input.format != stage.reads() || !isAddressable(m_input)) {
            JETSCOPE_TRY_ASSIGN(const std::vector<PassKind> passes, planChain(before, isWords(m_input)));
            for (const PassKind pass : passes)
                JETSCOPE_TRY(step(pass));
            if (stage.reads() == PixelFormat::Grey8)
                JETSCOPE_TRY(stepToGrey());
        }
        m_isFinished = writesOutput(stage, isLast);
        JETSCOPE_TRY_ASSIGN(const PixelMemory made,
                            m_isFinished ? Result<PixelMemory>(m_output) : nextScratch(stage.makes()));
        StageFrame frame = frameInto(made, stage.makes());
        frame.input = stageImage(m_input.pixels, stage.reads());
        frame.kernels = m_work.kernels;
        JETSCOPE_TRY(stage.run(frame));
        goOnWith(made, stage.makes());
        return {};
    }

private:
    /// The stage reads the source's own buffer; false if it cannot.
    Result<bool> runOnBuffer(StageInstance &stage, bool isLast)
    {
        const bool isOutput = writesOutput(stage, isLast);
        JETSCOPE_TRY_ASSIGN(const PixelMemory made,
                            isOutput ? Result<PixelMemory>(m_output) : nextScratch(stage.makes()));
        JETSCOPE_TRY_ASSIGN(const bool isDone, stage.runOn(*m_work.sourceBuffer, frameInto(made, stage.makes())));
        if (!isDone)
            return false;
        m_isFinished = isOutput;
        if (m_isFinished && m_work.kernels) // Nothing else tells the timer that the launch contains work.
            m_work.kernels->unknownKernels(stage.name());
        goOnWith(made, stage.makes());
        return true;
    }

    bool writesOutput(const StageInstance &stage, bool isLast) const
    {
        return isLast && stage.makes() == PixelFormat::Rgba8 && m_output.surface == 0 && !m_work.result;
    }

    StageFrame frameInto(const PixelMemory &made, PixelFormat format) const
    {
        StageFrame frame;
        frame.number = m_work.frame;
        frame.output = stageImage(made, format);
        frame.stream = m_stream.native();
        return frame;
    }

    static bool isAddressable(const PassInput &input) { return input.pixels.surface == 0 && isAligned(input); }

    StageImage stageImage(const PixelMemory &memory, PixelFormat format) const
    {
        return {format, m_input.width, m_input.height, reinterpret_cast<std::byte *>(memory.base), memory.pitch};
    }

    /// Scratch memory that is not the one last written.
    Result<PixelMemory> nextScratch(PixelFormat format)
    {
        const ImageLayout layout = makeImageLayout(format, m_input.width, m_input.height);
        m_area ^= 1;
        JETSCOPE_TRY_ASSIGN(std::byte *const scratch, m_stream.scratch(m_area, layout.bytes));
        return linear(bytes(scratch), layout.planes[0].pitch);
    }

    Status step(PassKind pass)
    {
        PassOutput output;
        JETSCOPE_TRY_ASSIGN(output.rgba, nextScratch(PixelFormat::Rgba8));
        JETSCOPE_TRY(launch(pass, output));
        goOnWith(output.rgba, PixelFormat::Rgba8);
        return {};
    }

    Status stepToGrey()
    {
        static const NameId kGrey = internName("grey", Category::Kernel);
        JETSCOPE_TRY_ASSIGN(const PixelMemory grey, nextScratch(PixelFormat::Grey8));
        if (m_work.kernels)
            static_cast<void>(m_work.kernels->kernel(kGrey)); // It does not write its times.
        JETSCOPE_TRY(
            cudaStatus("cudaLaunchKernel",
                       cuda::makeGrey(m_input.pixels, grey, m_input.width, m_input.height, m_stream.native())));
        goOnWith(grey, PixelFormat::Grey8);
        return {};
    }

    Status finish(PassKind pass)
    {
        PassOutput output;
        output.rgba = m_output;
        if (!m_work.result || passRow(pass).makesHalfGrey) {
            output.halfGrey = bytes(m_work.result.device());
            output.halfGreyPitch = m_work.resultPitch;
            return launch(pass, output);
        }
        JETSCOPE_TRY(launch(pass, output));
        goOnWith(m_output, PixelFormat::Rgba8);
        PassOutput half;
        half.halfGrey = bytes(m_work.result.device());
        half.halfGreyPitch = m_work.resultPitch;
        return launch(PassKind::Convert, half);
    }

    Status launch(PassKind pass, PassOutput output)
    {
        if (m_work.kernels)
            output.stamp = static_cast<KernelStamp *>(m_work.kernels->kernel(kernelName(pass, output.rgba.empty())));
        return cudaStatus("cudaLaunchKernel", launchPass(pass, m_input, output, m_stream.native()));
    }

    void goOnWith(const PixelMemory &made, PixelFormat format)
    {
        m_input.format = format;
        m_input.pixels = made;
        m_input.chroma = {};
        m_input.chromaV = {};
        m_isFrame = false;
    }

    const ChainLaunch &m_work;
    CudaStream &m_stream;
    PassInput m_input;
    const PixelMemory m_output;
    std::size_t m_area = 0;
    bool m_isFrame = true;     ///< Nothing has read the frame yet.
    bool m_isFinished = false; ///< The output is written.
};

} // namespace

Status launchChain(const ChainLaunch &work, std::span<StageInstance *const> stages, CudaStream &stream)
{
    JETSCOPE_TRY_ASSIGN(const PassInput input, inputOf(work));
    JETSCOPE_TRY_ASSIGN(const PixelMemory output, outputOf(work));
    ChainWalk walk(work, stream, input, output);
    std::span<const Filter> left = work.filters;
    for (StageInstance *const stage : stages) {
        const auto at = static_cast<std::size_t>(std::find_if(left.begin(), left.end(), isStage) - left.begin());
        JETSCOPE_TRY(walk.run(left.first(at), *stage, at + 1 == left.size()));
        left = left.subspan(at + 1);
    }
    return walk.run(left);
}

} // namespace jetscope

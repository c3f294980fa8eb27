// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/chainlaunch.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"
#include "gpu/cuda/kernels/chainplan.h"
#include "gpu/filters/yuvweights.h"

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

/// Whether all passes can read the input as it lies.
bool isWords(const PassInput &input)
{
    return input.format == PixelFormat::Rgba8
        && (reinterpret_cast<std::uintptr_t>(input.pixels.base) | input.pixels.pitch) % sizeof(std::uint32_t) == 0;
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

    Status run(const std::vector<PassKind> &passes)
    {
        for (std::size_t i = 0; i < passes.size(); ++i) {
            const bool last = i + 1 == passes.size();
            JETSCOPE_TRY(last ? finish(passes[i]) : step(passes[i], i % 2));
        }
        return {};
    }

private:
    Status step(PassKind pass, std::size_t area)
    {
        const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, m_input.width, m_input.height);
        JETSCOPE_TRY_ASSIGN(std::byte *const scratch, m_stream.scratch(area, layout.bytes));
        PassOutput output;
        output.rgba = linear(bytes(scratch), layout.planes[0].pitch);
        JETSCOPE_TRY(launch(pass, output));
        goOnWith(output.rgba);
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
        goOnWith(m_output);
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

    void goOnWith(const PixelMemory &rgba)
    {
        m_input.format = PixelFormat::Rgba8;
        m_input.pixels = rgba;
        m_input.chroma = {};
        m_input.chromaV = {};
    }

    const ChainLaunch &m_work;
    CudaStream &m_stream;
    PassInput m_input;
    const PixelMemory m_output;
};

} // namespace

Status launchChain(const ChainLaunch &work, CudaStream &stream)
{
    JETSCOPE_TRY_ASSIGN(const PassInput input, inputOf(work));
    JETSCOPE_TRY_ASSIGN(const PixelMemory output, outputOf(work));
    JETSCOPE_TRY_ASSIGN(const std::vector<PassKind> passes, planChain(work.filters, isWords(input)));
    return ChainWalk(work, stream, input, output).run(passes);
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/eglframe.h"

#include <algorithm>
#include <array>
#include <string>

namespace jetscope {

namespace {

constexpr const char *kCall = "cudaGraphicsResourceGetMappedEglFrame";

struct FrameFormat {
    cudaEglColorFormat theirs;
    PixelFormat ours;
    YuvColour colour = YuvColour::Bt601Limited;
};

/// CUDA names the channels from the high end of a word: in ABGR the first byte is R. It has no format for NV12 with
/// BT.709 and full range.
constexpr std::array<FrameFormat, 7> kFormats{{
    {cudaEglColorFormatABGR, PixelFormat::Rgba8},
    {cudaEglColorFormatYUV420SemiPlanar, PixelFormat::Nv12, YuvColour::Bt601Limited},
    {cudaEglColorFormatYUV420SemiPlanar_ER, PixelFormat::Nv12, YuvColour::Bt601Full},
    {cudaEglColorFormatYUV420SemiPlanar_709, PixelFormat::Nv12, YuvColour::Bt709Limited},
    {cudaEglColorFormatYUV420Planar, PixelFormat::Yu12, YuvColour::Bt601Limited},
    {cudaEglColorFormatYUV420Planar_ER, PixelFormat::Yu12, YuvColour::Bt601Full},
    {cudaEglColorFormatYUV420Planar_709, PixelFormat::Yu12, YuvColour::Bt709Limited},
}};

const FrameFormat *formatOf(cudaEglColorFormat format)
{
    const auto found =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const FrameFormat &row) { return row.theirs == format; });
    return found == kFormats.end() ? nullptr : &*found;
}

Error notRead(const cudaEglFrame &frame)
{
    return Error{kCall, 0,
                 "the frame's pixels are of CUDA's EGL colour format "
                     + std::to_string(static_cast<int>(frame.eglColorFormat)) + ", which Jetscope does not read"};
}

std::string sizeText(unsigned width, unsigned height)
{
    return std::to_string(width) + "x" + std::to_string(height);
}

} // namespace

Result<ImageLayout> layoutOf(const cudaEglFrame &frame)
{
    const FrameFormat *format = formatOf(frame.eglColorFormat);
    const cudaEglPlaneDesc &first = frame.planeDesc[0];
    if (!format)
        return notRead(frame);
    if (first.width < 1 || first.height < 1 || first.width > kMaxImageSide || first.height > kMaxImageSide)
        return Error{kCall, 0,
                     "a frame of " + sizeText(first.width, first.height) + " pixels is none that can be read"};
    return makeImageLayout(format->ours, static_cast<int>(first.width), static_cast<int>(first.height), format->colour);
}

Status checkEglFrame(const cudaEglFrame &frame, const ImageLayout &layout)
{
    const FrameFormat *format = formatOf(frame.eglColorFormat);
    if (!format)
        return notRead(frame);
    if (format->ours != layout.format || frame.planeCount != static_cast<unsigned>(layout.planeCount))
        return Error{kCall, 0,
                     "the frame has " + std::to_string(frame.planeCount) + " planes of CUDA's EGL colour format "
                         + std::to_string(static_cast<int>(frame.eglColorFormat)) + ", which is not the camera's "
                         + std::string(pixelFormatName(layout.format))};
    const cudaEglPlaneDesc &first = frame.planeDesc[0];
    if (first.width != static_cast<unsigned>(layout.width) || first.height != static_cast<unsigned>(layout.height))
        return Error{kCall, 0,
                     "the frame is " + sizeText(first.width, first.height) + " and not "
                         + sizeText(static_cast<unsigned>(layout.width), static_cast<unsigned>(layout.height))};
    for (std::size_t i = 0; i < frame.planeCount; ++i) {
        const bool array = frame.frameType == cudaEglFrameTypeArray;
        const bool there = array ? frame.frame.pArray[i] != nullptr : frame.frame.pPitch[i].ptr != nullptr;
        if (!there || (!array && frame.frame.pPitch[i].pitch < layout.planes[i].rowBytes))
            return Error{kCall, 0,
                         "plane " + std::to_string(i) + " of the frame is missing, or its rows are too short"};
    }
    return {};
}

const EglFrameApi &realEglFrameApi()
{
    static const EglFrameApi api{cudaGraphicsEGLRegisterImage,          cudaGraphicsUnregisterResource,
                                 cudaGraphicsResourceGetMappedEglFrame, cudaEGLStreamConsumerConnect,
                                 cudaEGLStreamConsumerAcquireFrame,     cudaEGLStreamConsumerReleaseFrame,
                                 cudaEGLStreamConsumerDisconnect};
    return api;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/nvbuf/externalbuffertable.h"

#include <algorithm>
#include <array>
#include <string>

namespace jetscope {

namespace {

constexpr const char *kSurfaceCall = "NvBufSurface";

struct ColourFormat {
    std::uint32_t theirs;
    YuvColour ours;
};

constexpr std::array<ColourFormat, 4> kSurfaceFormats{{
    {nvbuf::kNv12, YuvColour::Bt601Limited},
    {nvbuf::kNv12Er, YuvColour::Bt601Full},
    {nvbuf::kNv12Of709, YuvColour::Bt709Limited},
    {nvbuf::kNv12Of709Er, YuvColour::Bt709Full},
}};

/// Whether the planes are luma and, at half the width and height, chroma.
bool hasPlanesOfNv12(const nvbuf::SurfaceParams &buffer)
{
    const nvbuf::PlaneParams &planes = buffer.planes;
    return planes.count == 2 && planes.width[0] == buffer.width && planes.height[0] == buffer.height
        && planes.width[1] == (buffer.width + 1) / 2 && planes.height[1] == (buffer.height + 1) / 2
        && planes.pitch[0] >= buffer.width && planes.pitch[1] >= 2 * planes.width[1];
}

} // namespace

Result<ImageLayout> layoutOf(const nvbuf::Surface *surface, std::size_t bytes)
{
    // Before JetPack 5 the buffers had another, larger type.
    if (!surface || bytes != sizeof(nvbuf::Surface))
        return Error{kSurfaceCall, 0,
                     "the camera's buffers are not of the kind that JetPack 5 and later have: take via=copy"};
    if (surface->memory != nvbuf::kSurfaceArray || surface->batchSize < 1 || !surface->list)
        return Error{kSurfaceCall, 0, "the camera's buffers are no hardware buffers of a Jetson: take via=copy"};
    const nvbuf::SurfaceParams &buffer = surface->list[0];
    const auto format = std::find_if(kSurfaceFormats.begin(), kSurfaceFormats.end(),
                                     [&](const ColourFormat &row) { return row.theirs == buffer.colorFormat; });
    if (format == kSurfaceFormats.end())
        return Error{kSurfaceCall, 0,
                     "the camera's buffers are of colour format " + std::to_string(buffer.colorFormat)
                         + ", which Jetscope does not read: take via=copy"};
    constexpr auto kMaxSide = static_cast<std::uint32_t>(kMaxImageSide);
    if (buffer.width < 1 || buffer.height < 1 || buffer.width > kMaxSide || buffer.height > kMaxSide
        || buffer.layout > 1 || !hasPlanesOfNv12(buffer))
        return Error{kSurfaceCall, 0,
                     "the planes of the camera's buffers are not those of an NV12 picture: take via=copy"};
    return makeImageLayout(PixelFormat::Nv12, static_cast<int>(buffer.width), static_cast<int>(buffer.height),
                           format->ours);
}

/// One buffer's EGLImage, created at the first call of eglImage().
class ExternalBufferTable::MappedExternalBuffer final : public ExternalBuffer {
public:
    MappedExternalBuffer(const NvBufApi &api, nvbuf::Surface *buffer, std::shared_ptr<void> keeper)
        : m_api(api), m_keeper(std::move(keeper)), m_buffer(buffer)
    {
    }
    ~MappedExternalBuffer() override
    {
        // A failure cannot be handled here; the buffer is freed with its pool.
        if (m_mapped)
            static_cast<void>(m_api.unMapEglImage(m_buffer, 0));
    }

    bool isOf(const nvbuf::Surface *buffer) const { return m_buffer == buffer; }

    /// The library creates images on its own display.
    Result<void *> eglImage(void *) override
    {
        nvbuf::SurfaceParams &buffer = m_buffer->list[0];
        // Another user of the buffer may have created the image; then it must not be destroyed here.
        if (!m_mapped && !buffer.eglImage) {
            if (m_api.mapEglImage(m_buffer, 0) != 0 || !buffer.eglImage)
                return Error{"NvBufSurfaceMapEglImage", 0,
                             "the camera's buffer has no EGLImage: without a desktop session, unset DISPLAY; else "
                             "take via=copy"};
            m_mapped = true;
        }
        return buffer.eglImage;
    }

    Result<int> nvBufDescriptor() const override { return static_cast<int>(m_buffer->list[0].descriptor); }

private:
    const NvBufApi m_api;
    const std::shared_ptr<void> m_keeper; ///< Destroyed last.
    nvbuf::Surface *const m_buffer;
    bool m_mapped = false;
};

std::shared_ptr<ExternalBuffer> ExternalBufferTable::externalBufferOf(nvbuf::Surface *buffer,
                                                                      const std::shared_ptr<void> &keeper)
{
    std::shared_ptr<MappedExternalBuffer> &known = m_buffers[buffer->list[0].descriptor];
    // A descriptor may be reused for another buffer.
    if (!known || !known->isOf(buffer))
        known = std::make_shared<MappedExternalBuffer>(m_api, buffer, keeper);
    return known;
}

} // namespace jetscope

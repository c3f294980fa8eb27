// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/sources/externalbuffer.h"
#include "gpu/stages/sourcebuffer.h"

#include <cstdint>
#include <list>
#include <memory>

namespace jetscope {

/// Registers a buffer whose EGLImage shows its bytes as texels (ExternalBufferView::Bytes).
Result<std::unique_ptr<Image>> registerBytes(Device &device, void *eglImage, const ImageLayout &layout);

/// The registrations of a source's own buffers with one device. Each buffer is registered once, with its first frame,
/// and stays registered until the source releases it; then the registration is destroyed before the EGLImage. Pipeline
/// thread.
class ExternalBufferRegistry {
public:
    /// The device must outlive the registry.
    ExternalBufferRegistry(Device &device, std::shared_ptr<EglDisplay> display)
        : m_device(device), m_display(std::move(display))
    {
    }

    /// Valid as long as the caller or the source holds the buffer.
    Result<Image *> imageOf(const std::shared_ptr<ExternalBuffer> &buffer, const ImageLayout &layout,
                            ExternalBufferView view);

    /// The same buffer for stages that wrap it; null if it is not registered. Valid as long as the registration.
    SourceBuffer *sourceBufferOf(const std::shared_ptr<ExternalBuffer> &buffer);

    /// Drops the buffers that only the registry still holds.
    void prune();

    std::size_t size() const { return m_entries.size(); }
    /// The number of registrations since the start; equals the number of buffers if each was registered once.
    std::uint64_t registrations() const { return m_registrations; }

private:
    struct Entry {
        std::shared_ptr<ExternalBuffer> buffer;
        std::unique_ptr<Image> image; ///< Destroyed before its buffer.
        /// Destroyed first: what stages have made of the buffer goes before its EGLImage, too.
        std::unique_ptr<SourceBuffer> forStages;
    };

    Entry *entryOf(const std::shared_ptr<ExternalBuffer> &buffer);

    Device &m_device;
    const std::shared_ptr<EglDisplay> m_display;
    /// A list, because moving entries would destroy buffers before their registrations. It is short.
    std::list<Entry> m_entries;
    std::uint64_t m_registrations = 0;
};

} // namespace jetscope

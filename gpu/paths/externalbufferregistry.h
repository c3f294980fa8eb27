// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/sources/externalbuffer.h"

#include <cstdint>
#include <list>
#include <memory>

namespace jetscope {

/// A source's own buffers as one device knows them. Each is registered once, with the first frame that comes in it, and
/// stays so until the source lets go of it: then the registration goes first and the EGLImage after it. Pipeline
/// thread.
class ExternalBufferRegistry {
public:
    /// The device outlives the registry.
    ExternalBufferRegistry(Device &device, std::shared_ptr<EglDisplay> display)
        : m_device(device), m_display(std::move(display))
    {
    }

    /// Stays valid as long as somebody else holds the surface.
    Result<Image *> imageOf(const std::shared_ptr<ExternalBuffer> &surface, const ImageLayout &layout,
                            ExternalBufferView view);

    /// Lets go of what nobody else holds any more.
    void prune();

    std::size_t size() const { return m_entries.size(); }
    /// Since the start: as many as there were buffers, if each was registered once.
    std::uint64_t registrations() const { return m_registrations; }

private:
    struct Entry {
        std::shared_ptr<ExternalBuffer> surface;
        std::unique_ptr<Image> image; ///< Goes before its surface.
    };

    Device &m_device;
    const std::shared_ptr<EglDisplay> m_display;
    std::list<Entry>
        m_entries; ///< A handful: a source has few buffers. A list, since moving entries would let surfaces go first.
    std::uint64_t m_registrations = 0;
};

} // namespace jetscope

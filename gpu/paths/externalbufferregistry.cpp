// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/externalbufferregistry.h"

#include <algorithm>

namespace jetscope {

Result<Image *> ExternalBufferRegistry::imageOf(const std::shared_ptr<ExternalBuffer> &surface,
                                                const ImageLayout &layout, ExternalBufferView view)
{
    const auto known =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.surface == surface; });
    if (known != m_entries.end())
        return known->image.get();
    const Result<void *> eglImage = surface->eglImage(m_display->native());
    if (!eglImage.ok())
        return eglImage.error();
    Result<std::unique_ptr<Image>> image = m_device.registerSurface(eglImage.value(), layout, view);
    if (!image.ok())
        return image.error();
    ++m_registrations;
    m_entries.push_back({surface, std::move(image).value()});
    return m_entries.back().image.get();
}

void ExternalBufferRegistry::prune()
{
    // Only this list holds the buffer, so no other thread can copy the pointer and raise the count.
    std::erase_if(m_entries, [](const Entry &entry) { return entry.surface.use_count() == 1; });
}

} // namespace jetscope

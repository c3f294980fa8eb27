// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/externalbufferregistry.h"

#include <algorithm>

namespace jetscope {

Result<Image *> ExternalBufferRegistry::imageOf(const std::shared_ptr<ExternalBuffer> &buffer,
                                                const ImageLayout &layout, ExternalBufferView view)
{
    const auto known =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.buffer == buffer; });
    if (known != m_entries.end())
        return known->image.get();
    JETSCOPE_TRY_ASSIGN(void *const eglImage, buffer->eglImage(m_display->native()));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> image, m_device.registerExternalImage(eglImage, layout, view));
    ++m_registrations;
    m_entries.push_back({buffer, std::move(image)});
    return m_entries.back().image.get();
}

void ExternalBufferRegistry::prune()
{
    // Only this list holds the buffer, so no other thread can copy the pointer and raise the count.
    std::erase_if(m_entries, [](const Entry &entry) { return entry.buffer.use_count() == 1; });
}

} // namespace jetscope

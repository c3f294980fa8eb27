// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/paths/externalbufferregistry.h"

#include <algorithm>

namespace jetscope {

Result<std::unique_ptr<Image>> registerBytes(Device &device, void *eglImage, const ImageLayout &layout)
{
    const std::size_t pitch = layout.planes[0].pitch;
    // The small planes after the first may not fill its lines.
    return device.registerEglImage(eglImage, static_cast<int>(pitch / 4),
                                   static_cast<int>((layout.bytes + pitch - 1) / pitch));
}

ExternalBufferRegistry::Entry *ExternalBufferRegistry::entryOf(const std::shared_ptr<ExternalBuffer> &buffer)
{
    const auto known =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.buffer == buffer; });
    return known == m_entries.end() ? nullptr : &*known;
}

Result<Image *> ExternalBufferRegistry::imageOf(const std::shared_ptr<ExternalBuffer> &buffer,
                                                const ImageLayout &layout, ExternalBufferView view)
{
    if (const Entry *const known = entryOf(buffer))
        return known->image.get();
    JETSCOPE_TRY_ASSIGN(void *const eglImage, buffer->eglImage(m_display->native()));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> image,
                        view == ExternalBufferView::Bytes ? registerBytes(m_device, eglImage, layout)
                                                          : m_device.registerEglPicture(eglImage, layout));
    ++m_registrations;
    m_entries.push_back(
        {buffer, std::move(image), std::make_unique<SourceBuffer>(layout, view, eglImage, buffer->nvBufDescriptor())});
    return m_entries.back().image.get();
}

SourceBuffer *ExternalBufferRegistry::sourceBufferOf(const std::shared_ptr<ExternalBuffer> &buffer)
{
    const Entry *const known = entryOf(buffer);
    return known ? known->forStages.get() : nullptr;
}

void ExternalBufferRegistry::prune()
{
    // Only this list holds the buffer, so no other thread can copy the pointer and raise the count.
    std::erase_if(m_entries, [](const Entry &entry) { return entry.buffer.use_count() == 1; });
}

} // namespace jetscope

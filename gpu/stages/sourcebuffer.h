// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/base/livecount.h"
#include "gpu/sources/externalbuffer.h"

#include <memory>
#include <utility>
#include <vector>

namespace jetscope {

/// One of a source's own buffers (memory kind nvbuf), as a stage sees it whose library wraps such buffers. There is one
/// object for a buffer as long as it is registered with the device; the buffer and its EGLImage outlive it. Made and
/// destroyed on the pipeline thread, when no work on the buffer is pending; `watch` on the thread of the run.
class SourceBuffer {
public:
    /// `descriptor` as ExternalBuffer::nvBufDescriptor gives it.
    SourceBuffer(const ImageLayout &layout, ExternalBufferView view, void *eglImage, Result<int> descriptor)
        : m_layout(layout), m_view(view), m_eglImage(eglImage), m_descriptor(std::move(descriptor))
    {
    }
    ~SourceBuffer()
    {
        for (const std::weak_ptr<HandleObserver> &each : m_observers)
            if (const std::shared_ptr<HandleObserver> observer = each.lock())
                observer->destroyed(this);
    }
    SourceBuffer(const SourceBuffer &) = delete;
    SourceBuffer &operator=(const SourceBuffer &) = delete;

    const ImageLayout &layout() const { return m_layout; }
    ExternalBufferView view() const { return m_view; } ///< What the EGLImage shows.
    void *eglImage() const { return m_eglImage; }
    const Result<int> &descriptor() const { return m_descriptor; }

    /// Tells the observer, if it is still there, when the buffer is about to go: what was made of it must go first.
    void watch(const std::shared_ptr<HandleObserver> &observer) { m_observers.push_back(observer); }

private:
    const ImageLayout m_layout;
    const ExternalBufferView m_view;
    void *const m_eglImage;
    const Result<int> m_descriptor;
    std::vector<std::weak_ptr<HandleObserver>> m_observers; ///< Of each stage that has used it: few.
};

} // namespace jetscope

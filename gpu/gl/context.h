// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/livecount.h"
#include "gpu/gl/display.h"

#include <memory>

namespace jetscope {

/// A GLES 3 context without a surface. Current on at most one thread at a time. Destroy it on the thread where it is
/// current, or while it is current on no thread.
class EglContext {
public:
    /// `share` is a native context of the same display to share objects with, or null.
    static Result<std::unique_ptr<EglContext>> create(std::shared_ptr<EglDisplay> display, void *share = nullptr);
    ~EglContext();
    EglContext(const EglContext &) = delete;
    EglContext &operator=(const EglContext &) = delete;

    Status makeCurrent();
    void doneCurrent();

    void *native() const { return m_context; }
    const std::shared_ptr<EglDisplay> &display() const { return m_display; }

private:
    EglContext(std::shared_ptr<EglDisplay> display, void *context);

    std::shared_ptr<EglDisplay> m_display;
    void *m_context;
    CountedHandle m_counted;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/gl/display.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace jetscope {

/// GL objects of a window that the pipeline can share.
struct GlShare {
    std::shared_ptr<EglDisplay> display; ///< The window's display, adopted; null if it does not use EGL.
    void *context = nullptr;             ///< Native handle of the context that all of the window's contexts share with.
    std::string reason;                  ///< Why sharing is impossible; empty if it is possible.

    bool available() const { return display != nullptr; }
};

/// EGL display for pipelines: the window's if it can be shared, else a separate one that is opened on first use. Any
/// thread.
class PipelineDisplay {
public:
    explicit PipelineDisplay(GlShare share) : m_share(std::move(share)), m_display(m_share.display) {}

    const GlShare &share() const { return m_share; }
    Result<std::shared_ptr<EglDisplay>> open();
    /// Null before the first `open`.
    std::shared_ptr<EglDisplay> opened() const;

private:
    const GlShare m_share;
    mutable std::mutex m_mutex;
    std::shared_ptr<EglDisplay> m_display;
};

} // namespace jetscope

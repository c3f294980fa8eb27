// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/gl/display.h"

#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// GL objects of Qt that the pipeline can share.
struct GlShare {
    std::shared_ptr<EglDisplay> display; ///< Qt's display, adopted; null if Qt does not use EGL.
    void *context = nullptr;             ///< Native handle of the context that all of Qt's contexts share with.
    std::string reason;                  ///< Why sharing is impossible; empty if it is possible.

    bool available() const { return display != nullptr; }
};

/// UI thread, after the QApplication was created.
GlShare findGlShare();

/// EGL display for pipelines: Qt's if it can be shared, else a separate one that is opened on first use. Any thread.
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

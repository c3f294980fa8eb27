// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/gl/display.h"

#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// What Qt's GL offers to share with the pipeline.
struct GlShare {
    std::shared_ptr<EglDisplay> display; ///< Qt's own, adopted; null where Qt is not on EGL.
    void *context = nullptr;             ///< Native context that all of Qt's contexts share with.
    std::string reason;                  ///< Why there is nothing to share; empty when there is.

    bool available() const { return display != nullptr; }
};

/// UI thread, after QApplication was made.
GlShare findGlShare();

/// The display that pipelines run on: Qt's where it can be shared, else one of our own that is opened on first use. Any
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

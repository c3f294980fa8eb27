// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/pipelinedisplay.h"

namespace jetscope {

Result<std::shared_ptr<EglDisplay>> PipelineDisplay::open()
{
    const std::lock_guard lock(m_mutex);
    if (!m_display) {
        JETSCOPE_TRY_ASSIGN(m_display, EglDisplay::openHeadless());
    }
    return m_display;
}

std::shared_ptr<EglDisplay> PipelineDisplay::opened() const
{
    const std::lock_guard lock(m_mutex);
    return m_display;
}

} // namespace jetscope

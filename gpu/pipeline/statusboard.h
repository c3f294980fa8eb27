// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipeline.h"

#include <condition_variable>
#include <mutex>

namespace jetscope {

/// The pipeline's snapshot for its owner. The pipeline thread writes, any thread reads.
class StatusBoard {
public:
    template <class Edit>
    void edit(Edit change)
    {
        {
            const std::lock_guard lock(m_mutex);
            change(m_status);
        }
        m_condition.notify_all();
    }

    PipelineStatus status() const
    {
        const std::lock_guard lock(m_mutex);
        return m_status;
    }

    void waitForEnd() const
    {
        std::unique_lock lock(m_mutex);
        m_condition.wait(
            lock, [this] { return m_status.state == PipelineState::Ended || m_status.state == PipelineState::Failed; });
    }

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
    PipelineStatus m_status;
};

} // namespace jetscope

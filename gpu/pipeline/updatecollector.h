// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipelinecontrol.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace jetscope {

/// Passes the updates of a pipeline on: to its owner, who takes them when it likes, and to a sink. With a thread of its
/// own, neither depends on the owner's pace. Any thread may call, but only one at a time takes.
class UpdateCollector {
public:
    /// `drain` gives what is new; it is called by one thread at a time.
    explicit UpdateCollector(std::function<PipelineUpdate()> drain);
    /// The sink gets what there is until now.
    ~UpdateCollector();
    UpdateCollector(const UpdateCollector &) = delete;
    UpdateCollector &operator=(const UpdateCollector &) = delete;

    /// PipelineControl::collectAlone
    void start();
    /// PipelineControl::setSink
    void setSink(std::shared_ptr<TraceSink> sink);
    PipelineUpdate take();

private:
    void work();
    void collect();

    const std::function<PipelineUpdate()> m_drain;
    std::mutex m_collecting; ///< For the members below, up to m_keeping.
    TraceHead m_head;
    std::shared_ptr<TraceSink> m_sink;

    std::mutex m_keeping; ///< For the members below.
    std::condition_variable m_wake;
    PipelineUpdate m_kept; ///< For the owner.
    bool m_ends = false;

    std::thread m_thread;
};

} // namespace jetscope

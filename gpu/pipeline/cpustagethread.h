// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/device/cpuaccess.h"
#include "gpu/stages/stage.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jetscope {

class Tracer;

/// One piece of work for the CPU stage.
struct CpuJob {
    std::uint32_t frame = 0;
    CpuWork work = CpuWork::Canny;
    /// Called first on the stage's thread: the CUDA->CPU hand-over.
    std::function<Status()> handOver;
    /// Begins to read the picture; called after the hand-over.
    std::function<CpuRead()> picture;
    /// Of a stage in the filter chain, read after the hand-over; null if there are none.
    std::shared_ptr<StagePoints> points;
    ImageLayout layout;
    bool halve = false; ///< The picture is the raw input and must first be reduced to half-size grey.
    /// Called last on the stage's thread: the memory may be reused.
    std::function<void()> done;
};

/// The CPU stage's thread. The pipeline thread posts jobs in frame order.
class CpuStageThread {
public:
    /// The tracer must outlive the thread. `analysis` must not be null.
    CpuStageThread(std::unique_ptr<CpuAnalysis> analysis, Tracer &tracer);
    ~CpuStageThread();

    void post(CpuJob job);
    /// The number of posted jobs that are not finished. Any thread.
    std::size_t pending() const;
    void waitIdle() const;

    std::vector<CpuAnswer> takeAnswers();
    std::optional<Error> takeError();
    /// Keeps no error of the jobs posted so far, also of those that are not finished.
    void forgetErrors();

private:
    void work();
    Status run(CpuJob &job);

    std::unique_ptr<CpuAnalysis> m_analysis;
    Tracer &m_tracer;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
    std::deque<CpuJob> m_jobs;
    std::size_t m_pending = 0;
    std::size_t m_pendingForgotten = 0; ///< The oldest of them, whose errors nobody wants.
    std::vector<CpuAnswer> m_answers;
    std::optional<Error> m_error;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope

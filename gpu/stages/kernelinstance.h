// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/kernelmodule.h"
#include "gpu/stages/kernelstage.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace jetscope {

/// Machine code that was compiled and has passed its trial, or comes from the cache. `stop` ends a trial.
Result<std::string> triedKernel(const KernelSource &source, const StageAddress &address, const StageDevice &device,
                                const std::stop_token &stop = {});

/// An own kernel on a device: runs it, and has a thread that watches the time of its runs, and one that follows its
/// files. They only ask events, and compile; what changes the context (to load and unload machine code) is done by the
/// thread of the runs, between two of them.
class KernelInstance final : public StageInstance {
public:
    static Result<std::unique_ptr<StageInstance>> create(const StageAddress &address, const StageDevice &device);
    ~KernelInstance() override;

    std::vector<StageNews> takeNews() override;
    void forgetStream(void *stream) override;

protected:
    Status runFrame(const StageFrame &frame) override;
    void announce(KernelObserver &) override {}

private:
    using Clock = std::chrono::steady_clock;
    /// The points before and behind a run in a stream.
    struct Mark {
        void *before = nullptr;                    ///< Complete: the run may begin.
        void *behind = nullptr;                    ///< Complete: it has ended.
        std::optional<Clock::time_point> mayBegin; ///< When `before` was first seen complete.
    };
    /// Of the runs in a stream that are not seen complete yet, the oldest first. Each has its own: behind a run that
    /// never ends, no other mark is reached.
    using Marks = std::deque<Mark>;
    /// A kernel as it was compiled once, with the marks of its runs.
    struct Generation {
        std::unique_ptr<KernelModule> module;
        std::map<void *, Marks> marks; ///< By stream.
    };

    KernelInstance(PixelFormat format, StageAddress address, const StageDevice &device, KernelDriver driver,
                   void *context);
    bool restsUntilNextLook();
    void watchRuns();
    void followFiles();
    void reload();
    Result<std::string> built(const KernelSource &source);
    void checkRuns();
    void noteEnds();
    void noteEnds(Marks &marks);
    bool isAnyOverdue();
    void takeNewCode();
    void removeFormer();
    void destroyEvents(const Marks &marks);
    void destroyEvents(const Generation &generation);
    bool isOverdue(Mark &mark) const;
    Status record(void *&event, void *stream);

    const StageAddress m_address;
    const StageDevice m_device;
    const KernelDriver m_driver;
    void *const m_context;

    FileStamp m_looked; ///< Of the files when they were read last. Of the follower, once that runs.

    std::mutex m_generationsMutex; ///< Held while a kernel is submitted or exchanged.
    /// The last one is run; former ones stay until their runs are seen complete.
    std::vector<Generation> m_generations;
    std::vector<Mark> m_spare; ///< Events to use again.

    std::mutex m_newsMutex;
    std::vector<StageNews> m_news;
    std::optional<std::string> m_newCode; ///< Compiled and tried; the next run loads it.

    std::mutex m_watchMutex;
    std::condition_variable m_watchCondition;
    std::stop_source m_stop; ///< A trial on its way ends, too.
    std::thread m_watcher;
    std::thread m_follower;
};

} // namespace jetscope

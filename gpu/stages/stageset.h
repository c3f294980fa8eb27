// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace jetscope {

/// The stages that are set up on a device, for one size of frames. Pipeline thread; instances may run on any thread.
class StageSet {
public:
    explicit StageSet(const StageDevice &device) : m_device(device) {}

    /// Sets up the stages of a chain that are not set up yet, and tears down those that are not in it. Calls
    /// `waitForWork` before, which returns when no work of any stage is pending, with or without an error. With another
    /// size than before, none may be pending at all. After an error, the former stages are still set up; but a chain
    /// without filters tears down all of them, whatever the error is: so a pipeline that has failed begins anew.
    Status prepare(std::span<const Filter> filters, int width, int height, const std::function<Status()> &waitForWork);
    /// The stages of a chain in order, set up if necessary.
    Result<std::vector<StageInstance *>> of(std::span<const Filter> filters, int width, int height);
    /// What the run of a frame will use beside input and output, for the stages of a chain that are set up. Where the
    /// first filter writes the frame itself, an entry has no memory.
    std::vector<StageTouch> touches(std::span<const Filter> filters, std::uint64_t frame);

    /// Whether a chain leaves work of VPI unfinished in its stream.
    bool leavesVpiWork(std::span<const Filter> filters);
    /// Of the last stage of a chain that finds points; null if none does.
    std::shared_ptr<StagePoints> points(std::span<const Filter> filters);
    /// A CUstream is about to be destroyed.
    void forgetStream(void *stream);
    /// Also what stages have left that are not set up any more.
    std::vector<StageWork> takeWork();
    /// The same when all work is complete: waits until the times of all of it are known.
    std::vector<StageWork> takeLastWork();
    std::vector<StageNews> takeNews();

private:
    void tearDown(const std::function<bool(Filter)> &which);
    std::vector<StageWork> workBy(std::vector<StageWork> (StageInstance::*take)());
    Status setUpAll(std::span<const Filter> filters, int width, int height);
    Result<StageInstance *> instanceOf(Filter filter);

    const StageDevice m_device;
    int m_width = 0;
    int m_height = 0;
    std::map<Filter, std::unique_ptr<StageInstance>> m_instances;
    std::vector<StageWork> m_lastWork; ///< Of stages that were torn down.
    std::vector<StageNews> m_lastNews;
};

} // namespace jetscope

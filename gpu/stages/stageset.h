// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stagehost.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace jetscope {

/// The stages that are set up on a device, for one size of frames. Pipeline thread; instances may run on any thread.
class StageSet : public StageHost {
public:
    explicit StageSet(const StageDevice &device) : m_device(device) {}

    Status prepare(std::span<const Filter> filters, int width, int height) override;
    std::vector<StageTouch> touches(std::span<const Filter> filters, std::uint64_t frame) override;
    bool leavesVpiWork(std::span<const Filter> filters) override;
    std::shared_ptr<StagePoints> points(std::span<const Filter> filters) override;
    std::vector<StageWork> takeWork() override;
    std::vector<StageWork> takeLastWork() override;
    std::vector<StageNews> takeNews() override;

    /// The stages of a chain in order, set up if necessary.
    Result<std::vector<StageInstance *>> of(std::span<const Filter> filters, int width, int height);
    /// A CUstream is about to be destroyed.
    void forgetStream(void *stream);

protected:
    const StageDevice &device() const { return m_device; }
    /// Returns when no work of any stage is pending, with or without an error; `next` are the filters that go on.
    virtual Status waitForWork(std::span<const Filter> /*next*/) { return {}; }

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

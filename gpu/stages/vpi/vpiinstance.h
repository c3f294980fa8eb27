// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"
#include "gpu/stages/vpi/vpiwork.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace jetscope {

/// An algorithm of VPI on a device. Each stream of frames has VPI objects of its own, so that runs of two streams share
/// nothing; each run names its own pictures.
class VpiInstance final : public StageInstance {
public:
    /// `driver` is libcuda.so.1 except in tests.
    static Result<std::unique_ptr<StageInstance>> create(const VpiLibrary &library, const VpiPlan &plan,
                                                         const StageDevice &device, int width, int height,
                                                         const std::string &driver);

    bool leavesVpiWork() const override { return !m_plan.waits; }
    void forgetStream(void *stream) override;
    std::vector<StageWork> takeWork() override;

protected:
    Status runFrame(const StageFrame &frame) override;

private:
    /// The objects of one stream. VPI's stream goes first, which waits for its work: pictures and payloads may be
    /// destroyed only when no stream uses them.
    struct Lane {
        std::unique_ptr<VpiWork> work;
        VpiHandle input;
        VpiHandle output;
        VpiHandle stream;
    };

    VpiInstance(const VpiLibrary &library, const VpiPlan &plan, std::optional<VpiCuda> cuda, int width, int height);

    Result<Lane> makeLane(const StageFrame &frame);
    Status point(VpiHandle &image, const StageImage &picture);
    Status waitForFrame(const StageFrame &frame);
    Status waitForVpi(const Lane &lane, std::uint64_t frame);
    void note(const StageFrame &frame, std::int64_t startNs);
    std::uint64_t bytesCopied(const StageFrame &frame) const;

    const VpiLibrary m_library;
    const VpiPlan m_plan;
    const std::optional<VpiCuda> m_cuda; ///< None where frames are in host memory.
    const VpiParts m_parts;

    std::mutex m_lanesMutex;
    std::map<void *, Lane> m_lanes; ///< By the stream of the frames; null where frames are in host memory.

    std::mutex m_workMutex;
    std::vector<StageWork> m_work;
};

} // namespace jetscope

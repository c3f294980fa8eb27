// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"
#include "gpu/stages/vpi/vpibuffers.h"
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
    std::shared_ptr<StagePoints> points() override { return m_plan.isReadByCpuStage ? m_corners : nullptr; }
    void forgetStream(void *stream) override;
    std::vector<StageWork> takeWork() override;
    std::vector<StageNews> takeNews() override;

protected:
    Status runFrame(const StageFrame &frame) override;
    Result<bool> runFrameOn(SourceBuffer &buffer, const StageFrame &frame) override;

private:
    /// The objects of one stream. VPI's stream goes first, which waits for its work: pictures and payloads may be
    /// destroyed only when no stream uses them.
    struct Lane {
        std::unique_ptr<VpiWork> work;
        VpiHandle input;
        VpiHandle output;
        VpiHandle stream;
        std::optional<std::uint64_t> submitted{}; ///< The newest frame.
    };

    VpiInstance(const VpiLibrary &library, const VpiPlan &plan, std::optional<KernelDriver> cuda, int width,
                int height);

    Result<Lane> makeLane(const StageFrame &frame);
    Result<Lane *> laneOf(const StageFrame &frame);
    Status readBuffer(SourceBuffer &buffer, const StageFrame &frame);
    void tell(const std::string &text);
    Status point(VpiHandle &image, const StageImage &picture);
    Status waitForFrame(const StageFrame &frame);
    Status waitForVpi(const Lane &lane, std::uint64_t frame);
    void note(const StageFrame &frame, std::int64_t startNs);
    std::uint64_t bytesCopied(const StageFrame &frame) const; ///< `frame.input` is empty for a source's buffer.

    const VpiLibrary m_library;
    const VpiPlan m_plan;
    const std::optional<KernelDriver> m_cuda;    ///< None where frames are in host memory.
    const std::shared_ptr<VpiCorners> m_corners; ///< Of harris; null for others.
    const VpiParts m_parts;
    const std::shared_ptr<VpiBuffers> m_buffers; ///< Goes after the lanes, whose work uses its images.

    std::mutex m_lanesMutex;
    std::map<void *, Lane> m_lanes; ///< By the stream of the frames; null where frames are in host memory.

    std::string m_failure; ///< Why VPI refused a source's buffer; it is not asked again. Of m_lanesMutex.

    std::mutex m_workMutex;
    std::vector<StageWork> m_work;
    std::vector<StageNews> m_news;
    std::string m_told; ///< The newest of the news.
};

} // namespace jetscope

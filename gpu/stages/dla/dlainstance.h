// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/dlalane.h"
#include "gpu/stages/dla/dlaplan.h"
#include "gpu/stages/dla/dlawatch.h"
#include "gpu/stages/dla/tensorkernels.h"
#include "gpu/stages/stage.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What a loadable is run with.
struct DlaRuntime {
    CudlaLibrary library;
    std::optional<NvSciLibraries> sci; ///< For the standalone mode.
    const TensorKernels *kernels = nullptr;
    std::string cudaLibrary; ///< libcuda.so.1 except in tests.
    std::chrono::milliseconds timeout{};
};

/// A loadable on a DLA: the frame is packed into the input tensor, the task runs in the order of the frame's stream,
/// and the output is drawn over the frame. The CPU waits for nothing. Each stream has tensors of its own.
class DlaInstance final : public StageInstance {
public:
    /// The CUDA device is current.
    static Result<std::unique_ptr<StageInstance>> create(const DlaRuntime &runtime, const DlaPlan &plan);
    /// Waits for all tasks before it destroys the cuDLA device. Where nothing says whether they have ended, memory and
    /// device stay until the program ends (rule F1).
    ~DlaInstance() override;
    DlaInstance(const DlaInstance &) = delete;
    DlaInstance &operator=(const DlaInstance &) = delete;

    void forgetStream(void *stream) override;
    std::vector<StageWork> takeWork() override { return m_watch->takeWork(); }
    std::vector<StageWork> takeLastWork() override
    {
        m_watch->drain();
        return m_watch->takeWork();
    }
    std::vector<StageNews> takeNews() override;

protected:
    Status runFrame(const StageFrame &frame) override;
    void announce(KernelObserver &) override {}

private:
    DlaInstance(const DlaRuntime &runtime, DlaPlan plan, const KernelDriver &driver);
    Status open();
    Status readTensors();
    Result<std::vector<cudla::TensorDescriptor>> descriptorsOf(int count, int tensors) const;
    Status checkTensors(const std::vector<cudla::TensorDescriptor> &inputs,
                        const std::vector<cudla::TensorDescriptor> &outputs);
    Result<DlaLane *> laneOf(void *stream);
    Status submit(const StageFrame &frame, DlaLane &lane);
    Status refuse(const Error &error);
    void abandon(const Error &why);

    const DlaRuntime m_runtime;
    const DlaPlan m_plan;
    std::unique_ptr<DlaParts> m_parts; ///< Null once they are abandoned.
    tensor::Shape m_input;
    tensor::Shape m_output; ///< The first one, which is drawn.
    std::string m_description;
    bool m_isDescribed = false; ///< To the user.

    std::mutex m_lanesMutex;
    std::map<void *, std::unique_ptr<DlaLane>> m_lanes; ///< By the stream of the frames.
    std::unique_ptr<DlaWatch> m_watch;
};

} // namespace jetscope

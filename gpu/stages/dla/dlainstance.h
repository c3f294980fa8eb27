// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudlalibrary.h"
#include "gpu/stages/dla/dlaplan.h"
#include "gpu/stages/dla/dlawatch.h"
#include "gpu/stages/dla/tensorkernels.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/stage.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace jetscope {

/// A loadable on a DLA in hybrid mode: the frame is packed into the input tensor, the task runs in the order of the
/// frame's stream, and the output is drawn over the frame. The CPU waits for nothing. Each stream has tensors of its
/// own, allocated as device memory and registered once (rule F1).
class DlaInstance final : public StageInstance {
public:
    /// The CUDA device is current. `driver` is libcuda.so.1 except in tests; so are other kernels.
    static Result<std::unique_ptr<StageInstance>> create(const CudlaLibrary &library, const DlaPlan &plan,
                                                         const TensorKernels &kernels, const std::string &driver);
    /// Waits for all tasks before it destroys the cuDLA device.
    ~DlaInstance() override;
    DlaInstance(const DlaInstance &) = delete;
    DlaInstance &operator=(const DlaInstance &) = delete;

    void forgetStream(void *stream) override;
    std::vector<StageWork> takeWork() override { return m_watch->takeWork(); }
    std::vector<StageNews> takeNews() override;

protected:
    Status runFrame(const StageFrame &frame) override;

private:
    struct Tensor {
        std::uint64_t memory = 0;
        std::uint64_t *registered = nullptr;
    };
    /// The tensors of one stream.
    struct Lane {
        Tensor input;
        std::vector<Tensor> outputs;
        std::uint64_t top = 0; ///< A tensor::Top.
    };

    DlaInstance(const CudlaLibrary &library, DlaPlan plan, const TensorKernels &kernels, const KernelDriver &driver);
    Status open();
    Status readTensors();
    Result<std::vector<cudla::TensorDescriptor>> descriptorsOf(int count, int tensors) const;
    Status makeTensor(Tensor &tensor, std::size_t bytes) const;
    Status makeLane(Lane &lane) const;
    void close(Lane &lane) const;
    Status submit(const Lane &lane, void *stream) const;

    const CudlaLibrary m_library;
    const DlaPlan m_plan;
    const TensorKernels &m_kernels;
    const KernelDriver m_driver;
    cudla::Device m_device = nullptr;
    cudla::Module m_module = nullptr;
    tensor::Shape m_input;
    tensor::Shape m_output; ///< The first one, which is drawn.
    std::vector<std::size_t> m_outputBytes;
    std::string m_description;
    bool m_isDescribed = false; ///< To the user.

    std::mutex m_lanesMutex;
    std::map<void *, Lane> m_lanes; ///< By the stream of the frames.
    std::unique_ptr<DlaWatch> m_watch;
};

} // namespace jetscope

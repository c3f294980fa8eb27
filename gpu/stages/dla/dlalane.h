// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudaexternal.h"
#include "gpu/stages/dla/cudlalibrary.h"
#include "gpu/stages/dla/nvscilibrary.h"
#include "gpu/stages/kerneldriver.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// NvSciBuf and NvSciSync, by which CUDA and cuDLA share memory and synchronize in standalone mode.
struct NvSciLibraries {
    NvSciLibrary buffers;
    NvSciLibrary syncs;

    /// Paths as in NvSciLibrary::load.
    static Result<NvSciLibraries> load(const std::string &buffers, const std::string &syncs);
};

/// What the lanes of a loadable in standalone mode have in common.
struct DlaExchange {
    CudaExternal cuda;
    int cudaDevice = 0;
    nvsci::GpuId gpu;
    std::unique_ptr<NvSciModule> buffers;
    std::unique_ptr<NvSciModule> syncs;

    /// For the CUDA device that is current. `cudaLibrary` is libcuda.so.1 except in tests.
    static Result<std::unique_ptr<DlaExchange>> open(const NvSciLibraries &libraries, const KernelDriver &driver,
                                                     const std::string &cudaLibrary);
};

/// What the lanes of a loadable have in common. The CUDA context is current wherever a lane is used.
struct DlaParts {
    CudlaLibrary library;
    KernelDriver driver;
    cudla::Device device = nullptr;
    cudla::Module module = nullptr;
    std::vector<std::size_t> tensorBytes;  ///< The input, then the outputs.
    std::unique_ptr<DlaExchange> exchange; ///< Null in hybrid mode.
};

/// The tensors of one stream of frames, which are registered once (rule F1), and its way of ordering tasks. Goes when
/// no task of it is pending, and before the module of its loadable.
class DlaLane {
public:
    /// Of the mode of the parts, which outlive it.
    static Result<std::unique_ptr<DlaLane>> create(const DlaParts &parts);
    virtual ~DlaLane();
    DlaLane(const DlaLane &) = delete;
    DlaLane &operator=(const DlaLane &) = delete;

    /// Memory of the CUDA device.
    std::uint64_t input() const { return m_tensors.front().memory; }
    std::uint64_t output() const { return m_tensors[1].memory; } ///< The first one.
    std::uint64_t top() const { return m_top; }                  ///< Of a tensor::Top.
    /// The task runs behind what is in the stream, and what follows in the stream runs behind the task. The CPU waits
    /// for nothing.
    virtual Status submit(void *stream) = 0;
    /// A submission has failed in a way that a task may run while the stream does not wait for it.
    bool isLoose() const { return m_isLoose; }

protected:
    struct Tensor {
        std::uint64_t memory = 0;            ///< For CUDA.
        std::uint64_t *registered = nullptr; ///< For the DLA.
    };

    explicit DlaLane(const DlaParts &parts) : m_parts(parts) {}
    virtual Status open() = 0;
    Status submitTask(const cudla::WaitEvents *waits, cudla::SignalEvents *ends, void *stream) const;
    void unregister(std::uint64_t *registered) const;
    void free(std::uint64_t memory) const;

    const DlaParts &m_parts;
    std::vector<Tensor> m_tensors;
    bool m_isLoose = false;

private:
    std::uint64_t m_top = 0;
};

/// As DlaLane::create makes them.
std::unique_ptr<DlaLane> newHybridLane(const DlaParts &parts);
std::unique_ptr<DlaLane> newStandaloneLane(const DlaParts &parts);

} // namespace jetscope

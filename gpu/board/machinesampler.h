// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"
#include "gpu/board/nvmlgpus.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The values of a machine from the kernel and, for GPUs that it knows, from NVML. Blocks as BoardSampler does. One
/// thread.
class MachineSampler {
public:
    /// For frames that no GPU of NVML works on: its clocks and power say nothing about them.
    struct WithoutNvml {};

    /// NVML tells of this machine only, so it is not asked with another `root` than "/", except in tests.
    explicit MachineSampler(const std::string &root = "/");
    MachineSampler(const std::string &root, WithoutNvml);
    MachineSampler(const std::string &root, const std::string &nvml);

    const BoardLayout &layout() const { return m_board->layout(); }
    const std::vector<BoardItem> &items() const { return m_board->items(); }
    /// Why NVML gives no values; empty if it does.
    const std::string &nvmlReason() const { return m_nvmlReason; }

    /// The GPU in use: its values become those without a number. See NvmlGpus.
    void putFirst(const std::string &pciBusId);

    /// As BoardSampler::sample. Without `gpus` the values of NVML become unknown.
    const BoardState &sample(std::int64_t nowNs, bool details = true, bool gpus = true);

private:
    std::optional<NvmlGpus> m_gpus;
    std::string m_nvmlReason;
    std::optional<BoardSampler> m_board;
};

} // namespace jetscope

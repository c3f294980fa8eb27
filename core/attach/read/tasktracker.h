// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A kernel that hangs or has failed, as the task tracker of CUDA's driver names it. What it did not say is empty.
struct TrackedKernel {
    std::string name;    ///< The compiler's: "_Z14infiniteKerneli".
    std::string stream;  ///< As it was written.
    std::string channel; ///< hwChannelId, which the kernel's log calls "ch id".
    std::string pc;      ///< launchPC: where the kernel's code begins.

    bool operator==(const TrackedKernel &) const = default;
};

/// Finds what the task tracker writes into the standard output of a program ("CUDA for Tegra", GPU Task Tracker: with
/// CUDA_DIAG_TASK_TRACKER=1 the instrumented driver of CUDA 12.9 and newer names the kernel with hwChannelId and
/// launchPC). How it arranges its lines is published as pictures only, so the fields are found wherever they stand
/// within a few lines. The program's own output may stand between them. Not thread-safe.
class TaskTrackerText {
public:
    /// The next bytes: any, in any pieces.
    void add(std::string_view bytes);
    /// Each once; a limited number.
    const std::vector<TrackedKernel> &kernels() const { return m_kernels; }

private:
    void takeLine(std::string_view line);
    void close();

    std::string m_line; ///< Begun.
    TrackedKernel m_open;
    std::size_t m_openLines = 0; ///< Since its first field.
    std::vector<TrackedKernel> m_kernels;
};

} // namespace jetscope

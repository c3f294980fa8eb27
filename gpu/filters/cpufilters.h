// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/filters/rowkernels.h"

#include <span>
#include <vector>

namespace jetscope {

/// A filter's loop on the CPU, or one of several that follow each other: each makes rows from the rows of the one
/// before.
class RowStep {
public:
    /// A loop that is compiled once for each instruction set.
    RowStep(int reach, RowLoop RowKernels::*kernel) : m_radius(reach), m_kernel(kernel) {}
    /// A loop that is compiled once.
    RowStep(int reach, RowLoop compiledOnce) : m_radius(reach), m_loop(compiledOnce) {}

    /// Rows above and below the one made, and pixels beside each, that the loop reads.
    int radius() const { return m_radius; }
    RowLoop loop(const RowKernels &kernels) const { return m_kernel ? kernels.*m_kernel : m_loop; }

private:
    int m_radius;
    RowLoop RowKernels::*m_kernel = nullptr;
    RowLoop m_loop = nullptr;
};

/// The half of a filter's row that the CPU needs.
struct CpuFilter {
    Filter filter;
    std::vector<RowStep> steps; ///< None where the picture stays as it is.
};

/// The CPU's half of a filter; null if it has none.
const CpuFilter *cpuFilter(Filter filter);

/// Gives a filter of core's table its loops for the CPU. An error names what is wrong: a filter that is not in core's
/// table, that has loops already or that core's row does not let run on the CPU, a step without a loop, or steps whose
/// radii do not add up to the row's halo. At the same time as addFilter and by the same thread.
Status addCpuFilter(CpuFilter filter);

/// An error that names the first filter of a chain that the CPU has no loops for; stages need none.
Status checkCpuFilters(std::span<const Filter> filters);

} // namespace jetscope

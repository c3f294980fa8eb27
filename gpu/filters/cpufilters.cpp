// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/filters/cpufilters.h"

#include "core/settings/filters.h"
#include "gpu/filters/arithmetic.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

namespace jetscope {

namespace {

std::deque<CpuFilter> builtInLoops()
{
    return {
        {Filter::Identity, {}},
        {Filter::Gaussian5, {{arithmetic::kGaussian5Radius, &RowKernels::gaussian5}}},
        {Filter::Gaussian15, {{arithmetic::kGaussian15Radius, &RowKernels::gaussian15}}},
        {Filter::Sobel,
         {{0, &RowKernels::luma}, {arithmetic::kSobelRadius, &RowKernels::sobel}}}, // Luma once for each row.
        {Filter::Threshold, {{0, &RowKernels::threshold}}},
        {Filter::Sharpen, {{arithmetic::kSharpenRadius, &RowKernels::sharpen}}},
        {Filter::Invert, {{0, &RowKernels::invert}}},
    };
}

std::deque<CpuFilter> &cpuFilters()
{
    static std::deque<CpuFilter> filters = builtInLoops();
    return filters;
}

Status check(const CpuFilter &added)
{
    const FilterRow *row = filterRow(added.filter);
    if (!row)
        return sentence("There is no filter number " + std::to_string(static_cast<int>(added.filter))
                        + "; add its row before its loops.");
    const std::string called = "The filter '" + row->name + "' ";
    if (cpuFilter(added.filter))
        return sentence(called + "has its loops for the CPU already.");
    if (!row->onCpu.available)
        return sentence(called + "is not for the CPU: " + row->onCpu.reason);
    int halo = 0;
    for (const RowStep &step : added.steps) {
        if (!step.loop(*instructionSets().front().kernels) || step.radius() < 0)
            return sentence(called + "has a step without a loop or with a negative radius.");
        halo += step.radius();
    }
    if (halo != row->halo)
        return sentence(called + "has a halo of " + std::to_string(row->halo) + " pixels, but its loops reach "
                        + std::to_string(halo) + ".");
    return {};
}

} // namespace

const CpuFilter *cpuFilter(Filter filter)
{
    const auto found = std::find_if(cpuFilters().begin(), cpuFilters().end(),
                                    [filter](const CpuFilter &row) { return row.filter == filter; });
    return found == cpuFilters().end() ? nullptr : &*found;
}

Status addCpuFilter(CpuFilter filter)
{
    if (Status good = check(filter); !good.ok())
        return good;
    cpuFilters().push_back(std::move(filter));
    return {};
}

Status checkCpuFilters(std::span<const Filter> filters)
{
    for (const Filter filter : filters)
        if (!cpuFilter(filter) && !isStage(filter))
            return sentence("The filter '" + std::string(nameOf(filter)) + "' has no loops for the CPU.");
    return {};
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/passtable.h"

#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace jetscope {

namespace {

std::vector<PassRow> builtInPasses()
{
    return {
        {PassKind::Convert, {}},
        {PassKind::Invert, {Filter::Invert}},
        {PassKind::Threshold, {Filter::Threshold}},
        {PassKind::Gaussian5, {Filter::Gaussian5}},
        {PassKind::Sobel, {Filter::Sobel}},
        {PassKind::Sharpen, {Filter::Sharpen}},
        {PassKind::Gaussian5Sobel, {Filter::Gaussian5, Filter::Sobel}},
        {PassKind::Gaussian15, {Filter::Gaussian15}, false, false},
    };
}

std::vector<PassRow> &passTable()
{
    static std::vector<PassRow> table = builtInPasses();
    return table;
}

bool hasPass(Filter filter)
{
    return filter == Filter::Identity
        || std::any_of(passTable().begin(), passTable().end(),
                       [filter](const PassRow &row) { return row.filters == std::vector{filter}; });
}

} // namespace

std::span<const PassRow> passRows()
{
    return passTable();
}

const PassRow &passRow(PassKind kind)
{
    const PassRow &row = passTable()[static_cast<std::size_t>(kind)];
    assert(row.kind == kind);
    return row;
}

std::string nameOf(PassKind kind)
{
    const std::vector<Filter> &filters = passRow(kind).filters;
    return filters.empty() ? "convert" : filterNames(filters, "+");
}

Result<PassKind> addPass(Filter filter)
{
    const FilterRow *row = filterRow(filter);
    if (!row)
        return sentence("There is no filter number " + std::to_string(static_cast<int>(filter))
                        + "; add its row before its CUDA kernel.");
    const std::string called = "The filter '" + row->name + "' ";
    if (hasPass(filter))
        return sentence(called + "has its CUDA kernel already.");
    if (!row->onCuda.available)
        return sentence(called + "is not for CUDA: " + row->onCuda.reason);
    const std::size_t number = passTable().size();
    if (number > std::numeric_limits<std::underlying_type_t<PassKind>>::max())
        return sentence(called + "is one more than the table of passes holds.");
    passTable().push_back({static_cast<PassKind>(number), {filter}, false, false});
    return passTable().back().kind;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysstacks.h"

#include "core/system/databaserows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kMaxStacks = 1'000'000;

/// Whether a function of a stack is of CUDA or the profiler, or has no name.
bool isOfDriver(std::string_view name)
{
    constexpr auto kBeginnings = std::to_array<std::string_view>({"cu", "__cu", "0x", "[", "libcu", "libcupti"});
    return name.empty()
        || std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](auto with) { return name.starts_with(with); });
}

} // namespace

Status NsysStacks::read(Database &database, const NsysSchema &schema, const Texts &texts)
{
    const auto table = schema.dictionary("CUDA_CALLCHAINS", {"id", "symbol", "stackDepth"});
    if (!table)
        return {};
    return eachRow(database, "SELECT rowid, id, symbol, stackDepth FROM " + quotedSqlName(*table), [&](Statement &row) {
        const auto text = texts.find(row.integer(2));
        if (text == texts.end() || m_stacks.size() >= kMaxStacks)
            return true;
        // Summed up, since rows come in any order.
        constexpr std::uint64_t kDepthFactor = UINT64_C(0x9e3779b97f4a7c15);
        const std::int64_t depth = row.integer(3);
        Stack &stack = m_stacks[row.integer(1)];
        stack.hash += (std::hash<std::string_view>()(text->second) ^ static_cast<std::uint64_t>(depth)) * kDepthFactor;
        if (!isOfDriver(text->second) && (stack.name == nullptr || depth < stack.depth)) {
            stack.depth = depth;
            stack.name = &text->second;
        }
        return true;
    });
}

CallPlace NsysStacks::placeOf(std::int64_t callChain) const
{
    const auto known = m_stacks.find(callChain);
    if (known == m_stacks.end())
        return {};
    return {known->second.hash, known->second.name ? std::string_view(*known->second.name) : std::string_view()};
}

} // namespace jetscope

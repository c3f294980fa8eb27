// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/gradualsort.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kRun = 4096;

void spend(std::size_t &budget, std::size_t cost)
{
    budget -= std::min(budget, cost);
}

} // namespace

bool GradualSort::advance(std::size_t &budget)
{
    if (m_width == 0 && !sortRuns(budget))
        return false;
    while (m_width < m_values.size()) {
        m_merged.resize(m_values.size());
        while (m_begin < m_values.size())
            if (!mergePair(budget))
                return false;
        m_values.swap(m_merged);
        m_width *= 2;
        m_begin = 0;
    }
    m_merged = {};
    return true;
}

bool GradualSort::sortRuns(std::size_t &budget)
{
    while (m_begin < m_values.size()) {
        if (budget == 0)
            return false;
        const std::size_t end = std::min(m_begin + kRun, m_values.size());
        std::sort(m_values.begin() + static_cast<std::ptrdiff_t>(m_begin),
                  m_values.begin() + static_cast<std::ptrdiff_t>(end));
        spend(budget, end - m_begin);
        m_begin = end;
    }
    m_width = kRun;
    m_begin = 0;
    return true;
}

/// Returns false if the budget ended before the pair was merged.
bool GradualSort::mergePair(std::size_t &budget)
{
    const std::size_t middle = std::min(m_begin + m_width, m_values.size());
    const std::size_t end = std::min(middle + m_width, m_values.size());
    std::size_t left = m_begin + m_left;
    std::size_t right = middle + m_right;
    const std::size_t from = left + m_right;
    const std::size_t to = std::min(end, from + budget);
    for (std::size_t out = from; out < to; ++out) {
        const bool takeLeft = right == end || (left < middle && m_values[left] <= m_values[right]);
        m_merged[out] = m_values[takeLeft ? left++ : right++];
    }
    spend(budget, to - from);
    m_left = left - m_begin;
    m_right = right - middle;
    if (to < end)
        return false;
    m_begin = end;
    m_left = m_right = 0;
    return true;
}

} // namespace jetscope

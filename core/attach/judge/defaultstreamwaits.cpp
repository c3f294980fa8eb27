// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/defaultstreamwaits.h"

#include "core/attach/judge/finding.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxAdded = 1 << 18;
constexpr std::size_t kMaxDefaultContexts = 64;
constexpr std::size_t kMaxStreamsOfContext = 4096;
constexpr std::size_t kMaxRecent = 64; ///< Work that ends later than so many others ran at the same time.

/// How much of a time was covered by work that was submitted before. `works` are in the order of their beginnings.
std::int64_t coveredNs(std::int64_t fromNs, std::int64_t toNs, std::int64_t submittedNs,
                       const std::deque<DefaultStreamWaits::Work> &works)
{
    std::int64_t covered = 0;
    for (const DefaultStreamWaits::Work &work : works) {
        if (work.submittedNs > submittedNs)
            continue;
        const std::int64_t startNs = std::max(fromNs, work.startNs);
        const std::int64_t endNs = std::min(toNs, work.endNs);
        if (startNs >= endNs)
            continue;
        covered += endNs - startNs;
        fromNs = endNs;
    }
    return covered;
}

} // namespace

void DefaultStreamWaits::add(const Work &work)
{
    if (work.role == StreamRole::Free || m_added.size() >= kMaxAdded)
        return;
    m_added.push_back(work);
    m_isKnown = m_isKnown || (work.frame != kNoFrame && work.frame >= kFramesOfSetUp);
}

void DefaultStreamWaits::settle(std::int64_t ns)
{
    const auto later =
        std::partition(m_added.begin(), m_added.end(), [ns](const Work &work) { return work.startNs < ns; });
    std::sort(m_added.begin(), later, [](const Work &a, const Work &b) { return a.startNs < b.startNs; });
    std::for_each(m_added.begin(), later, [this](const Work &work) { place(work); });
    m_added.erase(m_added.begin(), later);
}

void DefaultStreamWaits::place(const Work &work)
{
    const std::pair key{work.pid, work.context};
    if (m_contexts.size() >= kMaxDefaultContexts && !m_contexts.contains(key))
        return;
    Context &context = m_contexts[key];
    if (context.endNs.size() >= kMaxStreamsOfContext && !context.endNs.contains(work.stream))
        return;
    const bool isLegacy = work.role == StreamRole::Legacy;
    std::int64_t &endNs = context.endNs.try_emplace(work.stream, work.submittedNs).first->second;
    if (work.frame != kNoFrame && work.frame >= kFramesOfSetUp)
        m_waitedNs += coveredNs(std::max(work.submittedNs, endNs), work.startNs, work.submittedNs,
                                context.recent[isLegacy ? 1 : 0]);
    endNs = std::max(endNs, work.endNs);
    std::deque<Work> &recent = context.recent[isLegacy ? 0 : 1];
    recent.push_back(work);
    if (recent.size() > kMaxRecent)
        recent.pop_front();
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/finding.h"

#include "core/attach/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMostSites = 256;
constexpr std::size_t kSitesShown = 3;

} // namespace

std::string_view nameOf(FindingGrade grade)
{
    switch (grade) {
    case FindingGrade::Seen:
        return "seen";
    case FindingGrade::Possible:
        return "possible";
    case FindingGrade::Unknown:
        break;
    }
    return "unknown";
}

std::uint32_t framesBehindSetUp(std::uint32_t frames)
{
    return frames > kFramesOfSetUp ? frames - kFramesOfSetUp : 0;
}

void FindingTally::add(const AttachEvent &event, std::int32_t process, std::uint32_t frame,
                       std::vector<CallSite> &newSites)
{
    ++calls;
    ns += event.endNs - event.startNs;
    ++byCall[event.call];
    if (frame != kNoFrame && (lastFrame == kNoFrame || frame > lastFrame)) {
        ++frames;
        lastFrame = frame;
    }
    if (event.site == 0 || bySite.size() >= kMostSites)
        return;
    const auto [site, isNew] = bySite.try_emplace({process, event.site});
    ++site->second;
    if (isNew)
        newSites.push_back({process, event.site, 0, {}});
}

bool FindingTally::isFrequent(std::uint32_t ofFrames) const
{
    return frames >= kFewestFramesWithFinding && frames * 2 >= framesBehindSetUp(ofFrames);
}

std::string_view FindingTally::callName() const
{
    const auto often = static_cast<std::uint16_t>(std::max_element(byCall.begin(), byCall.end()) - byCall.begin());
    const AttachCall *call = attachCall(often);
    return call ? call->name : std::string_view();
}

std::vector<CallSite> FindingTally::sites() const
{
    std::vector<CallSite> all;
    for (const auto &[key, times] : bySite)
        all.push_back({key.first, key.second, times, {}});
    std::stable_sort(all.begin(), all.end(), [](const CallSite &a, const CallSite &b) { return a.calls > b.calls; });
    all.resize(std::min(all.size(), kSitesShown));
    return all;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/finding.h"

#include "core/attach/format/calltable.h"
#include "core/attach/read/copyrows.h"
#include "core/enumtable.h"
#include "core/text/shorttext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr auto kGrades = enumWords<FindingGrade>({"seen", "possible", "unknown"});

constexpr std::size_t kMaxSites = 256;
constexpr std::size_t kSitesShown = 3;
constexpr std::size_t kMaxSitesWithStacks = 16;
constexpr std::size_t kMaxStacks = 12; ///< Of a site, 2 KB each.

} // namespace

std::string_view nameOf(FindingGrade grade)
{
    return kGrades[static_cast<std::size_t>(grade)];
}

std::string UnseenCalls::text() const
{
    std::string text;
    if (lost > 0)
        text = counted(lost, "call") + (lost == 1 ? " was lost" : " were lost");
    if (unhooked > 0)
        text += (text.empty() ? "" : " and ") + std::string("the program got functions that could not be hooked ")
            + std::to_string(unhooked) + (unhooked == 1 ? " time" : " times");
    return text;
}

void UnseenAccesses::take(const AttachEvent &event)
{
    copies = copies
        || (isCopy(*attachCall(event.call))
            && (event.argument[1] == 0 || event.argument[2] == 0 || !copyRowsOf(event).isAll));
    graphs = graphs || event.call == JSA_CALL_cuGraphLaunch;
}

std::string UnseenAccesses::reason() const
{
    if (!copies && !graphs)
        return {};
    const std::string what = !copies ? "what graphs read and write is"
        : !graphs ? "what copies do in CUDA arrays, or in boxes whose rows are not equally far apart, is"
                  : "what copies do in CUDA arrays, or in boxes whose rows are not equally far apart, and what graphs "
                    "read and write are";
    return what + " not followed; all else was checked";
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
    if (event.site == 0 || bySite.size() >= kMaxSites)
        return;
    const auto [site, isNew] = bySite.try_emplace({process, event.site});
    ++site->second;
    if (isNew)
        newSites.push_back({process, event.site, 0, {}});
    std::optional<CallStack> stack = callStackOf(event.stack);
    if (!stack || (stacks.size() >= kMaxSitesWithStacks && !stacks.contains(site->first)))
        return;
    std::deque<CallStack> &known = stacks[site->first];
    known.push_back(*std::move(stack));
    if (known.size() > kMaxStacks)
        known.pop_front();
}

bool FindingTally::isFrequent(std::uint32_t ofFrames) const
{
    return frames >= kMinFramesWithFinding && frames * 2 >= framesBehindSetUp(ofFrames);
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
    for (CallSite &site : all)
        if (const auto known = stacks.find({site.process, site.address}); known != stacks.end())
            site.stacks.assign(known->second.begin(), known->second.end());
    return all;
}

WasteFinding findingOf(const FindingTally &tally, std::string what, FindingGrade grade, std::string_view text,
                       std::string_view fix, std::uint32_t frames, const UnseenCalls &unseen)
{
    WasteFinding finding;
    finding.what = std::move(what);
    finding.grade = unseen.any() ? FindingGrade::Unknown : grade;
    finding.calls = tally.calls;
    finding.frames = tally.frames;
    finding.sites = tally.sites();
    finding.text = std::string(text) + "; " + counted(tally.calls, "time");
    if (tally.frames > 0)
        finding.text += " in " + std::to_string(tally.frames) + " of " + std::to_string(frames) + " frames";
    finding.text += " (" + std::string(tally.callName()) + "): " + std::string(fix);
    if (unseen.any())
        finding.text += "; " + unseen.text() + ", so this may be wrong";
    return finding;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/namedranges.h"

#include "core/text/shorttext.h"

#include <algorithm>
#include <string_view>

namespace jetscope {

namespace {

constexpr std::size_t kDeepestRange = 1024;
constexpr std::size_t kMaxStarted = 1024;
constexpr std::size_t kMaxOtherNames = 8;
/// Of longer names only so much is recorded (jetscope_mark.h).
constexpr std::size_t kMaxRangeName = 160;

} // namespace

void NamedRanges::rememberName(const std::string &name)
{
    if (!name.empty() && m_otherNames.size() < kMaxOtherNames)
        m_otherNames.insert(std::string(shortText(name, kMaxRangeName)));
}

bool NamedRanges::isWanted(const std::string &name)
{
    const std::string_view wish = std::string_view(m_name).substr(0, kMaxRangeName);
    const bool wanted =
        !name.empty() && (name == wish || (wish.ends_with('*') && name.starts_with(wish.substr(0, wish.size() - 1))));
    if (!wanted)
        rememberName(name);
    return wanted;
}

NamedRanges::Edge NamedRanges::take(const AttachEvent &event, std::int32_t process)
{
    std::vector<bool> &pushed = m_pushed[event.thread];
    const auto isInside = [&] { return std::find(pushed.begin(), pushed.end(), true) != pushed.end(); };
    switch (event.argument[0]) {
    case JSA_MARK_RANGE_PUSH: {
        const bool wanted = isWanted(event.text);
        const bool begins = wanted && !isInside();
        if (pushed.size() < kDeepestRange)
            pushed.push_back(wanted);
        return begins ? Edge::Begins : Edge::None;
    }
    case JSA_MARK_RANGE_POP: {
        const bool wanted = !pushed.empty() && pushed.back();
        if (!pushed.empty())
            pushed.pop_back();
        return wanted && !isInside() ? Edge::EndsOfThread : Edge::None;
    }
    case JSA_MARK_RANGE_START:
        if (!isWanted(event.text) || m_started.size() >= kMaxStarted)
            return Edge::None;
        m_started.insert({process, event.argument[1]});
        return Edge::Begins;
    case JSA_MARK_RANGE_END:
        return m_started.erase({process, event.argument[1]}) > 0 ? Edge::Ends : Edge::None;
    case JSA_MARK_POINT:
        return isWanted(event.text) ? Edge::Begins : Edge::None;
    default:
        return Edge::None;
    }
}

void NamedRanges::interrupt()
{
    m_pushed.clear();
    m_started.clear();
}

} // namespace jetscope

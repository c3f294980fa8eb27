// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/leftout.h"

#include "core/text/shorttext.h"

namespace jetscope {

void LeftOut::add(std::uint64_t eventNumber, std::string_view token)
{
    constexpr std::size_t kShown = 40;
    if (m_count++ == 0)
        m_first = "event " + std::to_string(eventNumber) + ": "
            + (token.empty() ? std::string("none") : std::string(shortText(token, kShown)));
}

void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what)
{
    if (number > 0)
        notes.push_back(std::string(what) + ": " + std::to_string(number));
}

void addCount(std::vector<std::string> &notes, const LeftOut &events, std::string_view what)
{
    if (events.count() > 0)
        notes.push_back(std::string(what) + ": " + std::to_string(events.count()) + " (the first is " + events.first()
                        + ")");
}

} // namespace jetscope

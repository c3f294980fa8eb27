// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/framesite.h"

#include "core/attach/read/siteplace.h"

#include <optional>

namespace jetscope {

bool FrameSite::has(std::int32_t process, std::uint64_t address, std::int64_t nowNs)
{
    const std::pair key{process, address};
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    m_modules.see(process, address, nowNs);
    const std::optional<CodePlace> place = m_modules.find(process, address);
    if (!place)
        return false;
    const std::string name = m_placeNames ? m_placeNames(*place) : std::string();
    return m_known[key] = isAtPlace(*place, name, m_wish);
}

} // namespace jetscope

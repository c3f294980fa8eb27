// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/callsites.h"

namespace jetscope {

const std::string &CallSites::describe(const CodePlace &place)
{
    static const std::string nothing;
    if (place.file.empty())
        return nothing;
    const auto [known, isNew] = m_known.try_emplace({place.file, place.offset});
    if (isNew)
        known->second = look(place);
    return known->second;
}

std::string sitesText(const WasteFinding &finding, CallSites &names)
{
    std::string text;
    for (const CallSite &site : finding.sites) {
        const std::string &name = names.describe(site.place);
        if (name.empty())
            continue;
        text += (text.empty() ? "" : "; ") + name;
        if (finding.sites.size() > 1)
            text += ", " + std::to_string(site.calls) + " of " + std::to_string(finding.calls) + " calls";
    }
    return text;
}

} // namespace jetscope

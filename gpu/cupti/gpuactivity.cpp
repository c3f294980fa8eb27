// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/gpuactivity.h"

#include <utility>

namespace jetscope {

std::string CuptiCounters::trouble() const
{
    const std::pair<std::uint64_t, const char *> causes[] = {
        {dropped, "dropped by CUPTI for want of a buffer"},
        {untaken, "not fetched in time"},
        {untimed, "without times from the hardware"},
        {negative, "ending before they began"},
        {stray, "with times of another clock"},
        {late, "that came after later ones of their stream"},
    };
    std::string text;
    for (const auto &[count, cause] : causes)
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + cause;
    if (damaged > 0)
        text += (text.empty() ? "" : ", ") + std::string("an unknown number in ") + std::to_string(damaged)
            + " damaged buffers";
    if (text.empty())
        return {};
    return "records of GPU times are missing or late, of " + std::to_string(records + lost() - damaged) + ": " + text;
}

} // namespace jetscope

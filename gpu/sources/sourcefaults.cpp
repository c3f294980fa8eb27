// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefaults.h"

#include <string_view>

namespace jetscope {

SourceFaults operator-(const SourceFaults &to, const SourceFaults &from)
{
    SourceFaults faults;
    faults.missed = to.missed - from.missed;
    faults.damaged = to.damaged - from.damaged;
    faults.torn = to.torn - from.torn;
    faults.repeated = to.repeated - from.repeated;
    faults.oddStamps = to.oddStamps - from.oddStamps;
    faults.gaps = to.gaps - from.gaps;
    return faults;
}

std::string sourceFaultsText(const SourceFaults &faults)
{
    std::string text;
    const auto add = [&text](std::uint64_t number, std::string_view what, std::string_view after) {
        if (number > 0)
            text += (text.empty() ? "" : ", ") + std::string(what) + std::string(after);
    };
    const auto frames = [&add](std::uint64_t number, std::string_view what) {
        add(number, std::to_string(number) + (number == 1 ? " frame" : " frames"), what);
    };
    frames(faults.missed, " missed");
    frames(faults.damaged, " damaged");
    frames(faults.torn, " torn");
    frames(faults.repeated, " repeated");
    add(faults.oddStamps, std::to_string(faults.oddStamps) + (faults.oddStamps == 1 ? " time stamp" : " time stamps"),
        " replaced");
    add(faults.gaps, "away " + std::to_string(faults.gaps), faults.gaps == 1 ? " time" : " times");
    return text;
}

} // namespace jetscope

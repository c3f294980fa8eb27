// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardidentity.h"
#include "core/board/boardlayout.h"
#include "core/board/proctexts.h"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

using namespace jetscope;

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

bool isRelease(const Reading<L4tRelease> &release)
{
    const auto isPart = [](int part) { return part >= 0 && part <= 999; };
    return release.known()
        ? isPart(release.value->major) && isPart(release.value->minor) && isPart(release.value->patch)
        : !release.reason.empty();
}

} // namespace

/// The texts that a board is known by: releases, power modes, and files of /proc.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(bytes), size);
    require(isRelease(parseTegraRelease(text)));
    require(isRelease(parseL4tVersion(text)));
    const PowerModes modes = parsePowerModes(text);
    std::set<int> ids;
    for (const PowerMode &mode : modes.modes) {
        require(ids.insert(mode.id).second && mode.id >= 0 && mode.id <= 9999);
        require(!mode.name.empty() && mode.name.size() <= 64);
        for (const char c : mode.name)
            require(c >= ' ' && c <= '~');
    }
    require(modes.modes.size() <= 64);
    const std::optional<int> status = parsePowerModeStatus(text);
    require(!status || (*status >= 0 && *status <= 9999));
    for (const char *name : {"cpu", "cpu0"})
        if (const std::optional<CpuTimes> times = cpuTimesIn(text, name))
            require(times->idle <= times->all);
    const std::optional<long long> total = memInfoValue(text, "MemTotal");
    require(!total || *total >= 0);
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/l4trelease.h"

#include <array>
#include <charconv>

namespace jetscope {

namespace {

constexpr int kMostReleasePart = 999;

struct JetpackPair {
    L4tRelease l4t;
    const char *jetpack;
};
constexpr auto kJetpacks = std::to_array<JetpackPair>({
    {{39, 2, 0}, "7.2"},   {{38, 4, 0}, "7.1"},   {{38, 2, 0}, "7.0"},    {{38, 2, 1}, "7.0"},   {{38, 2, 2}, "7.0"},
    {{36, 5, 0}, "6.2.2"}, {{36, 4, 7}, "6.2.1"}, {{36, 4, 4}, "6.2.1"},  {{36, 4, 3}, "6.2"},   {{36, 4, 2}, "6.1"},
    {{36, 4, 0}, "6.1"},   {{36, 3, 0}, "6.0"},   {{36, 2, 0}, "6.0 DP"}, {{35, 6, 4}, "5.1.6"}, {{35, 6, 3}, "5.1.5"},
    {{35, 6, 2}, "5.1.5"}, {{35, 6, 1}, "5.1.5"}, {{35, 6, 0}, "5.1.4"},  {{35, 5, 0}, "5.1.3"}, {{35, 4, 1}, "5.1.2"},
    {{35, 3, 1}, "5.1.1"}, {{35, 2, 1}, "5.1"},   {{35, 1, 0}, "5.0.2"},  {{32, 7, 6}, "4.6.6"}, {{32, 7, 5}, "4.6.5"},
    {{32, 7, 4}, "4.6.4"}, {{32, 7, 3}, "4.6.3"}, {{32, 7, 2}, "4.6.2"},  {{32, 7, 1}, "4.6.1"}, {{32, 6, 1}, "4.6"},
});

/// Takes a number from the front of the text; false if there is none or it is not plausible.
bool takeNumber(std::string_view &text, int &value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0 || value > kMostReleasePart)
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool takeText(std::string_view &text, std::string_view expected)
{
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

} // namespace

std::string L4tRelease::text() const
{
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

Reading<L4tRelease> parseTegraRelease(std::string_view text)
{
    constexpr std::string_view kRevision = "REVISION:";
    const Error unknown = sentence("/etc/nv_tegra_release does not begin with a release such as \"# R36 (release), "
                                   "REVISION: 4.7\"");
    std::string_view line = text.substr(0, text.find('\n'));
    L4tRelease release;
    takeText(line, "#");
    while (takeText(line, " ")) {}
    if (!takeText(line, "R") || !takeNumber(line, release.major))
        return unknown;
    const std::size_t revision = line.find(kRevision);
    if (revision == std::string_view::npos)
        return unknown;
    line.remove_prefix(revision + kRevision.size());
    while (takeText(line, " ")) {}
    // Without what follows the number, the line may have been cut inside it.
    if (!takeNumber(line, release.minor) || !takeText(line, ".") || !takeNumber(line, release.patch)
        || !takeText(line, ","))
        return unknown;
    return release;
}

Reading<L4tRelease> parseL4tVersion(std::string_view version)
{
    L4tRelease release;
    if (!takeNumber(version, release.major) || !takeText(version, ".") || !takeNumber(version, release.minor)
        || !takeText(version, ".") || !takeNumber(version, release.patch) || !takeText(version, "-"))
        return sentence("the version of the package nvidia-l4t-core is not a release");
    return release;
}

Reading<std::string> jetpackOf(const L4tRelease &release)
{
    for (const JetpackPair &pair : kJetpacks)
        if (pair.l4t == release)
            return std::string(pair.jetpack);
    return sentence("no JetPack is known for L4T " + release.text());
}

} // namespace jetscope

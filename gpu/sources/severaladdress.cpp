// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/severaladdress.h"

#include "core/text/parsenumber.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::string_view kBetween = "|";
constexpr std::string_view kOf = " of ";

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

Error unusableList(const SourceUri &uri, const std::string &why)
{
    return {inQuotes(uri.text), 0, why + ": write several:2 of v4l2:/dev/video0 | v4l2:/dev/video2"};
}

} // namespace

std::string SeveralAddress::text() const
{
    std::string text = "several:" + std::to_string(drives + 1) + std::string(kOf);
    for (std::size_t i = 0; i < sources.size(); ++i)
        text += (i == 0 ? "" : " | ") + sources[i];
    return text;
}

Result<SeveralAddress> parseSeveral(const SourceUri &uri)
{
    SeveralAddress address;
    std::string_view rest = uri.path;
    std::size_t number = 1;
    if (const auto of = rest.find(kOf); of != std::string_view::npos && of < rest.find(':')) {
        const auto given = parseNumber<std::size_t>(trimmed(rest.substr(0, of)), 1, SeveralAddress::kMost);
        if (!given)
            return unusableList(uri, inQuotes(rest.substr(0, of)) + " is no number of a source");
        number = *given;
        rest.remove_prefix(of + kOf.size());
    }
    for (bool isLast = false; !isLast;) {
        const auto end = rest.find(kBetween);
        isLast = end == std::string_view::npos;
        address.sources.emplace_back(trimmed(rest.substr(0, end)));
        rest.remove_prefix(isLast ? rest.size() : end + kBetween.size());
        if (address.sources.back().empty())
            return unusableList(uri, "one of the sources is empty");
        if (address.sources.back().starts_with("several:"))
            return unusableList(uri, "several sources cannot be in one of them");
    }
    if (address.sources.size() < SeveralAddress::kFewest || address.sources.size() > SeveralAddress::kMost)
        return unusableList(uri,
                            "2 to 8 sources are open at once, and " + std::to_string(address.sources.size())
                                + (address.sources.size() == 1 ? " is given" : " are given"));
    if (number > address.sources.size())
        return unusableList(uri,
                            "source " + std::to_string(number) + " is to drive the pipeline, and there are "
                                + std::to_string(address.sources.size()));
    address.drives = number - 1;
    return address;
}

std::optional<SeveralAddress> severalIn(std::string_view text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    if (!uri.ok() || uri.value().scheme != "several")
        return std::nullopt;
    Result<SeveralAddress> address = parseSeveral(uri.value());
    return address.ok() ? std::optional(std::move(address).value()) : std::nullopt;
}

bool areOpenTogether(std::string_view one, std::string_view other)
{
    const std::optional<SeveralAddress> a = severalIn(one);
    const std::optional<SeveralAddress> b = severalIn(other);
    return a && b && a->sources == b->sources;
}

std::string drivingSource(std::string_view text)
{
    const std::optional<SeveralAddress> several = severalIn(text);
    return several ? several->sources[several->drives] : std::string(text);
}

} // namespace jetscope

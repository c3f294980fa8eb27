// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/framewish.h"

#include "core/attach/format/calltable.h"
#include "core/text/parsenumber.h"

#include <optional>

namespace jetscope {

namespace {

constexpr std::string_view kCallPrefix = "call:";
constexpr std::string_view kNvtxPrefix = "nvtx:";
constexpr std::string_view kSitePrefix = "site:";
constexpr unsigned kMaxRank = 16;

/// FILE:LINE or FILE+OFFSET.
bool isPlace(std::string_view text)
{
    const std::size_t mark = text.find_last_of(":+");
    return mark != std::string_view::npos && mark > 0 && mark + 1 < text.size() && text[mark + 1] >= '0'
        && text[mark + 1] <= '9';
}

/// A place of the program, or the number of a loop among those that were found.
Result<FrameWish> siteWish(std::string_view text)
{
    if (const std::optional<unsigned> number = parseNumber<unsigned>(text)) {
        if (*number < 1 || *number > kMaxRank)
            return sentence("loops have numbers from 1 to " + std::to_string(kMaxRank));
        return FrameWish{FrameWish::Kind::Loop, 0, {}, *number - 1};
    }
    if (!isPlace(text))
        return sentence(
            "name a place as \"frame_candidates\" of --json does: site:FILE:LINE, site:FILE+OFFSET or its number");
    return FrameWish{FrameWish::Kind::Site, 0, std::string(text)};
}

} // namespace

Result<FrameWish> parseFrameWish(std::string_view text)
{
    if (text == "auto")
        return FrameWish{};
    if (text == "swap")
        return FrameWish{FrameWish::Kind::Swap, 0};
    if (text == "stream")
        return FrameWish{FrameWish::Kind::Stream, 0};
    if (text.starts_with(kNvtxPrefix) && text.size() > kNvtxPrefix.size())
        return FrameWish{FrameWish::Kind::Nvtx, 0, std::string(text.substr(kNvtxPrefix.size()))};
    if (text.starts_with(kSitePrefix))
        return siteWish(text.substr(kSitePrefix.size()));
    if (!text.starts_with(kCallPrefix))
        return sentence("take auto, swap, stream, nvtx:NAME, call:NAME, site:FILE:LINE or site:NUMBER");
    const std::string_view name = text.substr(kCallPrefix.size());
    const auto call = attachCallNamed(name);
    if (!call || attachCall(*call)->action != JSA_RECORD)
        return sentence("calls of \"" + std::string(name)
                        + "\" are not recorded: name a function that \"jetscope attach --probe\" lists");
    return FrameWish{FrameWish::Kind::Call, *call};
}

} // namespace jetscope

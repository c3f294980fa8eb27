// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/marklines.h"

#include "ui/style/theme.h"

#include <cmath>

namespace jetscope {

namespace {

int weight(TraceMark::Kind kind)
{
    switch (kind) {
    case TraceMark::Kind::Hazard:
        return 4;
    case TraceMark::Kind::Gap:
        return 3;
    case TraceMark::Kind::Switch:
        return 2;
    case TraceMark::Kind::Drop:
        return 1;
    case TraceMark::Kind::Other:
        return 0;
    }
    return 0;
}

} // namespace

std::optional<MarkLine> markLine(TraceMark::Kind kind, const Theme &theme)
{
    switch (kind) {
    case TraceMark::Kind::Hazard:
        return MarkLine{theme.bad.rgb(), 1, 3};
    case TraceMark::Kind::Gap:
        return MarkLine{theme.warn.rgb(), 4, 6};
    case TraceMark::Kind::Switch:
        return MarkLine{theme.accentText.rgb(), 4, 6};
    case TraceMark::Kind::Drop:
    case TraceMark::Kind::Other:
        break;
    }
    return std::nullopt;
}

std::vector<const TraceMark *> marksSeen(const MarkList &marks, const TimeScale &scale, int from, int to)
{
    const auto [first, last] = marks.range(timeAt(scale, from), timeAt(scale, to) + 1);
    std::vector<const TraceMark *> seen;
    double pixel = 0;
    for (std::size_t i = first; i < last; ++i) {
        const TraceMark &mark = marks.all()[i];
        const double at = std::floor(pixelAt(scale, mark.timeNs));
        if (seen.empty() || at > pixel)
            seen.push_back(&mark);
        else if (weight(mark.kind) > weight(seen.back()->kind))
            seen.back() = &mark;
        pixel = at;
    }
    return seen;
}

} // namespace jetscope

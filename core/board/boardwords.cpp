// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardwords.h"

#include "core/enumtable.h"
#include "core/text/numbertext.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr auto kPartNames =
    std::to_array<std::string_view>({"Board", "GPU", "Memory", "CPU", "Engines", "Temperature", "Power", "Fan"});
static_assert(kPartNames.size() == enumCount<BoardPart>());

std::string decimals(double value, int digits, std::string_view unit)
{
    return fixedText(value, digits) + (unit.empty() ? "" : " ") + std::string(unit);
}

void appendPart(std::string &text, const std::string &part)
{
    if (!part.empty())
        text += (text.empty() ? "" : " · ") + part;
}

} // namespace

std::string_view partName(BoardPart part)
{
    return kPartNames[static_cast<std::size_t>(part)];
}

std::string valueText(double value, std::string_view unit)
{
    if (unit == "Hz")
        return value >= 1e9 ? decimals(value / 1e9, 2, "GHz") : decimals(value / 1e6, 0, "MHz");
    if (unit == "B")
        return value >= 1e9 ? decimals(value / 1e9, 2, "GB") : decimals(value / 1e6, 0, "MB");
    if (unit == "W")
        return decimals(value, 2, unit);
    if (unit == "%" || unit == "°C")
        return decimals(value, 1, unit);
    return decimals(value, 0, unit);
}

std::string readingText(const BoardItem &item, const Reading<double> &reading, const PowerModes &modes)
{
    if (!reading.known())
        return "unknown";
    if (item.quantity == BoardQuantity::PowerMode)
        return modes.textOf(static_cast<int>(*reading.value));
    if (item.quantity == BoardQuantity::ClocksLocked)
        return *reading.value > 0 ? "yes" : "no";
    return valueText(*reading.value, item.unit);
}

std::optional<double> barOf(const BoardItem &item, const Reading<double> &reading)
{
    if (!reading.known() || !(item.most > 0))
        return std::nullopt;
    return std::clamp(*reading.value / item.most, 0.0, 1.0);
}

std::string identityText(const BoardIdentity &identity)
{
    std::string text;
    for (const Reading<std::string> &part : {identity.model, identity.module, identity.chip})
        appendPart(text, part.value.value_or(""));
    if (identity.l4t.known())
        appendPart(text, "L4T " + identity.l4t.value->text());
    if (identity.jetpack.known())
        appendPart(text, "JetPack " + *identity.jetpack.value);
    if (text.empty())
        appendPart(text, identity.kernel.known() ? "Linux " + *identity.kernel.value : std::string("unknown machine"));
    return text;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeframe.h"

#include "core/exchange/jsontoken.h"
#include "core/recording/span.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <span>
#include <vector>

namespace jetscope {

namespace {

/// By field, the order in which they are written; empty if missing.
std::vector<std::optional<std::int64_t>> frameValues(const ChromeEvent &event)
{
    const std::span<const FrameField> fields = frameFields();
    std::vector<std::optional<std::int64_t>> values(fields.size());
    std::size_t expected = 0;
    for (const ChromeArgument &argument : event.arguments) {
        if (expected < fields.size() && fields[expected].name == kFrameStartField)
            ++expected;
        if (expected >= fields.size() || fields[expected].name != argument.key)
            expected = static_cast<std::size_t>(
                std::find_if(fields.begin(), fields.end(),
                             [&](const FrameField &field) { return field.name == argument.key; })
                - fields.begin());
        if (expected < fields.size())
            values[expected++] = std::clamp(wholeNumberOf(argument.value).value_or(0), -kMostTraceNs, kMostTraceNs);
    }
    return values;
}

} // namespace

std::optional<FrameFigures> figuresOfEvent(const ChromeEvent &event, std::int64_t startNs)
{
    const std::vector<std::optional<std::int64_t>> values = frameValues(event);
    const std::int64_t frame = values[0].value_or(0);
    if (frame < 0 || frame > std::int64_t{kNoFrame})
        return std::nullopt;
    FrameFigures figures;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const FrameField &field = frameFields()[i];
        if (values[i] && (field.isRequired || *values[i] >= 0))
            field.set(figures, *values[i]);
    }
    figures.startNs = startNs;
    return isTracePiece(startNs, figures.periodNs()) ? std::optional(figures) : std::nullopt;
}

} // namespace jetscope

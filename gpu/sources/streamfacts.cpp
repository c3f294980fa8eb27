// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/streamfacts.h"

#include <cmath>
#include <cstdio>
#include <string_view>

namespace jetscope {

namespace {

std::string rounded(double value, const char *format = "%.4g")
{
    char text[32];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

std::string rateText(const StreamFacts &facts)
{
    // Half of the last digit that is shown.
    constexpr double kSameRate = 0.005;
    if (facts.measuredFps <= 0 && facts.claimedFps > 0)
        return rounded(facts.claimedFps)
            + (facts.isRateAssumed ? " fps assumed: it has no time stamps" : " fps claimed");
    if (facts.measuredFps <= 0)
        return {};
    std::string text =
        rounded(facts.measuredFps) + " fps by " + (facts.isRatedByArrival ? "arrival" : "its time stamps");
    if (facts.claimedFps > 0 && std::abs(facts.claimedFps - facts.measuredFps) > kSameRate * facts.measuredFps)
        text += ", " + rounded(facts.claimedFps) + " claimed";
    return text;
}

std::string colorText(const StreamColor &color)
{
    std::string text;
    for (const std::string *part : {&color.matrix, &color.range, &color.transfer})
        if (!part->empty())
            text += (text.empty() ? "" : ", ") + *part + (part == &color.range ? " range" : "");
    return color.assumed && !text.empty() ? text + " (assumed: the stream does not say)" : text;
}

std::string rotationText(const StreamFacts &facts)
{
    std::string text = facts.rotation != 0 ? std::to_string(facts.rotation) + "° clockwise" : std::string();
    if (facts.mirrored)
        text += text.empty() ? "mirrored" : ", then mirrored";
    return text;
}

std::string decoderText(const StreamFacts &facts)
{
    std::string text = facts.decoder;
    if (!facts.decoderKind.empty())
        text += " (" + facts.decoderKind + ")";
    return facts.decoderReason.empty() ? text : text + ": " + facts.decoderReason;
}

} // namespace

StreamColor streamColorOf(YuvColour colour)
{
    StreamColor words;
    words.matrix = colour == YuvColour::Bt601Limited || colour == YuvColour::Bt601Full ? "BT.601" : "BT.709";
    words.range = colour == YuvColour::Bt601Full || colour == YuvColour::Bt709Full ? "full" : "limited";
    return words;
}

StreamFacts rawStreamFacts(const ImageLayout &layout, double claimedFps)
{
    StreamFacts facts;
    facts.codec = "raw " + std::string(pixelFormatName(layout.format));
    facts.width = layout.width;
    facts.height = layout.height;
    facts.claimedFps = claimedFps;
    if (isYuv(layout.format))
        facts.color = streamColorOf(layout.colour);
    return facts;
}

std::vector<StreamFactRow> streamFactRows(const StreamFacts &facts)
{
    std::vector<StreamFactRow> rows;
    const auto add = [&rows](const char *key, const char *label, std::string text) {
        if (!text.empty())
            rows.push_back({key, label, std::move(text)});
    };
    add("container", "Container", facts.container);
    add("codec", "Codec", facts.codec);
    add("size", "Coded size",
        facts.width > 0 ? std::to_string(facts.width) + "×" + std::to_string(facts.height) : std::string());
    add("rate", "Rate", rateText(facts));
    add("color", "Colour", colorText(facts.color));
    add("rotation", "Rotation", rotationText(facts));
    add("sample_aspect", "Sample aspect", facts.sampleAspect != 1 ? rounded(facts.sampleAspect) : std::string());
    add("field_order", "Field order", facts.fieldOrder);
    add("stamps", "Time stamps", facts.stamps);
    add("decoder", "Decoder", facts.decoder.empty() ? std::string() : decoderText(facts));
    return rows;
}

std::string streamFactsText(const StreamFacts &facts)
{
    std::string text;
    for (const StreamFactRow &row : streamFactRows(facts)) {
        std::string label = row.label;
        label[0] = static_cast<char>(label[0] - 'A' + 'a');
        text += (text.empty() ? "" : "; ") + label + " " + row.text;
    }
    return text;
}

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

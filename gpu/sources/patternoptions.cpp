// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/patternoptions.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <vector>

namespace jetscope {

namespace {

struct NumberKey {
    std::string_view name;
    double PatternOptions::*own;
    double CameraLook::*look;
    double least;
    double most;
    std::string_view legal;
};

constexpr std::array<NumberKey, 12> kNumbers{{
    {"delay", &PatternOptions::delayMs, nullptr, 0, 2000, "milliseconds from 0 to 2000"},
    {"part", nullptr, &CameraLook::part, 0.05, 1, "a part of the width from 0.05 to 1"},
    {"turn", nullptr, &CameraLook::turnDegrees, -180, 180, "degrees from -180 to 180"},
    {"tilt", nullptr, &CameraLook::tiltDegrees, -60, 60, "degrees from -60 to 60"},
    {"blur", nullptr, &CameraLook::blurPixels, 0, 20, "pixels from 0 to 20"},
    {"noise", nullptr, &CameraLook::noise, 0, 2, "a part of the range from black to white, from 0 to 2"},
    {"white", nullptr, &CameraLook::white, 0, 4,
     "a brightness from 0 to 4, of which 1 is the brightest that is told apart"},
    {"black", nullptr, &CameraLook::black, 0, 4, "a brightness from 0 to 4"},
    {"exposure", nullptr, &CameraLook::exposureMs, 0, 1000, "milliseconds from 0 to 1000"},
    {"readout", nullptr, &CameraLook::readoutMs, 0, 1000, "milliseconds from 0 to 1000"},
    {"screen", nullptr, &CameraLook::screenHz, 1, 1000, "updates per second of the screen, from 1 to 1000"},
    {"response", nullptr, &CameraLook::responseMs, 0, 100, "milliseconds from 0 to 100"},
}};

constexpr std::string_view kFault = "fault";

constexpr std::array<std::pair<std::string_view, ClockFault>, 5> kFaults{{{"none", ClockFault::None},
                                                                          {"absent", ClockFault::Absent},
                                                                          {"two", ClockFault::Two},
                                                                          {"mirror", ClockFault::Mirrored},
                                                                          {"covered", ClockFault::Covered}}};

Error unusable(const SourceUri &uri, const SourceUri::Option &option, std::string_view legal)
{
    return {inQuotes(uri.text), 0,
            inQuotes(option.value) + " cannot be used: " + option.key + " is " + std::string(legal)};
}

/// All that a pattern: source has: those of any made-up source, and those of the clock.
std::vector<std::string_view> allOptions()
{
    std::vector<std::string_view> all{"size", "fps", "format", "rate", "frames", "phase"};
    for (const NumberKey &key : kNumbers)
        all.push_back(key.name);
    all.push_back(kFault);
    return all;
}

/// Whether the option is one of the clock's; then it is set.
Result<bool> setLook(PatternOptions &options, const SourceUri &uri, const SourceUri::Option &option)
{
    for (const NumberKey &key : kNumbers) {
        if (key.name != option.key)
            continue;
        const auto value = parseNumber<double>(option.value, key.least, key.most);
        if (!value)
            return unusable(uri, option, key.legal);
        (key.own ? options.*key.own : options.look.*key.look) = *value;
        return true;
    }
    if (option.key != kFault)
        return false;
    const auto fault =
        std::find_if(kFaults.begin(), kFaults.end(), [&](const auto &row) { return row.first == option.value; });
    if (fault == kFaults.end())
        return unusable(uri, option, "none, absent, two, mirror or covered");
    options.look.fault = fault->second;
    return true;
}

} // namespace

Result<PatternOptions> readPatternOptions(const SourceUri &uri)
{
    if (!uri.path.empty())
        return Error{inQuotes(uri.text), 0,
                     "the pattern has no path, but " + inQuotes(uri.path)
                         + " is given: options follow a '?', as in pattern:?delay=50"};
    PatternOptions options;
    SourceUri rest = uri;
    rest.options.clear();
    for (const SourceUri::Option &option : uri.options) {
        JETSCOPE_TRY_ASSIGN(const bool isSet, setLook(options, uri, option));
        if (!isSet)
            rest.options.push_back(option);
    }
    JETSCOPE_TRY_ASSIGN(options.source, readSourceOptions(rest, allOptions()));
    if (options.look.black >= options.look.white)
        return Error{inQuotes(uri.text), 0, "black must be darker than white"};
    return options;
}

} // namespace jetscope

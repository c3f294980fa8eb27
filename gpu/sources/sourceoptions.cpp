// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourceoptions.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace jetscope {

namespace {

constexpr double kSlowestRate = 0.1;
constexpr double kFastestRate = 1000;
constexpr std::uint64_t kMaxFrames = 1'000'000'000'000; // Keeps times in nanoseconds far below overflow.
constexpr double kLongestPhaseMs = 10'000;
constexpr std::uint64_t kMaxPreloaded = 100'000;

bool readSize(std::string_view text, SourceOptions &options)
{
    const auto size = readPictureSize(text);
    if (size)
        std::tie(options.width, options.height) = *size;
    return size.has_value();
}

bool readFps(std::string_view text, SourceOptions &options)
{
    options.fps = readPictureRate(text);
    return options.fps.has_value();
}

bool readFormat(std::string_view text, SourceOptions &options)
{
    constexpr std::array<std::pair<std::string_view, PixelFormat>, 4> kFormats{{{"bgr", PixelFormat::Bgr8},
                                                                                {"nv12", PixelFormat::Nv12},
                                                                                {"yuyv", PixelFormat::Yuyv},
                                                                                {"grey", PixelFormat::Grey8}}};
    const auto found =
        std::find_if(kFormats.begin(), kFormats.end(), [text](const auto &row) { return row.first == text; });
    if (found == kFormats.end())
        return false;
    options.format = found->second;
    return true;
}

bool readRate(std::string_view text, SourceOptions &options)
{
    if (text == "real")
        options.pacing = Pacing::Real;
    else if (text == "max")
        options.pacing = Pacing::Unpaced;
    return options.pacing.has_value();
}

bool readFrames(std::string_view text, SourceOptions &options)
{
    const auto frames = parseNumber<std::uint64_t>(text, 1, kMaxFrames);
    options.frames = frames.value_or(options.frames);
    return frames.has_value();
}

bool readLoop(std::string_view text, SourceOptions &options)
{
    options.loop = text == "1";
    return text == "0" || text == "1";
}

bool readPreload(std::string_view text, SourceOptions &options)
{
    const auto pictures = parseNumber<std::uint64_t>(text, 1, kMaxPreloaded);
    options.preload = pictures.value_or(options.preload);
    return pictures.has_value();
}

bool readVia(std::string_view text, SourceOptions &options)
{
    options.throughStream = text == "eglstream";
    return text == "eglstream" || text == "memory";
}

bool readPhase(std::string_view text, SourceOptions &options)
{
    const auto ms = parseNumber<double>(text, 0, kLongestPhaseMs);
    if (ms)
        options.phase = std::chrono::nanoseconds(static_cast<std::int64_t>(*ms * 1e6));
    return ms.has_value();
}

struct Key {
    std::string_view name;
    bool (*read)(std::string_view, SourceOptions &);
    std::string_view legal; ///< Completes "size is …".
};

constexpr std::array<Key, 9> kKeys{{
    {"size", readSize, "WIDTHxHEIGHT in pixels, from 1x1 to 8192x8192"},
    {"fps", readFps, "a rate from 0.1 to 1000 frames per second"},
    {"format", readFormat, "bgr, nv12, yuyv or grey"},
    {"rate", readRate, "real (the source's own rate) or max (as fast as frames are taken)"},
    {"frames", readFrames, "a count from 1 to 1000000000000"},
    {"loop", readLoop, "1 (start again at the end) or 0"},
    {"preload", readPreload, "a count of pictures to decode before the first frame, from 1 to 100000"},
    {"via", readVia, "memory, or eglstream (frames pass through an EGLStream on the device, as some cameras' do)"},
    {"phase", readPhase, "milliseconds from 0 to 10000 after multiples of the period by CLOCK_MONOTONIC"},
}};

} // namespace

std::optional<std::pair<int, int>> readPictureSize(std::string_view text)
{
    const auto cross = text.find('x');
    if (cross == std::string_view::npos)
        return std::nullopt;
    const auto width = parseNumber<int>(text.substr(0, cross), 1, kMaxSyntheticSide);
    const auto height = parseNumber<int>(text.substr(cross + 1), 1, kMaxSyntheticSide);
    if (!width || !height)
        return std::nullopt;
    return std::pair(*width, *height);
}

std::optional<double> readPictureRate(std::string_view text)
{
    return parseNumber<double>(text, kSlowestRate, kFastestRate);
}

Result<SourceOptions> readSourceOptions(const SourceUri &uri, const std::vector<std::string_view> &allowed)
{
    SourceOptions options;
    for (const SourceUri::Option &option : uri.options) {
        const auto key =
            std::find_if(kKeys.begin(), kKeys.end(), [&](const Key &row) { return row.name == option.key; });
        const bool known = key != kKeys.end() && std::find(allowed.begin(), allowed.end(), option.key) != allowed.end();
        if (!known)
            return Error{inQuotes(uri.text), 0,
                         "a " + uri.scheme + ": source has no option " + inQuotes(option.key) + ": use "
                             + alternatives(allowed)};
        if (!key->read(option.value, options))
            return Error{inQuotes(uri.text), 0,
                         inQuotes(option.value) + " cannot be used: " + option.key + " is " + std::string(key->legal)};
    }
    return options;
}

SourceInfo generatorInfo(std::string_view name, const SourceUri &uri, const SourceOptions &options, Pacing pacing)
{
    constexpr double kDefaultRate = 60;
    SourceInfo info;
    info.uri = uri.text;
    info.layout = makeImageLayout(options.format, options.width, options.height);
    info.fps = options.fps.value_or(kDefaultRate);
    info.live = options.pacing.value_or(pacing) == Pacing::Real;
    info.pacedFps = info.live ? info.fps : 0;
    info.description = std::string(name) + " · " + pictureText(info.layout) + " · "
        + (info.live ? rateText(info.fps) + " fps" : std::string("as fast as taken"));
    return info;
}

std::string pictureText(const ImageLayout &layout)
{
    return std::to_string(layout.width) + "×" + std::to_string(layout.height) + " "
        + std::string(pixelFormatName(layout.format));
}

std::string rateText(double fps)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", fps);
    return text.data();
}

} // namespace jetscope

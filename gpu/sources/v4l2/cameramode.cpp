// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/cameramode.h"

#include "gpu/sources/sourceoptions.h"
#include "gpu/sources/v4l2/camerafacts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace jetscope {

namespace {

constexpr std::pair<int, int> kUsualSize{1280, 720};
constexpr double kUsualRate = 30;

struct Candidate {
    const ReadableFormat *format = nullptr;
    v4l2_format wanted{};
    double rate = 0; ///< The nearest rate to the requested one; 0 if unknown.
};

std::set<std::uint32_t> fourccsOf(const CameraDevice &device)
{
    std::set<std::uint32_t> all;
    v4l2_fmtdesc description{};
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    for (; description.index < 256 && device.tryIoctl(VIDIOC_ENUM_FMT, &description); ++description.index)
        all.insert(description.pixelformat);
    return all;
}

/// The mode that the driver would set for the request in one format.
std::optional<Candidate> candidateOf(const CameraDevice &device, const ReadableFormat &format,
                                     const CameraOptions &options)
{
    const auto [width, height] = options.size.value_or(kUsualSize);
    Candidate candidate;
    candidate.format = &format;
    candidate.wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    v4l2_pix_format &picture = candidate.wanted.fmt.pix;
    picture.width = static_cast<std::uint32_t>(width);
    picture.height = static_cast<std::uint32_t>(height);
    picture.pixelformat = format.fourcc;
    picture.field = V4L2_FIELD_NONE;
    if (!device.tryIoctl(VIDIOC_TRY_FMT, &candidate.wanted) || picture.pixelformat != format.fourcc)
        return std::nullopt;
    // A driver that has no whole pictures may weave the fields itself.
    if (fieldLayoutOf(picture.field) != FieldLayout::Frame) {
        v4l2_format woven = candidate.wanted;
        woven.fmt.pix.width = static_cast<std::uint32_t>(width);
        woven.fmt.pix.height = static_cast<std::uint32_t>(height);
        woven.fmt.pix.field = V4L2_FIELD_INTERLACED;
        if (device.tryIoctl(VIDIOC_TRY_FMT, &woven) && woven.fmt.pix.pixelformat == format.fourcc
            && fieldLayoutOf(woven.fmt.pix.field) == FieldLayout::Frame)
            candidate.wanted = woven;
    }
    const double wish = options.fps.value_or(kUsualRate);
    for (const double rate :
         ratesOf(device, format.fourcc, static_cast<int>(picture.width), static_cast<int>(picture.height)))
        if (candidate.rate == 0 || std::abs(rate - wish) < std::abs(candidate.rate - wish))
            candidate.rate = rate;
    return candidate;
}

bool meetsSize(const Candidate &candidate, const CameraOptions &options)
{
    const auto [width, height] = options.size.value_or(kUsualSize);
    return candidate.wanted.fmt.pix.width == static_cast<std::uint32_t>(width)
        && frameHeight(candidate.wanted.fmt.pix) == static_cast<std::uint32_t>(height);
}

Result<Candidate> choose(const CameraDevice &device, const CameraOptions &options)
{
    const std::set<std::uint32_t> offered = fourccsOf(device);
    const double wish = options.fps.value_or(kUsualRate);
    // A rate within 5 % of the request counts as met; below that, higher is better.
    const auto score = [&](const Candidate &candidate) {
        const double rate = candidate.rate == 0 ? wish : std::min(candidate.rate, wish);
        return (meetsSize(candidate, options) ? 10 : 0) + std::min(1.0, rate / wish + 0.05);
    };
    std::optional<Candidate> best;
    for (const ReadableFormat &format : readableFormats()) {
        if (offered.count(format.fourcc) == 0 || (options.format && options.format != &format))
            continue;
        const std::optional<Candidate> candidate = candidateOf(device, format, options);
        if (candidate && (!best || score(*candidate) > score(*best)))
            best = candidate;
    }
    const std::string name = inQuotes(device.path());
    if (!best)
        return Error{"VIDIOC_ENUM_FMT", 0,
                     name
                         + (options.format ? " does not deliver " + std::string(options.format->name)
                                    + ": leave format away, or see what it has"
                                           : std::string(" delivers no format that Jetscope reads: see what it has"))
                         + " with jetscope doctor"};
    const v4l2_pix_format &picture = best->wanted.fmt.pix;
    if (options.size && !meetsSize(*best, options))
        return Error{"VIDIOC_TRY_FMT", 0,
                     name + " does not deliver " + std::to_string(options.size->first) + "x"
                         + std::to_string(options.size->second) + "; the nearest it has is "
                         + std::to_string(picture.width) + "x" + std::to_string(frameHeight(picture))
                         + ": use that, or see all sizes with jetscope doctor"};
    return *best;
}

/// The rate in force; 0 if the driver does not report it.
double setRate(const CameraDevice &device, double wish)
{
    v4l2_streamparm parameters{};
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (!device.tryIoctl(VIDIOC_G_PARM, &parameters))
        return 0;
    v4l2_fract &interval = parameters.parm.capture.timeperframe;
    if (parameters.parm.capture.capability & V4L2_CAP_TIMEPERFRAME) {
        interval.numerator = 1000;
        interval.denominator = static_cast<std::uint32_t>(std::lround(wish * 1000));
        if (!device.tryIoctl(VIDIOC_S_PARM, &parameters) || !device.tryIoctl(VIDIOC_G_PARM, &parameters))
            return 0;
    }
    return interval.numerator == 0 ? 0 : static_cast<double>(interval.denominator) / interval.numerator;
}

/// Whether the option is valid; if not, `legal` completes "size is …".
bool readOption(const SourceUri::Option &option, CameraOptions &options, std::string &legal)
{
    if (option.key == "size") {
        legal = "WIDTHxHEIGHT in pixels, from 1x1 to 8192x8192";
        options.size = readPictureSize(option.value);
        return options.size.has_value();
    }
    if (option.key == "fps") {
        legal = "a rate from 0.1 to 1000 frames per second";
        options.fps = readPictureRate(option.value);
        return options.fps.has_value();
    }
    if (option.key == "format") {
        std::vector<std::string_view> names;
        for (const ReadableFormat &format : readableFormats())
            names.push_back(format.name);
        legal = alternatives(names);
        options.format = formatNamed(option.value);
        return options.format != nullptr;
    }
    legal = "best (user memory where the driver takes it), mmap (the driver's memory), userptr (ours) or dmabuf (the "
            "driver's, handed to "
            "the GPU)";
    if (option.value == "mmap")
        options.memory = CameraOptions::Memory::Mapped;
    else if (option.value == "userptr")
        options.memory = CameraOptions::Memory::User;
    else if (option.value == "dmabuf")
        options.memory = CameraOptions::Memory::Dmabuf;
    return option.value == "best" || options.memory != CameraOptions::Memory::Best;
}

} // namespace

std::uint32_t frameHeight(const v4l2_pix_format &picture)
{
    // The height of these is that of a field, as the kernel's documentation of v4l2_pix_format says.
    return picture.field == V4L2_FIELD_ALTERNATE ? 2 * picture.height : picture.height;
}

Result<CameraMode> setCameraMode(const CameraDevice &device, const CameraOptions &options)
{
    JETSCOPE_TRY_ASSIGN(Candidate chosen, choose(device, options));
    v4l2_format format = chosen.wanted;
    JETSCOPE_TRY(device.call("VIDIOC_S_FMT", VIDIOC_S_FMT, &format));
    const v4l2_pix_format &picture = format.fmt.pix;
    const auto legal = [](std::uint32_t side) {
        return side >= 1 && side <= static_cast<std::uint32_t>(kMaxImageSide);
    };
    if (!fieldLayoutOf(picture.field))
        return Error{"VIDIOC_S_FMT", 0,
                     inQuotes(device.path()) + " orders the fields of its pictures in a way that is not known ("
                         + std::to_string(picture.field) + "): choose another format or size"};
    if (picture.pixelformat != chosen.format->fourcc || !legal(picture.width) || !legal(frameHeight(picture)))
        return Error{"VIDIOC_S_FMT", 0,
                     inQuotes(device.path()) + " did not keep the mode that was set: its driver is broken"};
    CameraMode mode;
    mode.format = chosen.format;
    mode.picture = picture;
    mode.fields = *fieldLayoutOf(picture.field);
    if (mode.fields != FieldLayout::Frame && mode.format->compressed)
        return Error{"VIDIOC_S_FMT", 0,
                     inQuotes(device.path()) + " delivers compressed half pictures (" + fieldOrderText(picture.field)
                         + "), which are not read: choose another format"};
    mode.fps = setRate(device, options.fps.value_or(chosen.rate > 0 ? chosen.rate : kUsualRate));
    return mode;
}

Result<CameraOptions> readCameraOptions(const SourceUri &uri)
{
    CameraOptions options;
    options.path = uri.path;
    if (!uri.path.empty() && uri.path.front() != '/')
        return Error{inQuotes(uri.text), 0,
                     inQuotes(uri.path) + " is no device: write v4l2:/dev/video0, or v4l2: for the first camera"};
    for (const SourceUri::Option &option : uri.options) {
        const bool known = option.key == "size" || option.key == "fps" || option.key == "format" || option.key == "io";
        if (!known)
            return Error{inQuotes(uri.text), 0,
                         "a v4l2: source has no option " + inQuotes(option.key) + ": use size, fps, format or io"};
        std::string legal;
        if (!readOption(option, options, legal))
            return Error{inQuotes(uri.text), 0,
                         inQuotes(option.value) + " cannot be used: " + option.key + " is " + legal};
    }
    return options;
}

} // namespace jetscope

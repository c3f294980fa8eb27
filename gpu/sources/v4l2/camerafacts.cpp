// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/camerafacts.h"

#include "gpu/sources/v4l2/formattable.h"

#include <algorithm>

namespace jetscope {

namespace {

// More than any camera has; limits a driver that never ends its list.
constexpr std::uint32_t kMaxFormats = 256;
constexpr std::uint32_t kMaxSizes = 256;
constexpr std::uint32_t kMaxRates = 64;

double rateOf(const v4l2_fract &interval)
{
    return interval.numerator == 0 ? 0 : static_cast<double>(interval.denominator) / interval.numerator;
}

void addSize(const CameraDevice &device, std::uint32_t fourcc, std::uint32_t width, std::uint32_t height,
             CameraFormat &format)
{
    if (width < 1 || height < 1 || width > static_cast<std::uint32_t>(kMaxImageSide)
        || height > static_cast<std::uint32_t>(kMaxImageSide))
        return;
    CameraSize size{static_cast<int>(width), static_cast<int>(height), {}};
    size.rates = ratesOf(device, fourcc, size.width, size.height);
    format.sizes.push_back(std::move(size));
}

/// For a range of sizes, adds the common sizes in it.
void addRange(const CameraDevice &device, std::uint32_t fourcc, const v4l2_frmsize_stepwise &range,
              CameraFormat &format)
{
    constexpr std::pair<std::uint32_t, std::uint32_t> kUsual[] = {{320, 240},  {640, 360},   {640, 480},  {800, 600},
                                                                  {1280, 720}, {1920, 1080}, {3840, 2160}};
    const auto inside = [](std::uint32_t side, std::uint32_t low, std::uint32_t high, std::uint32_t step) {
        return side >= low && side <= high && (step == 0 || (side - low) % step == 0);
    };
    for (const auto &[width, height] : kUsual)
        if (inside(width, range.min_width, range.max_width, range.step_width)
            && inside(height, range.min_height, range.max_height, range.step_height))
            addSize(device, fourcc, width, height, format);
}

std::vector<CameraFormat> formatsOf(const CameraDevice &device)
{
    std::vector<CameraFormat> formats;
    for (std::uint32_t i = 0; i < kMaxFormats; ++i) {
        v4l2_fmtdesc description{};
        description.index = i;
        description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        if (!device.tryIoctl(VIDIOC_ENUM_FMT, &description))
            break;
        CameraFormat format;
        format.name = formatText(description.pixelformat);
        format.readable = formatOf(description.pixelformat) ? Capability::yes()
                                                            : Capability::no("Jetscope does not read this format");
        for (std::uint32_t k = 0; format.readable.available && k < kMaxSizes; ++k) {
            v4l2_frmsizeenum size{};
            size.index = k;
            size.pixel_format = description.pixelformat;
            if (!device.tryIoctl(VIDIOC_ENUM_FRAMESIZES, &size))
                break;
            if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
                addSize(device, description.pixelformat, size.discrete.width, size.discrete.height, format);
                continue;
            }
            addRange(device, description.pixelformat, size.stepwise, format);
            break;
        }
        formats.push_back(std::move(format));
    }
    return formats;
}

} // namespace

std::vector<double> ratesOf(const CameraDevice &device, std::uint32_t fourcc, int width, int height)
{
    std::vector<double> rates;
    for (std::uint32_t i = 0; i < kMaxRates; ++i) {
        v4l2_frmivalenum interval{};
        interval.index = i;
        interval.pixel_format = fourcc;
        interval.width = static_cast<std::uint32_t>(width);
        interval.height = static_cast<std::uint32_t>(height);
        if (!device.tryIoctl(VIDIOC_ENUM_FRAMEINTERVALS, &interval))
            break;
        const bool discrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE;
        const double rate = rateOf(discrete ? interval.discrete : interval.stepwise.min);
        if (rate > 0)
            rates.push_back(rate);
        if (!discrete)
            break;
    }
    std::sort(rates.begin(), rates.end(), std::greater<>());
    return rates;
}

namespace {

/// The mode that the driver is in now; nothing is changed.
StreamFacts presentMode(const CameraDevice &device)
{
    v4l2_format format{};
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (!device.tryIoctl(VIDIOC_G_FMT, &format) || format.fmt.pix.width < 1 || format.fmt.pix.height < 1
        || format.fmt.pix.width > static_cast<std::uint32_t>(kMaxImageSide)
        || format.fmt.pix.height > static_cast<std::uint32_t>(kMaxImageSide))
        return {};
    v4l2_streamparm parameters{};
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    const bool rated = device.tryIoctl(VIDIOC_G_PARM, &parameters);
    return streamFactsOf(format.fmt.pix, rated ? rateOf(parameters.parm.capture.timeperframe) : 0);
}

} // namespace

std::optional<CameraInfo> examineCamera(const CameraDevice &device)
{
    v4l2_capability capability{};
    if (!device.tryIoctl(VIDIOC_QUERYCAP, &capability))
        return std::nullopt;
    const std::uint32_t can =
        capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    if (!(can & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE)))
        return std::nullopt;
    CameraInfo info;
    info.path = device.path();
    info.uri = "v4l2:" + info.path;
    info.name = textOf(capability.card);
    info.driver = textOf(capability.driver);
    info.bus = textOf(capability.bus_info);
    if (!(can & V4L2_CAP_VIDEO_CAPTURE))
        info.usable = Capability::no("its driver has the multi-planar interface alone, which Jetscope does not speak");
    else if (!(can & V4L2_CAP_STREAMING))
        info.usable = Capability::no("its driver does not stream");
    else {
        info.formats = formatsOf(device);
        info.stream = presentMode(device);
    }
    if (info.formats.empty() && info.usable.reason.empty())
        info.usable = Capability::no("it names no format");
    else if (info.usable.reason.empty()) {
        const bool any = std::any_of(info.formats.begin(), info.formats.end(),
                                     [](const CameraFormat &format) { return format.readable.available; });
        info.usable = any ? Capability::yes()
                          : Capability::no("it delivers " + info.formats.front().name
                                           + " only, which Jetscope does not read; raw sensors "
                                             "of a Jetson are reached as csi:0");
    }
    return info;
}

std::optional<CameraDevice> findCamera(V4l2Syscalls &kernel, const CameraInfo &wanted)
{
    for (const std::string &path : kernel.devices()) {
        Result<CameraDevice> device = CameraDevice::open(kernel, path);
        if (!device.ok())
            continue;
        v4l2_capability capability{};
        if (device.value().tryIoctl(VIDIOC_QUERYCAP, &capability) && textOf(capability.card) == wanted.name
            && textOf(capability.bus_info) == wanted.bus && examineCamera(device.value()))
            return std::move(device).value();
    }
    return std::nullopt;
}

std::vector<CameraInfo> camerasOf(V4l2Syscalls &kernel)
{
    std::vector<CameraInfo> cameras;
    for (const std::string &path : kernel.devices()) {
        const Result<CameraDevice> device = CameraDevice::open(kernel, path);
        if (device.ok()) {
            if (std::optional<CameraInfo> info = examineCamera(device.value()))
                cameras.push_back(std::move(*info));
            continue;
        }
        CameraInfo info;
        info.path = path;
        info.uri = "v4l2:" + path;
        info.name = path;
        info.usable = Capability::no(device.error().text);
        cameras.push_back(std::move(info));
    }
    return cameras;
}

Result<CameraDevice> openFirstCamera(V4l2Syscalls &kernel)
{
    for (const CameraInfo &camera : camerasOf(kernel))
        if (camera.usable.available)
            return CameraDevice::open(kernel, camera.path);
    return Error{"v4l2:", 0,
                 "no camera is connected that can be used: plug one in, or see what is wrong with jetscope doctor"};
}

std::vector<CameraInfo> listCameras()
{
    return camerasOf(V4l2Syscalls::system());
}

} // namespace jetscope

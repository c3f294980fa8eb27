// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// The controls of a camera that can be set while it runs.
#include "gpu/sources/v4l2/camerafacts.h"

#include <algorithm>

namespace jetscope {

namespace {

// More than any camera has.
constexpr int kMaxControls = 512;
constexpr std::int64_t kMaxChoices = 256;

std::optional<CameraControl::Kind> kindOf(std::uint32_t type)
{
    switch (type) {
    case V4L2_CTRL_TYPE_INTEGER:
        return CameraControl::Kind::Integer;
    case V4L2_CTRL_TYPE_BOOLEAN:
        return CameraControl::Kind::Boolean;
    case V4L2_CTRL_TYPE_MENU:
    case V4L2_CTRL_TYPE_INTEGER_MENU:
        return CameraControl::Kind::Menu;
    case V4L2_CTRL_TYPE_BUTTON:
        return CameraControl::Kind::Button;
    default:
        return std::nullopt; // Strings, arrays and rectangles cannot be shown as sliders.
    }
}

void readChoices(const CameraDevice &device, std::uint32_t type, CameraControl &control)
{
    const std::int64_t last = std::min(control.maximum, control.minimum + kMaxChoices);
    for (std::int64_t index = std::max<std::int64_t>(control.minimum, 0); index <= last; ++index) {
        v4l2_querymenu entry{};
        entry.id = control.id;
        entry.index = static_cast<std::uint32_t>(index);
        if (!device.tryIoctl(VIDIOC_QUERYMENU, &entry))
            continue; // Menus may have unused indices.
        const bool number = type == V4L2_CTRL_TYPE_INTEGER_MENU;
        control.choices.emplace_back(index,
                                     number ? std::to_string(static_cast<long long>(entry.value)) : textOf(entry.name));
    }
}

std::optional<CameraControl> controlOf(const CameraDevice &device, const v4l2_query_ext_ctrl &query)
{
    const std::optional<CameraControl::Kind> kind = kindOf(query.type);
    if (!kind || query.nr_of_dims > 0 || query.flags & V4L2_CTRL_FLAG_DISABLED)
        return std::nullopt;
    CameraControl control;
    control.id = query.id;
    control.name = textOf(query.name);
    control.kind = *kind;
    control.minimum = query.minimum;
    control.maximum = query.maximum;
    control.step = std::max<std::int64_t>(1, static_cast<std::int64_t>(query.step));
    control.standard = query.default_value;
    control.value = query.default_value;
    control.readOnly = query.flags & V4L2_CTRL_FLAG_READ_ONLY;
    control.inactive = query.flags & (V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED);
    if (*kind == CameraControl::Kind::Menu)
        readChoices(device, query.type, control);
    v4l2_control value{};
    value.id = query.id;
    if (!(query.flags & V4L2_CTRL_FLAG_WRITE_ONLY) && device.tryIoctl(VIDIOC_G_CTRL, &value))
        control.value = value.value;
    return control;
}

} // namespace

std::vector<CameraControl> controlsOf(const CameraDevice &device)
{
    std::vector<CameraControl> controls;
    v4l2_query_ext_ctrl query{};
    for (int i = 0; i < kMaxControls; ++i) {
        const std::uint32_t before = query.id;
        query = {};
        query.id = before | V4L2_CTRL_FLAG_NEXT_CTRL;
        if (!device.tryIoctl(VIDIOC_QUERY_EXT_CTRL, &query) || query.id <= before)
            break; // Ends the loop for a driver that does not advance.
        if (std::optional<CameraControl> control = controlOf(device, query))
            controls.push_back(std::move(*control));
    }
    return controls;
}

Result<std::vector<CameraControl>> readCameraControls(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const CameraDevice device, CameraDevice::open(V4l2Syscalls::system(), path));
    return controlsOf(device);
}

Status setCameraControl(const std::string &path, std::uint32_t id, std::int64_t value)
{
    JETSCOPE_TRY_ASSIGN(const CameraDevice device, CameraDevice::open(V4l2Syscalls::system(), path));
    v4l2_control control{};
    control.id = id;
    control.value = static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
    return device.call("VIDIOC_S_CTRL", VIDIOC_S_CTRL, &control);
}

} // namespace jetscope

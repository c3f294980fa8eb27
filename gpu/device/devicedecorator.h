// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace jetscope {

class Device;

/// What stands between a pipeline and each device that it opens: takes the device, returns what the pipeline calls in
/// its place (see ForwardingDevice). Called on the pipeline thread.
using DeviceDecorator = std::function<std::unique_ptr<Device>(std::unique_ptr<Device>)>;

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace jetscope {

class Device;

/// Wraps each device that a pipeline opens: takes the device and returns the one that the pipeline uses instead (see
/// ForwardingDevice). Called on the pipeline thread.
using DeviceDecorator = std::function<std::unique_ptr<Device>(std::unique_ptr<Device>)>;

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "core/system/database.h"

#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// The rows of a capture's table `device`, in the order of the file.
using DeviceRows = std::vector<std::pair<std::string, std::string>>;

/// Reads the table `device` of a capture or a sweep.
Result<DeviceRows> readDeviceRows(const std::string &path);

/// The text of a row; empty if there is none.
std::string deviceRow(const DeviceRows &rows, std::string_view name);

/// Rows of the banner as label and text: facts of device and driver, and rows that this version does not know. Without
/// rows that a report shows elsewhere (device, source, program, settings).
std::vector<std::pair<std::string, std::string>> bannerRows(const DeviceRows &rows);

/// The facts that decide which settings are legal, as far as the rows tell them.
DeviceFacts factsOfRows(const DeviceRows &rows);

} // namespace jetscope

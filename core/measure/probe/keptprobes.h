// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"
#include "core/result.h"

#include <optional>
#include <string>

namespace jetscope {

/// The folder of the user's data of Jetscope: $XDG_DATA_HOME/jetscope, or ~/.local/share/jetscope. Empty if neither
/// variable is set.
std::string userDataFolder();

/// The path at which the probe of a device is kept in a folder: one for each id and name, so that another board under
/// the same id has its own.
std::string keptProbePath(const std::string &folder, const DeviceFacts &device);

/// Keeps the table in place of an earlier one of the device; creates the folder.
Status keepProbe(const ProbeTable &table, const std::string &folder);

/// The kept table of this device; none if there is none. An unreadable file is an error. A table of another device
/// under this name counts as none.
Result<std::optional<ProbeTable>> keptProbe(const DeviceFacts &device, const std::string &folder);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/sessionrequest.h"

#include <QStringList>

namespace jetscope {

/// The command line that opens a window with this request.
QStringList relaunchArguments(const SessionRequest &request);

/// Starts the program again with this request and ends this process: the way back to a device that is lost to it.
/// False, and nothing ends, when the program could not be started.
bool relaunch(const SessionRequest &request);

} // namespace jetscope

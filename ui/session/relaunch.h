// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/sessionrequest.h"

#include <QStringList>

namespace jetscope {

/// Command line that opens a window with this request.
QStringList relaunchArguments(const SessionRequest &request);

/// Starts a new process with this request and ends this one: the only way to reopen a device that is lost to this
/// process. Returns false, without ending this process, if the program could not be started.
bool relaunch(const SessionRequest &request);

} // namespace jetscope

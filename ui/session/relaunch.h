// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/sessionrequest.h"

#include <QString>
#include <QStringList>

#include <string>

namespace jetscope {

/// Command line that opens a window with this request.
QStringList relaunchArguments(const SessionRequest &request);

/// Starts a new process with this request and ends this one: the only way to reopen a device that is lost to this
/// process. Returns false, without ending this process, if the program could not be started.
bool relaunch(const SessionRequest &request);

/// The same where this process cannot be ended in order, because the GPU never does what it waits for. `why` is for the
/// user of the new window. Returns only if the program could not be started.
void relaunchAtOnce(const SessionRequest &request, const QString &why);
/// What relaunchAtOnce said; empty if this process was started otherwise. Later processes do not get it.
QString takeRelaunchReason();

/// Without the own kernels of this file.
SessionRequest withoutKernel(SessionRequest request, const std::string &file);

} // namespace jetscope

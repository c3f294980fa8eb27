// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/sessionrequest.h"
#include "ui/window/openwindow.h"

namespace jetscope {

/// Request for the window: the command line overrides the settings.
SessionRequest windowRequest(const WindowOptions &options, SessionRequest settings);

} // namespace jetscope

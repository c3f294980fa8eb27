// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/remote/boardconnector.h"

namespace jetscope {

/// Reaches boards by the user's own ssh (core/remote/reach), and makes the connection again when it is cut.
BoardConnector sshConnector();

} // namespace jetscope

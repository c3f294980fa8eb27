// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "ui/style/theme.h"

namespace jetscope {

/// How a piece of the critical path is drawn: as the work that it is, quiet where something waits.
QColor pathColor(PathCause cause, const Theme &theme);

} // namespace jetscope

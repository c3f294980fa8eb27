// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "ui/style/theme.h"

namespace jetscope {

/// Colour of a critical path segment: that of its work category, or a muted one for waits.
QColor pathColor(PathCause cause, const Theme &theme);

} // namespace jetscope

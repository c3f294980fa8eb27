// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinedisplay.h"

namespace jetscope {

/// What pipelines can share with Qt. UI thread, after the QApplication was created.
GlShare findGlShare();

} // namespace jetscope

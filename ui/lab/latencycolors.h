// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <QColor>
#include <QString>

namespace jetscope {

/// The colour of a part of a frame's way, in the present theme.
QColor latencyColor(LatencyPart part);
/// "exposure and readout"
QString latencyPartTitle(LatencyPart part);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/board/machinereport.h"

#include <QJsonObject>

namespace jetscope {

/// The object that `doctor --json` prints.
QJsonObject doctorJson(const MachineReport &report);

} // namespace jetscope

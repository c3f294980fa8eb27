// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/measure/comparefiles.h"

#include <QJsonObject>

namespace jetscope {

/// The object of `compare --json` (keys: resources/docs/json.md).
QJsonObject compareJson(const ComparedCaptures &captures, const CaptureComparison &comparison);
QJsonObject compareJson(const Options &options, const SweepComparison &comparison);

} // namespace jetscope

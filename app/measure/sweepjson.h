// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"

#include <QJsonObject>

namespace jetscope {

/// The result of a sweep: keys in resources/docs/json.md.
QJsonObject sweepJson(const StoredSweep &sweep);

} // namespace jetscope

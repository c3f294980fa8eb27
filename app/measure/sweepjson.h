// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"

#include <QJsonObject>

namespace jetscope {

/// The result of a sweep: keys in the README of app.
QJsonObject sweepJson(const StoredSweep &sweep);

} // namespace jetscope

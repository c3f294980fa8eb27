// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/run/runreport.h"

#include <QJsonObject>

namespace jetscope {

/// The object that `run --json` prints. Missing figures are null.
QJsonObject runJson(const RunReport &report, const Options &options);

} // namespace jetscope

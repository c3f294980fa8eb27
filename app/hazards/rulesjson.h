// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/hazards/rulesreport.h"

#include <QJsonObject>

namespace jetscope {

/// The object that `rules --json` prints.
QJsonObject rulesJson(const RulesReport &report);

} // namespace jetscope

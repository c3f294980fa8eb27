// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/streamfacts.h"

#include <QJsonObject>

namespace jetscope {

/// Each known fact in words by its key, and the numbers among them.
QJsonObject streamFactsJson(const StreamFacts &facts);
QJsonObject sourceFaultsJson(const SourceFaults &faults);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "ui/hazards/foundhazards.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace jetscope {

/// Everything that an export of the tab contains.
struct HazardReport {
    const FoundHazards &hazards;
    QString coverage;                    ///< The sentence above the rows.
    std::optional<CoverageCounts> rules; ///< None if it is unknown which rules were checked.
};

QString hazardReportText(const HazardReport &report);
/// The rows have the keys of `jetscope run --hazards --json`.
QByteArray hazardReportJson(const HazardReport &report);

} // namespace jetscope

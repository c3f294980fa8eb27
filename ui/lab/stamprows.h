// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/stampdoctor.h"

#include <QList>
#include <QString>

namespace jetscope {

/// What is known of stamps, in words.
struct StampRow {
    enum class State { Measured, Agrees, Differs, Unknown };
    QString what;
    QString found;
    QString about; ///< What the source says, or how sure it is.
    State state = State::Measured;
};

QList<StampRow> stampRows(const StampFinding &finding);
QString stampStateText(StampRow::State state);
/// "Latency = now − stamp + (0.04 ms)"; why there is none where there is none.
QString stampUse(const StampFinding &finding);

} // namespace jetscope

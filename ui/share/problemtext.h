// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/share/ownnames.h"
#include "ui/share/recenterrors.h"

#include <QJsonObject>

namespace jetscope {

/// What a report of a problem is made of.
struct ProblemFacts {
    QString shown;   ///< What the window shows: source, device, state.
    QString command; ///< The command line of the present choices; empty without a pipeline.
    QString picture; ///< How pictures reach the screen.
    QList<RecentErrors::Entry> errors;
};

/// The report: plain text to read before it is given away, without names. `doctor` is the object of `jetscope doctor
/// --json`, `doctorProblem` why there is none.
QString problemText(const ProblemFacts &facts, const QJsonObject &doctor, const QString &doctorProblem,
                    const OwnNames &names);

} // namespace jetscope

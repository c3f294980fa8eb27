// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace jetscope {

/// Names that say who the user is.
struct OwnNames {
    QStringList homes; ///< Absolute paths of the home folder, as written and with links followed.
    QString user;
    QString host;
};

/// Of the user who runs this program.
OwnNames ownNames();

/// The text with "~" for the home folder, "USER" and "HOST" for the names, and without user names and passwords in
/// addresses. A name of one or two letters is replaced only as a folder of a path and before an "@", because it may
/// also be a word.
QString withoutNames(QString text, const OwnNames &names);

} // namespace jetscope

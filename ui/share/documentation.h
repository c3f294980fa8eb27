// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace jetscope {

/// The first page of the installed reference, seen from the folder of the program; empty if it is not installed.
QString installedDocumentation(const QString &programFolder);

/// Opens that page in the desktop's viewer. Where there is none, shows the reference that is part of the program.
void openDocumentation(const QString &programFolder, QWidget *parent);

} // namespace jetscope

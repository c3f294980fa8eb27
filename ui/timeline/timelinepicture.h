// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

class QWidget;

namespace jetscope {

/// A picture of a view to hand to others, below a line that says what it shows.
QImage pictureOf(QWidget &view, const QString &title);

} // namespace jetscope

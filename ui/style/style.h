// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAccessible>

class QWidget;

namespace jetscope {

/// Sets a property that the style sheet selects on, and re-applies the style if it changed.
void setStyleKind(QWidget *widget, const char *property, const char *value);

/// Whether the desktop wants no animations, as far as Qt passes that on: the style then has animations of no duration.
/// Needs a QApplication.
bool desktopReducesMotion();

/// Tells screen readers what a widget is that paints itself; Qt knows the role of its own widgets only. UI thread.
void setAccessibleRole(QWidget *widget, QAccessible::Role role);

} // namespace jetscope

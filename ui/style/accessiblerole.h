// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAccessible>

class QWidget;

namespace jetscope {

/// Tells screen readers what a widget is that paints itself; Qt knows the role of its own widgets only. UI thread.
void setAccessibleRole(QWidget *widget, QAccessible::Role role);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace jetscope {

/// Sets a property that the style sheet selects on, and makes the style look again when it changed.
void setStyleKind(QWidget *widget, const char *property, const char *value);

} // namespace jetscope

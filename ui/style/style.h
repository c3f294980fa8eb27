// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace jetscope {

/// Sets a property that the style sheet selects on, and re-applies the style if it changed.
void setStyleKind(QWidget *widget, const char *property, const char *value);

} // namespace jetscope

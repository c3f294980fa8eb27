// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/factsections.h"

#include <QWidget>

namespace jetscope {

/// The rows of a section: name, value with its reason, and for a row with a command a button that copies it. All texts
/// wrap.
class FactGrid : public QWidget {
    Q_OBJECT
public:
    explicit FactGrid(const FactSection &section, QWidget *parent = nullptr);
};

} // namespace jetscope

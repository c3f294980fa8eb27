// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <QWidget>

namespace jetscope {

/// Which kind of memory CPU and GPU of a device cache, and why. Texts wrap.
class MemoryTableView : public QWidget {
    Q_OBJECT
public:
    explicit MemoryTableView(const DeviceFacts &facts, QWidget *parent = nullptr);
};

} // namespace jetscope

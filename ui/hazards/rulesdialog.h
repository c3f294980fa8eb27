// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <QDialog>

#include <optional>

namespace jetscope {

/// All rules: those that are checked on a device, those that cannot be checked there, and those that do not apply, with
/// the reasons.
class RulesDialog : public QDialog {
    Q_OBJECT
public:
    /// Without facts it is not known what was checked.
    explicit RulesDialog(const std::optional<DeviceFacts> &facts, QWidget *parent = nullptr);

    QString text() const;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/settings/devicefacts.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace jetscope {

/// What was checked for hazards.
struct CheckedRun {
    enum class Origin : std::uint8_t {
        None,     ///< There is no run yet.
        Pipeline, ///< `facts` and the frames are known.
        File,     ///< A capture, which does not contain what was checked.
    };
    Origin origin = Origin::None;
    DeviceFacts facts;
    quint64 frames = 0;          ///< That ran with this device.
    quint64 framesElsewhere = 0; ///< That ran with other devices before, with the rules of those.

    std::optional<CoverageCounts> rules() const;
    QString text() const;
};

/// One sentence about the rules that are checked, always visible, with the way to the list of rules.
class CoverageLine : public QWidget {
    Q_OBJECT
public:
    explicit CoverageLine(QWidget *parent = nullptr);

    void show(const CheckedRun &run);
    const CheckedRun &run() const { return m_run; }
    QString text() const;

private:
    void showRules();

    CheckedRun m_run;
    QLabel *m_text;
    QPushButton *m_rules;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/heattable.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;

namespace jetscope {

struct SettingRow;

/// Which part of a sweep is shown: metric, frame size, other work, and the settings beside memory and synchronization.
/// Only what the sweep varies has a control. Shows the table of the best combination until the user chooses another
/// one.
class SweepPicker : public QWidget {
    Q_OBJECT
public:
    explicit SweepPicker(QWidget *parent = nullptr);

    /// `isOther`: another sweep, not the same one with more figures.
    void show(std::shared_ptr<const SweepReport> report, bool isOther);

    Figure metric() const;
    /// The workload that is shown; null without a report.
    const SweepWorkload *workload() const;
    const HeatMap &map() const { return m_map; }
    /// The table that is shown; null if there is none.
    const HeatTable *table() const;

    QComboBox *metricBox() const { return m_metric; }
    QSlider *sizeSlider() const { return m_size; }
    /// By the key of a setting.
    QComboBox *box(const QString &name) const;

signals:
    void changed();                             ///< Another workload or table is shown.
    void metricChosen(jetscope::Figure metric); ///< The sweep must be ranked by it first.

private:
    /// A setting with a box of its own.
    struct Axis {
        const SettingRow *row;
        QComboBox *box;
        QLabel *label;

        QString text(const SweepCell &cell) const;
    };

    /// With `labelled`, box and label are hidden until they are filled.
    QComboBox *addBox(const QString &name, const QString &label, const QString &toolTip, QLabel **labelled = nullptr);
    void addAxis(const SettingRow &row);
    void fillMetrics();
    void fillWorkloads();
    void fillAxes();
    void showBest();
    void showSize();
    void userChose();
    std::size_t workloadPlace() const;

    std::shared_ptr<const SweepReport> m_report;
    HeatMap m_map; ///< Of the workload.
    bool m_isUsersChoice = false;
    QComboBox *m_metric;
    QLabel *m_sizeLabel;
    QSlider *m_size;
    std::vector<SweepSize> m_sizes;
    std::vector<Axis> m_works; ///< Together with the size they pick the workload, whose tables the others pick.
    std::vector<Axis> m_axes;
};

} // namespace jetscope

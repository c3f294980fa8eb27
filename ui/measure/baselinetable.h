// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/baseline.h"

#include <QWidget>

#include <optional>
#include <vector>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QPushButton;

namespace jetscope {

struct PinnedPresent;

/// Table that compares the current figures with a pinned baseline, which baseline that is, and the pin button. Its size
/// fits the longest possible texts, so changing figures do not move the layout.
class BaselineTable : public QWidget {
    Q_OBJECT
public:
    explicit BaselineTable(QWidget *parent = nullptr);

    void setNow(const PresentFigures &now);
    /// What is pinned, and its comparison with the present as soon as it is known.
    void setComparison(const std::optional<PinnedPresent> &pinned, const std::optional<CaptureComparison> &comparison);
    /// Which baseline is compared, of those with a letter each; `pinned`: what each is, empty if nothing.
    void setBaselines(int chosen, const QStringList &pinned);
    /// `reason` empty: the present can be pinned.
    void setCanPin(const QString &reason);
    /// What is pinned, in a few words.
    const QString &title() const { return m_title; }

signals:
    void titled(const QString &title);
    void pinWanted();
    void baselineWanted(int baseline);

protected:
    bool event(QEvent *event) override;

private:
    QLabel *cell(int row, int column) const;
    void fixSizes();
    void setTitle(int column, const QString &title);
    void show(const std::vector<ComparisonRow> &rows);
    void refresh();

    QButtonGroup *m_baselines;
    QPushButton *m_pin;
    QLabel *m_note;
    QGridLayout *m_grid;
    std::optional<PipelineConfig> m_pinned;
    std::optional<SettingCounts> m_counts; ///< Of A.
    std::optional<CaptureComparison> m_comparison;
    bool m_isCollecting = false; ///< A still takes frames.
    PresentFigures m_now;
    QString m_title;
    QString m_letter;
};

} // namespace jetscope

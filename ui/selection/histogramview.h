// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/figurewish.h"

#include <QWidget>

namespace jetscope {

/// Distribution of the durations of one name, on a logarithmic axis.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kBins = RangeReport::kBins;

    explicit HistogramView(QWidget *parent = nullptr);
    /// An empty histogram clears the view.
    void show(const QString &name, DurationHistogram histogram, std::int64_t medianNs);
    const DurationHistogram &histogram() const { return m_histogram; }
    QString name() const { return m_name; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRect plot() const;
    std::int64_t edgeNs(std::size_t bin) const;

    QString m_name;
    DurationHistogram m_histogram;
    std::int64_t m_medianNs = 0;
};

} // namespace jetscope

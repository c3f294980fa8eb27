// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameraskew.h"

#include <QStringList>
#include <QWidget>

namespace jetscope {

/// A row for each camera: how far its frame of each moment is from the middle of the others, by the stamps and by the
/// arrivals. UI thread.
class SkewView : public QWidget {
    Q_OBJECT
public:
    explicit SkewView(QWidget *parent = nullptr);

    /// `names` are of the cameras of the finding.
    void show(const SkewFinding &finding, const QStringList &names);
    /// How far the axis reaches to both sides.
    double reachMs() const { return m_reachMs; }
    QSize sizeHint() const override { return {480, 160}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    double xOf(double ms) const;
    void paintCamera(QPainter &painter, std::size_t camera, const QRect &row) const;

    SkewFinding m_finding;
    QStringList m_names;
    double m_reachMs = 1;
};

} // namespace jetscope

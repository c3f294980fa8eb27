// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/hazards/foundhazards.h"

#include <QWidget>

namespace jetscope {

/// The accesses of a hazard on the lanes of their queues. A dashed arrow with a question mark stands for the order that
/// is missing between them. All sizes follow the font.
class HazardPicture : public QWidget {
    Q_OBJECT
public:
    explicit HazardPicture(const FoundHazard &hazard, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Number of lanes: one per queue.
    int lanes() const { return static_cast<int>(m_queues.size()); }
    bool hasArrow() const { return m_arrow; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Box {
        FoundAccess access;
        int lane = 0;
    };
    int space() const; ///< Unit of all distances.
    int laneHeight() const;
    int labelWidth() const;
    int boxWidth(const Box &box) const;
    QRect boxRect(std::size_t index) const;
    void paintLane(QPainter &painter, int lane) const;
    void paintBox(QPainter &painter, std::size_t index) const;
    void paintArrow(QPainter &painter) const;

    std::vector<Box> m_boxes;
    QStringList m_queues; ///< By lane.
    bool m_arrow;
};

} // namespace jetscope

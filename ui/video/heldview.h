// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/video/heldframe.h"

#include <QWidget>

class QPushButton;

namespace jetscope {

/// In place of the live picture while a frame is selected: what is held of that frame's, and the way back. It says what
/// it shows, so that nobody takes it for live.
class HeldView : public QWidget {
    Q_OBJECT
public:
    explicit HeldView(QWidget *parent = nullptr);

    void setFrame(const HeldFrame &held);
    const HeldFrame &held() const { return m_held; }
    QPushButton *backToLive() const { return m_live; }

signals:
    void liveWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QRect pictureRect() const;

    HeldFrame m_held;
    QPushButton *m_live;
};

} // namespace jetscope

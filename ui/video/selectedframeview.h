// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/video/selectedpicture.h"

#include <QWidget>

class QPushButton;

namespace jetscope {

/// In place of the live picture while a frame is selected: what is held of that frame's, and the way back. It says what
/// it shows, so that nobody takes it for live.
class SelectedFrameView : public QWidget {
    Q_OBJECT
public:
    explicit SelectedFrameView(QWidget *parent = nullptr);

    void setFrame(const SelectedPicture &held);
    const SelectedPicture &held() const { return m_picture; }
    QPushButton *backToLive() const { return m_live; }

signals:
    void liveWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QRect pictureRect() const;

    SelectedPicture m_picture;
    QPushButton *m_live;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

class QPushButton;

namespace jetscope {

class RecentPictures;
class Trace;
class TraceSelection;

/// Stored picture for a frame.
struct SelectedPicture {
    /// Whole, Thumbnail: of the frame itself; Nearest: of another frame at most a second away; None: no picture.
    enum class Kind { Whole, Thumbnail, Nearest, None };
    Kind kind = Kind::None;
    QImage image;
    QString text; ///< Description for display, or why there is no picture.
};

/// For the selected frame; a frame must be selected.
SelectedPicture selectedPicture(const Trace &trace, const RecentPictures &recent, const TraceSelection &selection);

/// Replaces the live picture while a frame is selected: the stored picture of that frame, and a button to return. A
/// label identifies the picture, so that it is not mistaken for the live one.
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

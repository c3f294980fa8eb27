// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotepictures.h"
#include "ui/live/viewtransform.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace jetscope {

/// The picture of a pipeline on a board: reduced ones as they come, each with what was taken away written on it, and on
/// demand the whole frame of the one that is shown. While nobody can see it, it asks for none. UI thread.
class BoardPictureView : public QWidget {
    Q_OBJECT
public:
    explicit BoardPictureView(QWidget *parent = nullptr);
    ~BoardPictureView() override;

    /// Shows the pictures of a board of this name; null: of none any more.
    void setPictures(std::shared_ptr<RemotePictures> pictures, const QString &board);

    /// Why the whole frame cannot be fetched now; empty if it can.
    QString whyNoFetch() const;
    bool isFetching() const { return m_isFetching; }
    /// The whole frame, while it is shown.
    const std::optional<BoardPicture> &whole() const { return m_whole; }
    /// What is shown, reduced or whole; null before the first picture.
    const QImage &image() const { return m_image; }
    /// What is written on the picture.
    QString label() const;
    QPushButton *backToPreviews() const { return m_back; }
    QPushButton *cancelButton() const { return m_cancel; }

public slots:
    void fetchWhole();
    void cancelFetch();
    void showPreviews();
    void fit();
    void zoomToPixels();

signals:
    void changed();                          ///< Whether a frame can be fetched or saved.
    void reducedShown(quint32 frame);        ///< image() is a new reduced one.
    void troubled(const QString &reason);    ///< No pictures come.
    void fetchFailed(const QString &reason); ///< In a sentence.

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void takeNews();
    void takeReduced(BoardPicture picture);
    void takeWhole(Result<BoardPicture> whole);
    void askIfSeen();
    void showProgress();
    void showState();
    void setTransform(const ViewTransform &transform);
    QSize frameSize() const;
    QString hint() const;

    std::shared_ptr<RemotePictures> m_pictures;
    QString m_board;
    std::optional<BoardPicture> m_reduced; ///< The shown one, without its pixels.
    QSize m_reducedSize;
    std::optional<BoardPicture> m_whole;
    bool m_isFetching = false;
    QString m_trouble;
    QImage m_image;
    ViewTransform m_transform;
    QPushButton *m_back;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
    QPointF m_pressedAt;
    bool m_isPressed = false;
    bool m_isDragged = false;
};

} // namespace jetscope

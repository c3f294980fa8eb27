// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

class PathBar;
class Trace;
class TraceSelection;
struct PathSummary;

/// Replaces the video while a trace from a file is shown: origin of the trace, and the picture of the selected frame if
/// one is stored. Trace and selection must outlive it.
class TraceFilePage : public QWidget {
    Q_OBJECT
public:
    TraceFilePage(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);
    /// The trace was replaced or has grown.
    void refresh();
    /// Where the frame period is spent.
    void showPath(const PathSummary &path);
    QString text() const;

signals:
    void liveWanted(); ///< Return to the camera.

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showPicture();
    void scalePicture();

    const Trace &m_trace;
    TraceSelection &m_selection;
    QLabel *m_title;
    QLabel *m_facts;
    QPushButton *m_live;
    QLabel *m_pathTitle;
    PathBar *m_path;
    QLabel *m_picture;
    QLabel *m_caption;
    QImage m_image;
};

} // namespace jetscope

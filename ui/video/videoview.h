// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/glshare.h"
#include "ui/video/inputconverter.h"
#include "ui/video/presentpath.h"
#include "ui/video/presenttest.h"
#include "ui/video/readbackpictureview.h"
#include "ui/video/videoscene.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QVBoxLayout;

namespace jetscope {

/// What the view shows pictures with.
struct VideoParts {
    GlShare share;
    ReadbackOpener openReadback;
};

/// The picture with its before/after split, zoom, pan, pixel inspector and the CPU stage's answer. UI thread; the
/// pipeline must be taken away before it ends.
class VideoView : public QWidget {
    Q_OBJECT
public:
    explicit VideoView(VideoParts parts, QWidget *parent = nullptr);
    ~VideoView() override;

    /// Null takes it away; the last picture stays.
    void setFramePort(FramePort *port);

    /// Auto lets the machine and the self-test decide.
    void setPresentPath(PresentPath wanted);
    PresentPath presentPath() const { return m_path; } ///< The one in force.
    PresentPath wantedPath() const { return m_wantedPath; }
    bool isTesting() const { return m_test != nullptr; }
    QString presentNote() const { return m_presentNote; } ///< Why this path, and what the self-test found.

    void setOutputLabel(const QString &label);
    void setAnswer(CpuAnswer answer);
    void clearAnswer();
    const VideoScene &scene() const { return m_scene; }
    quint64 framesShown() const { return m_framesShown; }
    /// Over the widget's own grab where a native window shows the picture; null otherwise.
    QImage grabContent() const;
    /// The newest frame where it is in memory; null where it stays on the GPU.
    QImage picture() const;
    /// As PictureView::copy.
    std::optional<FramePicture> copy(int width);

public slots:
    void stepPresentPath(); ///< "Video is black?"
    void setBeforeShown(bool shown);
    void setAnswerShown(bool shown);
    void setInspecting(bool on);
    void fit();
    void zoomToPixels(); ///< One picture pixel per view pixel.

signals:
    void frameTaken(quint32 frame); ///< Now the newest, whether anybody sees it or not.
    void frameShown(quint32 frame); ///< It is on the screen.
    void presentPathChanged();
    void problem(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void usePath(PresentPath path, const QString &note);
    void startTest();
    void testFinished(PresentTest::Outcome outcome);
    std::unique_ptr<PictureView> makeExternalBuffer(PresentPath path);
    void attach();
    void fetchNext();
    void showFetched();
    void inputConverted(quint32 frame, const QImage &image);
    bool handleMouse(QEvent *event);
    void press(QPointF at);
    void drag(QPointF at);
    void inspect(QPointF at);
    void wheel(QPointF at, int delta);
    void setTransform(const ViewTransform &transform);
    void moveSplit(double split);
    void repaintSurface();

    VideoParts m_parts;
    VideoScene m_scene;
    QVBoxLayout *m_layout;
    std::unique_ptr<PictureView> m_surface;
    std::unique_ptr<PresentTest> m_test;
    InputConverter m_converter;
    QTimer m_answerRepaint; ///< For an answer that no new frame brings to the screen.
    FramePort *m_port = nullptr;
    PresentPath m_path = PresentPath::Readback;
    PresentPath m_wantedPath = PresentPath::Auto;
    QString m_presentNote;
    std::optional<PictureView::Fetched> m_fetched; ///< Waiting for its input picture.
    bool m_inspecting = false;
    bool m_movingSplit = false;
    std::optional<QPointF> m_panFrom;
    quint64 m_framesShown = 0;
};

} // namespace jetscope

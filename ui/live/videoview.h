// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/inputconverter.h"
#include "ui/live/presentpath.h"
#include "ui/live/presenttest.h"
#include "ui/live/readbackpictureview.h"
#include "ui/live/videoscene.h"
#include "ui/session/glshare.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QVBoxLayout;

namespace jetscope {

/// Resources for showing pictures.
struct VideoParts {
    GlShare share;
    ReadbackOpener openReadback;
};

/// The picture with before/after split, zoom, pan, pixel inspector and results of the CPU stage. UI thread; call
/// setPipeline(nullptr) before the pipeline is destroyed.
class VideoView : public QWidget {
    Q_OBJECT
public:
    explicit VideoView(VideoParts parts, QWidget *parent = nullptr);
    ~VideoView() override;

    /// Null detaches the pipeline; the last picture stays visible.
    void setFramePort(FramePort *port);

    /// With Auto, the capabilities of the machine and the self-test decide.
    void setPresentPath(PresentPath wanted);
    PresentPath presentPath() const { return m_path; } ///< The path in use.
    PresentPath wantedPath() const { return m_wantedPath; }
    bool isTesting() const { return m_test != nullptr; }
    QString presentNote() const { return m_presentNote; } ///< Reason for this path, and the result of the self-test.

    void setOutputLabel(const QString &label);
    void setAnswer(CpuAnswer answer);
    void clearAnswer();
    const VideoScene &scene() const { return m_scene; }
    quint64 framesShown() const { return m_framesShown; }
    /// Content to draw over the result of QWidget::grab if a native window shows the picture; else null.
    QImage grabContent() const;
    /// The newest frame if it is in main memory; null if it is on the GPU.
    QImage picture() const;
    /// See PictureView::copy.
    std::optional<FramePicture> copy(int width);

public slots:
    void stepPresentPath(); ///< "Video is black?"
    void setBeforeShown(bool shown);
    void setAnswerShown(bool shown);
    void setInspecting(bool on);
    void fit();
    void zoomToPixels(); ///< One picture pixel per view pixel.

signals:
    void frameTaken(quint32 frame); ///< The frame is the newest one, visible or not.
    void frameShown(quint32 frame); ///< The frame is on the screen.
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
    std::unique_ptr<PictureView> makePictureView(PresentPath path);
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
    std::unique_ptr<PictureView> m_pictureView;
    std::unique_ptr<PresentTest> m_test;
    InputConverter m_converter;
    QTimer m_answerRepaint; ///< Repaints for an answer if no new frame does.
    FramePort *m_port = nullptr;
    PresentPath m_path = PresentPath::Readback;
    PresentPath m_wantedPath = PresentPath::Auto;
    QString m_presentNote;
    std::optional<PictureView::Fetched> m_fetched; ///< Waits for its input picture.
    bool m_inspecting = false;
    bool m_movingSplit = false;
    std::optional<QPointF> m_panFrom;
    quint64 m_framesShown = 0;
};

} // namespace jetscope

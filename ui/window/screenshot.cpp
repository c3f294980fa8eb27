// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/screenshot.h"

#include "ui/files/picturefile.h"
#include "ui/live/videoview.h"
#include "ui/measure/sweeppage.h"
#include "ui/session/session.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/mainwindow.h"
#include "ui/window/traceworkspace.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPixmap>

#include <cstdio>

namespace jetscope {

namespace {

constexpr int kPatienceMs = 30'000;

} // namespace

Screenshot::Screenshot(MainWindow &window, QString path, quint64 afterFrames)
    : QObject(&window), m_window(window), m_path(std::move(path)), m_afterFrames(afterFrames)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    m_patience.start();
    connect(&m_patience, &QTimer::timeout, this, &Screenshot::giveUp);
    connect(window.live().video(), &VideoView::frameShown, this, &Screenshot::frameShown);
    connect(window.live().video(), &VideoView::problem, this, &Screenshot::fail);
    const BackgroundJob &job = window.trace().opener().job();
    connect(&job, &BackgroundJob::progressed, this, [this] { m_patience.start(); });
    // The window shows the file, or the error, right after this signal.
    connect(&job, &BackgroundJob::ended, this, [this] { QTimer::singleShot(0, this, &Screenshot::fileShown); });
    Session &session = window.live().session();
    for (const Session *each : {&session, &window.trace().session()})
        connect(each, &Session::failed, this,
                [this, each] { fail(QString::fromStdString(each->failure().message())); });
    connect(&session, &Session::statusChanged, this, [this, &session] {
        if (session.phase() != Session::Phase::Open)
            return;
        if (session.status().state == PipelineState::Failed)
            fail(tr("the pipeline stopped"));
        else if (session.status().state == PipelineState::Ended)
            // The last frame may not be on the screen yet.
            QTimer::singleShot(1000, this, &Screenshot::endedTooSoon);
    });
}

void Screenshot::frameShown()
{
    m_patience.start();
    if (!m_done && m_window.live().video()->framesShown() >= m_afterFrames)
        // After the paint event of the frame.
        QTimer::singleShot(0, this, &Screenshot::take);
}

void Screenshot::fileShown()
{
    if (m_window.trace().hasTrace() || m_window.live().sweep()->report())
        take();
}

void Screenshot::giveUp()
{
    fail(m_window.trace().opener().job().isRunning() ? tr("opening the file makes no progress for 30 seconds")
                                                     : tr("no frame was shown for 30 seconds"));
}

void Screenshot::endedTooSoon()
{
    fail(tr("the source ended after %1 of %2 frames; ask for fewer with --after-frames")
             .arg(m_window.live().video()->framesShown())
             .arg(m_afterFrames));
}

void Screenshot::take()
{
    if (std::exchange(m_done, true))
        return;
    m_window.session().poll();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // Lays out texts that have just changed.
    QPixmap picture = m_window.grab();
    const VideoView *video = m_window.live().video();
    if (const QImage content = video->grabContent(); video->isVisible() && !content.isNull()) {
        QPainter painter(&picture);
        painter.drawImage(QRect(video->mapTo(&m_window, QPoint()), video->size()), content);
    }
    const Status saved = savePicture(picture.toImage(), m_path);
    if (saved.ok()) {
        QCoreApplication::exit(0);
        return;
    }
    m_done = false;
    fail(QString::fromStdString(saved.error().message()));
}

void Screenshot::fail(const QString &why)
{
    if (std::exchange(m_done, true))
        return;
    std::fprintf(stderr, "jetscope: no screenshot was made: %s\n", qUtf8Printable(why));
    QCoreApplication::exit(1);
}

} // namespace jetscope

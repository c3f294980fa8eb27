// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowfiles.h"

#include "ui/session/traceselection.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/statusline.h"
#include "ui/window/tracepanels.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowmenus.h"

#include <QAction>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QUrl>

#include <utility>

namespace jetscope {

namespace {

/// The file of a drag with exactly one local file; else empty.
QString fileOf(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

WindowFiles::WindowFiles(Parts parts) : m_parts(std::move(parts))
{
    connectCommands();
    for (Workspace *each : {static_cast<Workspace *>(&m_parts.live), static_cast<Workspace *>(&m_parts.trace)}) {
        const Recorder *recorder = &each->files().recorder();
        connect(recorder, &Recorder::started, this, &WindowFiles::showRecording);
        connect(recorder, &Recorder::progressed, this, &WindowFiles::showRecording);
        connect(recorder, &Recorder::stopped, this, &WindowFiles::showRecording);
        connect(&each->files(), &TraceFiles::recorded, this,
                [this](const QString &path) { m_parts.trace.opener().open(path); });
    }
    m_parts.shell.window.setAcceptDrops(true);
    m_parts.shell.window.installEventFilter(this);
}

Workspace &WindowFiles::recorded() const
{
    Workspace &shown = m_parts.shown();
    return shown.session().pipeline() ? shown : m_parts.live;
}

void WindowFiles::connectCommands()
{
    const WindowActions &actions = m_parts.shell.actions;
    const auto range = [this] { return m_parts.shown().panels().selection().time(); };
    connect(actions.openFile, &QAction::triggered, this, &WindowFiles::askForVideo);
    connect(actions.openTrace, &QAction::triggered, &m_parts.trace.opener(), &TraceOpener::askToOpen);
    connect(actions.record, &QAction::triggered, this, [this] { recorded().files().toggleRecording(); });
    connect(actions.save, &QAction::triggered, this, [this] { m_parts.shown().files().askToSave(); });
    connect(actions.exportChrome, &QAction::triggered, this,
            [this, range] { m_parts.shown().files().askToExport(TraceFiles::Format::Chrome, range()); });
    connect(actions.exportFrames, &QAction::triggered, this,
            [this, range] { m_parts.shown().files().askToExport(TraceFiles::Format::Csv, range()); });
    connect(actions.exportPicture, &QAction::triggered, this, [this] {
        Workspace &shown = m_parts.shown();
        shown.files().askToSavePicture([&shown] { return shown.timeline()->grab().toImage(); });
    });
}

void WindowFiles::askForVideo()
{
    const QString path = QFileDialog::getOpenFileName(
        &m_parts.shell.window, tr("Open a video or a picture"), QString(),
        tr("Videos and pictures (*.mp4 *.mkv *.avi *.mov *.webm *.png *.jpg *.jpeg *.bmp);;All files (*)"));
    if (!path.isEmpty())
        openSource(path);
}

void WindowFiles::openSource(const QString &path)
{
    emit m_parts.live.sourceMenu()->chosen(QStringLiteral("file:") + path);
}

void WindowFiles::showRecording()
{
    Recorder &live = m_parts.live.files().recorder();
    Recorder &program = m_parts.trace.files().recorder();
    m_parts.shell.actions.setRecording(recorded().files().recorder().isRecording());
    m_parts.status.showRecording(live.isRecording() ? live.text() : program.text());
}

/// Handles drags over the window: opens a dropped trace; another file becomes the source.
bool WindowFiles::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto *drop = static_cast<QDropEvent *>(event); // QDragEnterEvent derives from it.
    const QString path = fileOf(drop->mimeData());
    if (path.isEmpty())
        return QObject::eventFilter(watched, event);
    drop->acceptProposedAction();
    if (event->type() == QEvent::Drop)
        openDropped(path);
    return true;
}

void WindowFiles::openDropped(const QString &path)
{
    if (TraceOpener::isTraceName(path))
        m_parts.trace.opener().open(path);
    else
        openSource(path);
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowfiles.h"

#include "ui/files/tracefilepage.h"
#include "ui/query/querypage.h"
#include "ui/session/session.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/statusline.h"
#include "ui/window/topbar.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>

namespace jetscope {

namespace {

/// The file of a drag with exactly one local file; else empty.
QString fileOf(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

QMenu *WindowFiles::makeMenu(const WindowActions &actions, QWidget *parent)
{
    auto *menu = new QMenu(tr("File"), parent);
    menu->setToolTipsVisible(true);
    for (QAction *action : {actions.openFile, actions.openTrace, actions.compareFile, actions.inspectProgram})
        menu->addAction(action);
    menu->addSeparator();
    for (QAction *action : {actions.record, actions.save})
        menu->addAction(action);
    menu->addSeparator();
    for (QAction *action : {actions.exportChrome, actions.exportFrames, actions.exportPicture, actions.report})
        menu->addAction(action);
    return menu;
}

WindowFiles::WindowFiles(const Parts &parts, FileDialogs dialogs)
    : m_parts(parts),
      m_files(parts.session, parts.messages, parts.settings, std::move(dialogs)),
      m_page(new TraceFilePage(parts.session.trace(), parts.panels.selection()))
{
    m_parts.pages.addWidget(m_page);
    m_parts.panels.query()->setQuery(&m_files.query());
    connectCommands();
    connect(&m_files.recorder(), &Recorder::started, this, &WindowFiles::showRecording);
    connect(&m_files.recorder(), &Recorder::progressed, this, &WindowFiles::showRecording);
    connect(&m_files.recorder(), &Recorder::stopped, this, &WindowFiles::showRecording);
    connect(m_page, &TraceFilePage::liveWanted, &m_parts.session, &Session::open);
    connect(&m_files.job(), &BackgroundJob::started, this, [this](const QString &what) {
        if (m_parts.session.phase() == Session::Phase::Opening && !m_parts.session.pipeline())
            m_parts.errorPage.showOpening(what);
    });
    m_parts.window.setAcceptDrops(true);
    m_parts.window.installEventFilter(this);
}

void WindowFiles::connectCommands()
{
    const WindowActions &actions = m_parts.actions;
    const auto range = [this] { return m_parts.panels.selection().time(); };
    connect(actions.openFile, &QAction::triggered, this, &WindowFiles::askForVideo);
    connect(actions.openTrace, &QAction::triggered, &m_files, &TraceFiles::askToOpen);
    connect(actions.record, &QAction::triggered, &m_files, &TraceFiles::toggleRecording);
    connect(actions.save, &QAction::triggered, &m_files, &TraceFiles::askToSave);
    connect(actions.exportChrome, &QAction::triggered, &m_files,
            [this, range] { m_files.askToExport(TraceFiles::Format::Chrome, range()); });
    connect(actions.exportFrames, &QAction::triggered, &m_files,
            [this, range] { m_files.askToExport(TraceFiles::Format::Csv, range()); });
    connect(actions.exportPicture, &QAction::triggered, &m_files,
            [this] { m_files.askToSavePicture([this] { return m_parts.panels.timeline()->grab().toImage(); }); });
}

void WindowFiles::askForVideo()
{
    const QString path = QFileDialog::getOpenFileName(
        &m_parts.window, tr("Open a video or a picture"), QString(),
        tr("Videos and pictures (*.mp4 *.mkv *.avi *.mov *.webm *.png *.jpg *.jpeg *.bmp);;All files (*)"));
    if (!path.isEmpty())
        emit sourceChosen(QStringLiteral("file:") + path);
}

void WindowFiles::showTrace()
{
    const TraceOrigin &origin = m_parts.session.trace().origin();
    m_parts.pages.setCurrentWidget(m_page);
    m_page->refresh();
    m_page->showPath(m_parts.session.path());
    m_parts.topBar.setSource(origin.file.empty() ? tr("a trace") : QFileInfo(toQString(origin.file)).fileName());
    m_parts.topBar.setDevice(origin.device.empty() ? tr("not known") : toQString(origin.device));
    m_parts.topBar.setVerdict(m_parts.session.verdict());
    m_parts.status.showFile(m_parts.session.trace());
}

void WindowFiles::showRecording()
{
    m_parts.actions.setRecording(m_files.recorder().isRecording());
    m_parts.status.showRecording(m_files.recorder().text());
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
    if (TraceFiles::isTraceName(path))
        m_files.open(path);
    else
        emit sourceChosen(QStringLiteral("file:") + path);
}

} // namespace jetscope

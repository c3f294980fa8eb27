// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowfiles.h"

#include "core/fleet/fleetfolder.h"
#include "ui/files/recentfiles.h"
#include "ui/session/settings.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/timelinepicture.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/droptarget.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/statusline.h"
#include "ui/window/tracepanels.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowfleet.h"
#include "ui/window/windowmenus.h"

#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
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

/// What a picture shows: the source or file, the device and the part of the time.
QString pictureTitle(const Workspace &shown)
{
    const Session &session = shown.session();
    const std::string &device =
        session.phase() == Session::Phase::Open ? session.status().facts.name : session.trace().origin().device;
    QStringList parts{shown.detail()};
    if (!device.empty())
        parts += toQString(device);
    parts += shown.timeline()->summary();
    return parts.join(QStringLiteral(" · "));
}

} // namespace

WindowFiles::WindowFiles(Parts parts)
    : m_parts(std::move(parts)),
      m_target(new DropTarget(&m_parts.shell.window)),
      m_fleet(std::make_unique<WindowFleet>(m_parts.shell, m_parts.trace))
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

WindowFiles::~WindowFiles() = default;

Workspace &WindowFiles::recorded() const
{
    Workspace &shown = m_parts.shown();
    return shown.session().pipeline() ? shown : m_parts.live;
}

void WindowFiles::connectCommands()
{
    const WindowActions &actions = m_parts.shell.actions;
    const auto range = [this] { return m_parts.shown().panels().selection().time(); };
    connect(actions.open, &QAction::triggered, this, [this] {
        const QString path = m_parts.shell.places.askForAny(tr("Open"));
        if (!path.isEmpty())
            openAny(path);
    });
    connect(actions.record, &QAction::triggered, this, [this] {
        if (m_recordOnBoard && !recorded().files().recorder().isRecording())
            m_recordOnBoard();
        else
            recorded().files().toggleRecording();
    });
    connectWhole(actions.save, tr("Saving"), [this] { m_parts.shown().files().askToSave(); });
    connectWhole(actions.exportChrome, tr("An export"),
                 [this, range] { m_parts.shown().files().askToExport(TraceFiles::Format::Chrome, range()); });
    connectWhole(actions.exportFrames, tr("An export"),
                 [this, range] { m_parts.shown().files().askToExport(TraceFiles::Format::Csv, range()); });
    connect(actions.exportPicture, &QAction::triggered, this, [this] {
        Workspace &shown = m_parts.shown();
        shown.files().askToSavePicture([&shown] { return pictureOf(*shown.timeline(), pictureTitle(shown)); });
    });
    connect(actions.copyPicture, &QAction::triggered, this, [this] {
        Workspace &shown = m_parts.shown();
        QGuiApplication::clipboard()->setImage(pictureOf(*shown.timeline(), pictureTitle(shown)));
        m_parts.shell.messages.show(MessageBar::Kind::Info, tr("The picture of the timeline is in the clipboard."));
    });
}

/// A command for which the trace must be here. Of a capture that stays on its board it is offered for when it is.
void WindowFiles::connectWhole(QAction *action, const QString &what, const std::function<void()> &run)
{
    connect(action, &QAction::triggered, this, [this, what, run] {
        const bool isTrace = &m_parts.shown() == static_cast<Workspace *>(&m_parts.trace);
        if (!isTrace || !m_parts.trace.offersWhole(what, run))
            run();
    });
}

/// Traces are shown in Trace, videos and pictures run in Live; what is neither by its name is said by the reader of
/// traces, which knows many formats by their content.
void WindowFiles::openAny(const QString &path)
{
    if (isSourceName(path))
        openSource(QStringLiteral("file:") + path);
    else
        m_parts.trace.opener().open(path);
}

void WindowFiles::openSource(const QString &uri)
{
    emit m_parts.live.sourceMenu()->chosen(uri);
}

void WindowFiles::fillRecent(QMenu &menu)
{
    menu.clear();
    for (const RecentFiles::Entry &entry : RecentFiles(m_parts.shell.settings).entries()) {
        QString text = QFileInfo(entry.path).fileName();
        if (!entry.words.isEmpty())
            text += QStringLiteral(" · ") + entry.words;
        menu.addAction(menu.fontMetrics().elidedText(text, Qt::ElideRight, 520), this,
                       [this, path = entry.path] { m_parts.trace.opener().open(path); })
            ->setToolTip(entry.path);
    }
    const QStringList sources = m_parts.shell.settings.recentSources();
    if (!sources.isEmpty())
        menu.addSection(tr("Sources"));
    for (const QString &uri : sources)
        menu.addAction(menu.fontMetrics().elidedText(uri, Qt::ElideMiddle, 520), this, [this, uri] { openSource(uri); })
            ->setToolTip(uri);
    if (menu.isEmpty())
        menu.addAction(tr("Nothing was opened yet"))->setEnabled(false);
}

void WindowFiles::setBoardRecording(std::function<void()> toggle)
{
    m_recordOnBoard = std::move(toggle);
    showBoardRecording({});
}

void WindowFiles::showBoardRecording(const QString &text)
{
    m_boardRecording = text;
    showRecording();
}

void WindowFiles::showRecording()
{
    Recorder &live = m_parts.live.files().recorder();
    Recorder &program = m_parts.trace.files().recorder();
    const QString here = live.isRecording() ? live.text() : program.text();
    m_parts.shell.actions.setRecording(recorded().files().recorder().isRecording() || !m_boardRecording.isEmpty());
    m_parts.status.showRecording(here.isEmpty() ? m_boardRecording : here);
}

/// Drags over the window: what would happen is said before the drop.
bool WindowFiles::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::Drop:
        return drag(event) || QObject::eventFilter(watched, event);
    case QEvent::DragLeave:
        m_target->hide();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool WindowFiles::drag(QEvent *event)
{
    auto *drop = static_cast<QDropEvent *>(event); // QDragEnterEvent derives from it.
    const QString path = fileOf(drop->mimeData());
    if (path.isEmpty())
        return false;
    drop->acceptProposedAction();
    const QString name = QFileInfo(path).fileName();
    if (event->type() == QEvent::DragEnter) {
        m_target->showFor(isSourceName(path) ? tr("Drop %1 to run it through the pipeline").arg(name)
                              : fleetOfPath(path.toStdString()).empty()
                              ? tr("Drop %1 to open it as a trace").arg(name)
                              : tr("Drop %1 to open it as a fleet").arg(name));
    } else {
        m_target->hide();
        openAny(path);
    }
    return true;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/mainwindow.h"

#include "ui/controls/controlspanel.h"
#include "ui/files/tracefilepage.h"
#include "ui/files/workbar.h"
#include "ui/session/settings.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/tabs/querypage.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/messagebar.h"
#include "ui/window/statusline.h"
#include "ui/window/tabsummary.h"
#include "ui/window/topbar.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowmenus.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace jetscope {

namespace {

/// The file of a drag with exactly one local file; else empty.
QString fileOf(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

QMenu *MainWindow::makeFileMenu(QWidget *parent)
{
    auto *menu = new QMenu(tr("File"), parent);
    menu->setToolTipsVisible(true);
    for (QAction *action : {m_actions.openFile, m_actions.openTrace})
        menu->addAction(action);
    menu->addSeparator();
    for (QAction *action : {m_actions.record, m_actions.save})
        menu->addAction(action);
    menu->addSeparator();
    for (QAction *action : {m_actions.exportChrome, m_actions.exportFrames, m_actions.exportPicture})
        menu->addAction(action);
    return menu;
}

void MainWindow::makeFiles()
{
    setAcceptDrops(true);
    FileDialogs dialogs = m_parts.dialogs;
    if (!dialogs.open)
        dialogs = realFileDialogs(this);
    m_files = std::make_unique<TraceFiles>(*m_session, *m_messages, m_settings, std::move(dialogs));
    menuWidget()->layout()->addWidget(new WorkBar(m_files->job()));
    m_capturePage = new TraceFilePage(m_session->trace(), m_tracePanels->selection());
    m_pages->addWidget(m_capturePage);
}

void MainWindow::connectFiles()
{
    TraceFiles *files = m_files.get();
    const auto range = [this] { return m_tracePanels->selection().time(); };
    connect(m_actions.openTrace, &QAction::triggered, files, &TraceFiles::askToOpen);
    connect(m_actions.record, &QAction::triggered, files, &TraceFiles::toggleRecording);
    connect(m_actions.save, &QAction::triggered, files, &TraceFiles::askToSave);
    connect(m_actions.exportChrome, &QAction::triggered, files,
            [files, range] { files->askToExport(TraceFiles::Format::Chrome, range()); });
    connect(m_actions.exportFrames, &QAction::triggered, files,
            [files, range] { files->askToExport(TraceFiles::Format::Csv, range()); });
    connect(m_actions.exportPicture, &QAction::triggered, files,
            [this, files] { files->askToSavePicture([this] { return m_timeline->grab().toImage(); }); });
    connect(&files->recorder(), &Recorder::started, this, &MainWindow::showRecording);
    connect(&files->recorder(), &Recorder::progressed, this, &MainWindow::showRecording);
    connect(&files->recorder(), &Recorder::stopped, this, &MainWindow::showRecording);
    m_tracePanels->query()->setQuery(&files->query());
    connect(m_capturePage, &TraceFilePage::liveWanted, m_session.get(), &Session::open);
    connect(&files->job(), &BackgroundJob::started, this, [this](const QString &what) {
        if (m_session->phase() == Session::Phase::Opening && !m_session->pipeline())
            m_errorPage->showOpening(what);
    });
}

/// Disables the controls that need a pipeline, with the reason as tooltip.
void MainWindow::showLiveControls()
{
    const bool open = m_session->phase() == Session::Phase::Open;
    const QString reason = m_session->phase() == Session::Phase::File
        ? tr("A trace from a file is shown; \"Back to live\" (F5) opens the pipeline again.")
        : tr("There is no pipeline.");
    m_controls->setEnabled(open);
    m_controls->setToolTip(open ? QString() : reason);
    m_controls->setAccessibleDescription(open ? QString() : reason);
    for (QAction *action : {m_actions.pause, m_actions.step, m_actions.record, m_actions.pinBaseline}) {
        action->setEnabled(open);
        action->setToolTip(open ? m_actions.toolTipOf(action) : reason);
    }
}

void MainWindow::showFile()
{
    const TraceOrigin &origin = m_session->trace().origin();
    m_pages->setCurrentWidget(m_capturePage);
    m_capturePage->refresh();
    m_capturePage->showPath(m_session->path());
    m_topBar->setSource(origin.file.empty() ? tr("a trace") : QFileInfo(toQString(origin.file)).fileName());
    m_topBar->setDevice(origin.device.empty() ? tr("not known") : toQString(origin.device));
    m_topBar->setVerdict(m_session->verdict());
    m_status->showFile(m_session->trace());
    m_tabSummary->setText(m_timeline->summary());
}

void MainWindow::showRecording()
{
    const bool recording = m_files->recorder().isRecording();
    m_actions.setRecording(recording);
    m_status->showRecording(m_files->recorder().text());
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!fileOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = fileOf(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    if (TraceFiles::isTraceName(path))
        m_files->open(path);
    else
        emit m_sourceMenu->chosen(QStringLiteral("file:") + path);
}

} // namespace jetscope

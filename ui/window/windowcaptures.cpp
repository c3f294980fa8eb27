// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowcaptures.h"

#include "ui/files/fileplaces.h"
#include "ui/remote/capturesdialog.h"
#include "ui/remote/capturewords.h"
#include "ui/remote/viewbar.h"
#include "ui/remote/viewopener.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowfiles.h"

#include <QAction>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace jetscope {

WindowCaptures::WindowCaptures(Parts parts) : m_parts(std::move(parts))
{
    m_fetch.setCancelHelp(tr("Cancels. What came is kept, and fetching it again goes on from there."));
    connect(m_parts.actions.boardCaptures, &QAction::triggered, this, &WindowCaptures::showList);
    connect(&m_parts.trace.views(), &ViewOpener::shown, this, &WindowCaptures::viewShown);
    connect(&m_parts.trace, &TraceWorkspace::fetchWanted, this,
            [this](const QString &path) { fetch(QFileInfo(path).fileName()); });
    connect(&m_parts.trace, &TraceWorkspace::wholeWanted, this, &WindowCaptures::offerWhole);
    connect(&m_parts.trace.opener(), &TraceOpener::shown, this, &WindowCaptures::fileShown);
    setBoard({}, nullptr);
}

WindowCaptures::~WindowCaptures()
{
    delete m_dialog;
}

void WindowCaptures::setBoard(const QString &name, const std::shared_ptr<CaptureStore> &captures)
{
    delete m_dialog;
    m_board = name;
    m_recording = {};
    m_survivor.clear();
    m_viewed.clear();
    m_isAsking = false;
    // The last user of a connection waits for its goodbye, which this thread must not.
    if (m_captures)
        m_worker.start(
            [last = std::make_shared<std::shared_ptr<CaptureStore>>(std::move(m_captures))] { last->reset(); });
    m_captures = captures;
    WindowActions::allow(m_parts.actions.boardCaptures,
                         m_captures ? QString() : tr("The pipeline runs on this machine: connect to a board first."));
    m_parts.files.setBoardRecording(m_captures ? [this] { toggle(); } : std::function<void()>());
    viewShown();
}

void WindowCaptures::show(const RemoteState &state)
{
    if (!m_captures)
        return;
    const RecordingState before = std::exchange(m_recording, state.recording);
    m_parts.files.showBoardRecording(m_recording.isOn ? recordingWords(m_recording, m_board) : QString());
    const QString survivor = toQString(state.survivor);
    if (survivor != std::exchange(m_survivor, survivor) && !survivor.isEmpty())
        return offer(tr("%1 was started anew while it recorded. What it had recorded is kept there as %2.")
                         .arg(m_board, survivor),
                     survivor);
    const bool isSame = before.number == m_recording.number;
    if (!m_recording.isOn && m_recording.number > 0 && (!isSame || before.isOn))
        tellEnd(m_recording);
    else if (m_recording.isOn && !m_recording.waiting.empty() && m_recording.waiting != before.waiting)
        m_parts.messages.show(MessageBar::Kind::Warning, toQString(Error{{}, 0, m_recording.waiting}.message()));
}

void WindowCaptures::tellEnd(const RecordingState &recording)
{
    if (!recording.failure.empty())
        m_parts.messages.show(MessageBar::Kind::Error, toQString(Error{{}, 0, recording.failure}.message()),
                              {tr("Captures…"), [this] { showList(); }});
    else
        offer(tr("Recorded to %1 on %2.").arg(toQString(recording.name), m_board), toQString(recording.name));
}

void WindowCaptures::offer(const QString &sentence, const QString &name)
{
    m_parts.messages.show(MessageBar::Kind::Info, sentence, {tr("Fetch it…"), [this, name] { fetch(name); }});
}

void WindowCaptures::toggle()
{
    if (!m_captures || std::exchange(m_isAsking, true))
        return;
    m_worker.start([this, captures = m_captures, stops = m_recording.isOn,
                    board = m_board.toStdString()](const Worker::Reply &reply) {
        const Status done = stops ? captures->stopRecording() : captures->startRecording(board);
        reply.post([this, captures = captures.get(), done] {
            if (captures != m_captures.get())
                return;
            m_isAsking = false;
            if (!done.ok())
                m_parts.messages.show(MessageBar::Kind::Error, toQString(done.error().message()));
        });
    });
}

void WindowCaptures::showList()
{
    if (!m_captures)
        return;
    if (!m_dialog) {
        m_dialog = new CapturesDialog(m_board, m_captures, &m_parts.window);
        connect(m_dialog, &CapturesDialog::fetchWanted, this, [this](const QString &name) { fetch(name); });
        connect(m_dialog, &CapturesDialog::viewWanted, this, &WindowCaptures::view);
    }
    m_dialog->show();
    m_dialog->raise();
}

void WindowCaptures::view(const QString &path)
{
    m_viewed = path;
    m_parts.view(path);
}

/// Only captures of the list can be fetched: the board gives no other file away.
void WindowCaptures::viewShown()
{
    m_parts.trace.viewBar()->setFetchable(isFetchable());
}

bool WindowCaptures::isFetchable() const
{
    return m_captures && !m_viewed.isEmpty() && m_parts.trace.views().path() == m_viewed;
}

/// In one step: the capture comes here, is opened, and what was wanted of it is done.
void WindowCaptures::offerWhole(const QString &what, const std::function<void()> &then)
{
    if (!isFetchable())
        return m_parts.messages.show(
            MessageBar::Kind::Info,
            m_captures ? tr("%1 needs the whole capture here. It is not in the list of captures of %2, from which they "
                            "are fetched: copy the file, and open it here.")
                             .arg(what, m_board)
                       : tr("%1 needs the whole capture here. Connect to its board, and open it from the list of "
                            "captures there.")
                             .arg(what));
    const QString name = QFileInfo(m_viewed).fileName();
    const auto bytes = static_cast<double>(m_parts.trace.views().view()->bytes());
    m_parts.messages.show(MessageBar::Kind::Info,
                          tr("%1 needs the whole capture here: it is on %2 (%3).").arg(what, m_board, bytesText(bytes)),
                          {tr("Fetch it, then go on"), [this, name, then] { fetch(name, then); }});
}

void WindowCaptures::fetch(const QString &name, const std::function<void()> &then)
{
    if (!m_captures)
        return;
    if (m_fetch.isRunning())
        return m_parts.messages.show(MessageBar::Kind::Info,
                                     tr("Another capture is being fetched; wait for it or cancel it."));
    const QString path = m_parts.places.askForNamed(tr("Fetch to"), name, tr("Captures (*.jscope)"));
    if (path.isEmpty())
        return;
    m_then = then;
    m_fetched = path;
    const auto work = [captures = m_captures, board = m_board, name, path,
                       this](OpenProgress &progress, const BackgroundJob::Teller &tell) -> std::function<void()> {
        std::string said;
        const Status status =
            captures->fetchCapture(name.toStdString(), path.toStdString(), [&](const FetchProgress &now) {
                if (!now.said.empty())
                    said = now.said;
                const QString words = fetchWords(now, name, board);
                tell(said.empty() ? words : words + QStringLiteral(" (%1)").arg(toQString(said)));
                return progress.advance(static_cast<double>(now.bytes)
                                        / static_cast<double>(std::max<std::uint64_t>(1, now.size)));
            });
        return [this, path, status] { fetched(path, status); };
    };
    m_fetch.startTelling(tr("Fetching %1 from %2").arg(name, m_board), work);
}

void WindowCaptures::fetched(const QString &path, const Status &status)
{
    if (status.ok())
        return m_parts.trace.opener().open(path);
    m_then = nullptr;
    if (!wasCancelled(status.error()))
        m_parts.messages.show(MessageBar::Kind::Error,
                              tr("The capture was not fetched: %1").arg(toQString(status.error().message())));
}

void WindowCaptures::fileShown()
{
    const auto then = std::exchange(m_then, nullptr);
    if (then && m_parts.trace.opener().shownFile() == m_fetched)
        then();
}

} // namespace jetscope

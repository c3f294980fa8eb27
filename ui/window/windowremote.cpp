// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowremote.h"

#include "core/time/clock.h"
#include "ui/remote/boardsdialog.h"
#include "ui/remote/sshhosts.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/window/livehead.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QSysInfo>

#include <utility>

namespace jetscope {

namespace {

constexpr int kLinkMs = 500;
constexpr std::chrono::seconds kLongAbsence{10};
constexpr std::int64_t kMeetClockEveryNs = 30'000'000'000;

} // namespace

WindowRemote::WindowRemote(const Parts &parts)
    : m_parts(parts), m_known(m_parts.settings), m_menu(std::make_unique<QMenu>())
{
    m_menu->setToolTipsVisible(true);
    m_takeOver = m_menu->addAction(tr("Take over"), this, &WindowRemote::takeOver);
    m_takeOver->setToolTip(tr("This laptop gives the orders from now on; the other one watches"));
    m_menu->addActions({m_parts.actions.boardCaptures, m_parts.actions.openOnBoard, m_parts.actions.leaveBoard,
                        m_parts.actions.connectBoard});
    m_linkTimer.setInterval(kLinkMs);
    connect(&m_linkTimer, &QTimer::timeout, this, &WindowRemote::showLink);
    m_parts.head.setBoardMenu(m_menu.get());
    connect(m_parts.actions.connectBoard, &QAction::triggered, this, [this] { ask({}); });
    connect(m_parts.actions.leaveBoard, &QAction::triggered, this, &WindowRemote::leave);
    connect(m_parts.actions.openOnBoard, &QAction::triggered, this, &WindowRemote::askForCapture);
    connect(&m_parts.session, &Session::statusChanged, this, &WindowRemote::showCommands);
    connect(&m_parts.session, &Session::traceRestarted, this, [this] { m_nextMeetingNs = 0; });
    showCommands();
}

WindowRemote::~WindowRemote() = default;

QString WindowRemote::name() const
{
    return m_address.isEmpty() ? QString() : toQString(m_board.name);
}

void WindowRemote::showCommands()
{
    const QString held = m_parts.session.holdReason();
    WindowActions::allow(m_parts.actions.connectBoard, m_parts.connect ? held : tr("This build cannot reach boards."));
    WindowActions::allow(m_parts.actions.leaveBoard,
                         m_address.isEmpty() ? tr("The pipeline runs on this machine.") : held);
    WindowActions::allow(m_parts.actions.openOnBoard, m_board.openView ? QString() : tr("No board is connected."));
}

void WindowRemote::connectWith(const QString &address, const RequestChange &asked)
{
    m_asked = asked;
    ask(address);
}

void WindowRemote::openCapture(const QString &path)
{
    if (m_board.openView && !path.isEmpty())
        emit viewWanted(m_board.openView, path);
}

void WindowRemote::askForCapture()
{
    auto *dialog = new QInputDialog(&m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Open a capture of the board"));
    dialog->setLabelText(tr("Path of the capture on the board; without / at its start, from the home folder there. It "
                            "stays there, and what you look at is asked for."));
    connect(dialog, &QInputDialog::textValueSelected, this, &WindowRemote::openCapture);
    dialog->open();
}

void WindowRemote::ask(const QString &address)
{
    auto *dialog = new BoardsDialog(
        {m_known, m_parts.sshConfig.isEmpty() ? QStringList() : sshHosts(m_parts.sshConfig), m_parts.connect},
        &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &BoardsDialog::connected, this, &WindowRemote::connected);
    dialog->show();
    if (!address.isEmpty())
        dialog->connectWith(address);
}

void WindowRemote::connected(const QString &address, const ConnectedBoard &board)
{
    ConnectedBoard before = std::exchange(m_board, board);
    m_meter = LinkMeter(toQString(board.name));
    use(address, board.host, board.running);
    release(std::move(before));
    m_parts.head.setBoard(toQString(board.name), toQString(board.about));
    emit boardChanged(toQString(board.name), board.captures);
    if (!board.remark.empty())
        m_parts.messages.show(MessageBar::Kind::Warning, toQString(board.remark));
    if (board.link)
        m_linkTimer.start();
    showLink();
}

void WindowRemote::leave()
{
    m_linkTimer.stop();
    use({}, m_parts.thisMachine, std::nullopt);
    emit boardChanged({}, nullptr);
    release(std::exchange(m_board, {}));
    m_parts.head.setBoard({}, {});
}

/// The last user of a connection waits for its goodbye, which this thread must not.
void WindowRemote::release(ConnectedBoard board)
{
    m_worker.start([last = std::make_shared<ConnectedBoard>(std::move(board))] { *last = {}; });
}

/// The pipeline that is open is closed; each machine has its own source, device and choices.
void WindowRemote::use(const QString &address, const std::shared_ptr<PipelineHost> &host,
                       const std::optional<SessionRequest> &running)
{
    m_parts.saveChoices();
    m_address = address;
    m_parts.settings.setBoard(address);
    m_parts.host->use(host);
    const RequestChange asked = std::exchange(m_asked, nullptr);
    const SessionRequest remembered = m_parts.settings.request();
    if (running && asked && !asked(remembered).fixed.empty())
        m_parts.messages.show(
            MessageBar::Kind::Warning,
            tr("A pipeline runs on the board already: the choices of the command line are not made."));
    m_parts.session.openOther(running ? *running : asked ? asked(remembered) : remembered);
    showCommands();
    emit hostChanged();
}

void WindowRemote::showLink()
{
    if (!m_board.link)
        return m_takeOver->setVisible(false);
    const RemoteState state = m_board.link();
    const bool isBack = m_meter.add(state, nowNs());
    if (isBack && state.away >= kLongAbsence)
        m_parts.messages.show(MessageBar::Kind::Info,
                              tr("%1 answers again: this machine was away for %2. What ran there went on.")
                                  .arg(toQString(m_board.name), awayText(state.away)));
    m_parts.head.setLink(m_meter.text(), m_meter.details(), m_meter.isTrouble());
    m_takeOver->setVisible(state.isConnected && !state.givesOrders);
    meetClock(state);
    emit linkSeen(state);
    emit linkShown();
}

/// A trace of the board that is saved here keeps how the clocks were, as a capture that is made there.
void WindowRemote::meetClock(const RemoteState &state)
{
    if (!state.isConnected || !state.clockOffset || nowNs() < m_nextMeetingNs)
        return;
    Session &session = m_parts.session;
    const ClockOffset &offset = *state.clockOffset;
    const std::size_t before = session.trace().origin().clocks.size();
    session.meetClock(
        {offset.atNs + offset.offsetNs, QSysInfo::machineHostName().toStdString(), offset.offsetNs, offset.boundNs});
    if (session.trace().origin().clocks.size() > before) // Else nothing is open yet.
        m_nextMeetingNs = nowNs() + kMeetClockEveryNs;
}

QString WindowRemote::title() const
{
    const QString board = name();
    const QString cost = board.isEmpty() ? QString() : m_meter.cost();
    return cost.isEmpty() ? board : tr("%1: %2").arg(board, cost);
}

void WindowRemote::takeOver()
{
    m_worker.start([this, takeOver = m_board.takeOver](const Worker::Reply &reply) {
        const Status status = takeOver();
        if (!status.ok())
            reply.post([this, error = status.error()] {
                m_parts.messages.show(MessageBar::Kind::Error, toQString(error.message()));
            });
    });
}

} // namespace jetscope

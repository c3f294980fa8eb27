// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/boardlink.h"

#include "core/time/clock.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestHello{20};
constexpr std::chrono::seconds kLongestJoin{10};
constexpr std::chrono::milliseconds kFirstPause{250};
/// A connection that lasts so long was of use.
constexpr std::chrono::seconds kShortestUse{1};
constexpr std::chrono::seconds kLongestPause{8};
constexpr std::size_t kMostOrders = 16;
constexpr std::chrono::seconds kWatchEvery{1};
constexpr int kLooksInSilence = 8;
constexpr int kWokenPart = 4;
constexpr std::chrono::seconds kSayClockEvery{30};
/// Two clocks that are read one after the other differ by less, unless the machine slept.
constexpr std::int64_t kShortestSleepNs = 100'000'000;

/// Of a time by nowWithSleepNs.
std::chrono::milliseconds since(std::int64_t thenNs)
{
    return std::chrono::milliseconds((nowWithSleepNs() - thenNs) / 1'000'000);
}

std::string ownName()
{
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

} // namespace

BoardLink::BoardLink(Dialer dial, RemoteWish wish)
    : m_dial(std::move(dial)),
      m_wish(wish),
      m_pictures(std::make_shared<RemotePictures>([this](Message message) { sendNow(std::move(message)); }))
{
    m_gate->link = this;
}

BoardLink::~BoardLink()
{
    {
        const std::lock_guard lock(m_gate->mutex);
        m_gate->link = nullptr;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    m_pictures->detach();
    if (m_thread.joinable())
        m_thread.join();
    m_link.reset();
}

Status BoardLink::connect()
{
    JETSCOPE_TRY(dial());
    m_thread = std::thread([this] { keepConnected(); });
    return {};
}

/// Connects and joins.
Status BoardLink::dial()
{
    JETSCOPE_TRY_ASSIGN(LinkEnds ends, m_dial());
    auto link = std::make_shared<Link>(std::move(ends), Link::MeasuresClock::Yes);
    link->start([this, raw = link.get()](const Message &message) { came(*raw, message); },
                [this, raw = link.get()](const std::optional<Error> &why) { ended(*raw, why); });
    JETSCOPE_TRY_ASSIGN(const Hello board, link->waitForHello(kLongestHello));
    std::unique_lock lock(m_mutex);
    Join join;
    join.follows = m_wish.follows;
    join.session = m_joined.session;
    if (m_pipeline) {
        join.pipeline = m_pipeline->number();
        join.known = m_pipeline->positions();
    }
    const bool isRestarted = !m_board.bootId.empty() && board.bootId != m_board.bootId;
    m_board = board;
    m_link = link;
    m_hasJoined = false;
    m_nextClockSaid = {};
    m_sleptNs = m_wish.slept();
    m_hasWoken = false;
    if (isRestarted)
        noteRestart();
    lock.unlock();
    if (isRestarted)
        losePipeline("The board was restarted, and its pipeline is gone: open it again");
    link->send(messageOf(join));
    lock.lock();
    m_changed.wait_for(lock, kLongestJoin, [&] { return m_hasJoined || link->isOver() || m_ends; });
    if (m_hasJoined)
        return {};
    m_link.reset();
    lock.unlock();
    return Error{"", 0, "The board does not answer"};
}

/// Dials anew whenever the connection is cut.
void BoardLink::keepConnected()
{
    std::chrono::milliseconds pause{0};
    auto connectedAt = Clock::now();
    bool wasConnected = true; // Else no connection could be made since.
    std::unique_lock lock(m_mutex);
    for (;;) {
        const auto every = std::min<std::chrono::milliseconds>(kWatchEvery, m_wish.longestSilence / kLooksInSilence);
        while (!m_changed.wait_for(lock, every, [this] { return m_ends || m_isCut; }))
            look();
        std::shared_ptr<Link> before = std::move(m_link);
        lock.unlock(); // A connection ends without the lock, which its last messages take.
        before.reset();
        lock.lock();
        // A board that is left at once again and again, because of what it sends, is not dialled without a pause.
        if (std::exchange(wasConnected, false)
            && Clock::now() - connectedAt > std::max<std::chrono::milliseconds>(pause, kShortestUse))
            pause = std::chrono::milliseconds(0);
        if (m_changed.wait_for(lock, pause, [this] { return m_ends; }))
            return;
        pause = std::clamp<std::chrono::milliseconds>(2 * pause, kFirstPause, kLongestPause);
        lock.unlock();
        const Status dialled = dial();
        lock.lock();
        if (!dialled.ok()) {
            m_trouble = dialled.error().text;
            continue;
        }
        connectedAt = Clock::now();
        wasConnected = true;
        m_isCut = m_link->isOver();
        m_lastAway = since(m_awaySinceNs);
        m_trouble.clear();
        sendOrders();
        lock.unlock();
        if (const std::shared_ptr<RemoteView> opened = view())
            opened->connected();
        m_pictures->connected();
        lock.lock();
    }
}

void BoardLink::ended(const Link &link, const std::optional<Error> &why)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_link.get() == &link && !m_isCut) {
            m_isCut = true;
            m_awaySinceNs = link.heardNs();
            m_trouble = why ? why->text : "The board closed the connection";
            ++m_cuts;
            if (m_inbox)
                m_inbox->cut();
        }
    }
    m_changed.notify_all();
    if (const auto opened = view())
        opened->cut(why ? why->text : "the board closed the connection");
}

void BoardLink::came(Link &link, const Message &message)
{
    if (!take(message))
        link.fail(Error{"", 0, "The board sent what cannot be: " + std::string(nameOf(message.kind))});
    m_changed.notify_all();
}

namespace {

/// Whether the message is a T that `use` takes.
template <class T, class Use>
bool takeAs(const Message &message, Use use)
{
    std::optional<T> content = contentOf<T>(message);
    return content && use(std::move(*content));
}

} // namespace

/// False: the message cannot be.
bool BoardLink::take(const Message &message)
{
    switch (message.kind) {
    case MessageKind::Joined:
        return takeAs<Joined>(message, [this](const Joined &joined) { return takeJoined(joined), true; });
    case MessageKind::Answer:
        return takeAs<Answer>(message, [this](Answer answer) { return takeAnswer(std::move(answer)), true; });
    case MessageKind::State:
        return takeAs<State>(message,
                             [this](const State &state) { return pipeline(state.pipeline)->take(state), true; });
    case MessageKind::Recording:
        return takeAs<RecordingState>(message, [this](RecordingState recording) {
            const std::lock_guard lock(m_mutex);
            return m_recording = std::move(recording), true;
        });
    case MessageKind::FileBlock:
        return takeAs<FileBlock>(message, [this](FileBlock block) { return takeBlock(std::move(block)); });
    case MessageKind::FileEnd:
        return takeAs<FileEnd>(message, [this](FileEnd end) { return takeEnd(std::move(end)); });
    case MessageKind::Head:
    case MessageKind::FigureUpdate:
    case MessageKind::SpanUpdate:
    case MessageKind::Past:
        return takeAs<UpdatePart>(
            message, [&](UpdatePart part) { return pipeline(part.pipeline)->take(message.kind, std::move(part)); });
    case MessageKind::ViewHead:
        return takeForView<ViewHead>(message);
    case MessageKind::ViewPart:
        return takeForView<ViewPart>(message);
    case MessageKind::ViewWhole:
        return takeForView<ViewWhole>(message);
    case MessageKind::Picture:
    case MessageKind::NoPictures:
    case MessageKind::WholeFrame:
        return m_pictures->take(message);
    case MessageKind::WatchCost:
        return takeAs<WatchCost>(message, [this](const WatchCost &cost) { return takeCost(cost), true; });
    default:
        return false;
    }
}

void BoardLink::takeAnswer(Answer answer)
{
    const std::lock_guard lock(m_mutex);
    if (const auto asked = m_answers.find(answer.id); asked != m_answers.end())
        asked->second = std::move(answer);
}

void BoardLink::takeCost(const WatchCost &cost)
{
    const std::lock_guard lock(m_mutex);
    if (m_pipeline && cost.pipeline == m_pipeline->number())
        m_watchCost = cost;
}

/// What comes late of an earlier view is of no use to anybody.
template <class T>
bool BoardLink::takeForView(const Message &message)
{
    auto content = contentOf<T>(message);
    const std::shared_ptr<RemoteView> opened = view();
    return content && (!opened || opened->id() != content->id || opened->take(std::move(*content)));
}

std::shared_ptr<RemoteView> BoardLink::view() const
{
    const std::lock_guard lock(m_mutex);
    return m_view.lock();
}

std::shared_ptr<RemoteView> BoardLink::openView(const std::string &board, const std::string &path,
                                                std::function<void()> onNews)
{
    RemoteView::Wish wish;
    wish.path = path;
    wish.board = board;
    wish.onNews = std::move(onNews);
    wish.send = [gate = m_gate](Message message) {
        const std::lock_guard lock(gate->mutex);
        if (gate->link)
            gate->link->sendNow(std::move(message));
    };
    const std::shared_ptr<RemoteView> before = view();
    std::unique_lock lock(m_mutex);
    wish.id = m_nextView++;
    const auto opened = std::make_shared<RemoteView>(std::move(wish));
    m_view = opened;
    lock.unlock();
    if (before)
        before->cut("another capture of it is shown");
    opened->connected();
    return opened;
}

/// While the board is not connected nothing is sent: the view asks again when it is.
void BoardLink::sendNow(Message message)
{
    const std::lock_guard lock(m_mutex);
    if (m_link && !m_isCut && m_hasJoined)
        m_link->send(std::move(message));
}

void BoardLink::takeJoined(const Joined &joined)
{
    std::string lost;
    {
        const std::lock_guard lock(m_mutex);
        if (m_pipeline && !m_joined.session.empty() && joined.session != m_joined.session)
            lost = "Jetscope was started anew on the board, and the pipeline is gone: open it again";
        else if (m_pipeline && joined.pipeline != m_pipeline->number())
            lost = "The pipeline was closed on the board: open it again";
        if (!m_joined.session.empty() && joined.session != m_joined.session)
            noteRestart();
    }
    if (!lost.empty())
        losePipeline(lost);
    const std::lock_guard lock(m_mutex);
    m_joined = joined;
    m_hasJoined = true;
}

void BoardLink::losePipeline(const std::string &why)
{
    std::shared_ptr<RemotePipeline> lost;
    {
        const std::lock_guard lock(m_mutex);
        lost = std::exchange(m_pipeline, nullptr);
    }
    if (lost)
        lost->lose(why);
}

std::shared_ptr<RemotePipeline> BoardLink::pipeline(std::uint32_t number)
{
    const std::lock_guard lock(m_mutex);
    // What comes late of an earlier one is of no use to anybody.
    if (m_pipeline && number < m_pipeline->number())
        return std::make_shared<RemotePipeline>(number);
    if (!m_pipeline || number > m_pipeline->number()) {
        if (m_pipeline)
            m_pipeline->lose("Another pipeline was opened on the board");
        m_pipeline = std::make_shared<RemotePipeline>(number);
        m_watchCost.reset();
    }
    return m_pipeline;
}

Result<Answer> BoardLink::ask(Ask ask)
{
    std::shared_ptr<Link> link; // Ends behind the lock: a connection that is cut waits for its thread, which wants it.
    std::unique_lock lock(m_mutex);
    if (!m_link || m_isCut)
        return Error{"", 0, "The board is not connected: " + m_trouble};
    link = m_link;
    const std::uint32_t id = ask.id = m_nextAsk++;
    m_answers[id] = std::nullopt;
    lock.unlock();
    link->send(messageOf(ask));
    lock.lock();
    m_changed.wait(lock, [&] { return m_answers[id] || m_isCut || m_link != link || m_ends; });
    std::optional<Answer> answer = std::move(m_answers[id]);
    m_answers.erase(id);
    if (!answer)
        return Error{"", 0, "The connection to the board was cut: " + m_trouble};
    if (answer->error)
        return *answer->error;
    return std::move(*answer);
}

void BoardLink::order(std::uint32_t pipeline, PipelineCommand command)
{
    const std::lock_guard lock(m_mutex);
    if (command.kind != PipelineCommand::Kind::Step)
        std::erase_if(m_orders, [&](const Order &each) { return each.command.kind == command.kind; });
    if (m_orders.size() < kMostOrders)
        m_orders.push_back({pipeline, std::move(command)});
    sendOrders();
}

/// With m_mutex locked.
void BoardLink::sendOrders()
{
    if (!m_link || m_isCut || !m_hasJoined)
        return;
    for (const Order &order : std::exchange(m_orders, {}))
        m_link->send(messageOf(order));
}

RemoteState BoardLink::state() const
{
    const std::lock_guard lock(m_mutex);
    RemoteState state;
    state.isConnected = m_link && !m_isCut;
    state.givesOrders = m_joined.givesOrders;
    state.board = m_board;
    state.trouble = m_trouble;
    state.away = m_isCut ? since(m_awaySinceNs) : m_lastAway;
    state.recording = m_recording;
    state.survivor = m_survivor;
    state.cuts = m_cuts;
    state.watchCost = m_watchCost;
    state.missedUpdates = m_pipeline ? m_pipeline->missedUpdates() : 0;
    if (m_link) {
        state.notSent = m_link->farNotSent();
        state.clockOffset = m_link->clockOffset();
        state.bytesRead = m_link->bytesRead();
    }
    return state;
}

std::uint32_t BoardLink::newestPipeline() const
{
    const std::lock_guard lock(m_mutex);
    return m_pipeline ? m_pipeline->number() : 0;
}

Joined BoardLink::joined() const
{
    const std::lock_guard lock(m_mutex);
    return m_joined;
}

// --- what is done while it is connected

/// With m_mutex locked, now and then.
void BoardLink::look()
{
    if (!m_link)
        return;
    const auto now = Clock::now();
    if (const std::int64_t slept = m_wish.slept(); slept - std::exchange(m_sleptNs, slept) > kShortestSleepNs) {
        m_link->measureClockAnew();
        m_link->ping();
        m_wokeAt = now;
        m_hasWoken = true;
    }
    Clock::duration silence = m_link->silence();
    Clock::duration longest = m_wish.longestSilence;
    m_hasWoken = m_hasWoken && silence >= now - m_wokeAt;
    if (m_hasWoken) { // A connection that outlived a sleep answers soon, or never.
        silence = now - m_wokeAt;
        longest /= kWokenPart;
    }
    if (silence >= longest)
        return m_link->fail(
            Error{"", 0,
                  "The board has not answered for "
                      + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(silence).count()) + " s"});
    if (silence >= longest / 2)
        m_link->ping();
    if (m_wish.follows && m_hasJoined && Clock::now() >= m_nextClockSaid)
        sayClock(*m_link);
}

/// Captures keep how the clocks were.
void BoardLink::sayClock(Link &link)
{
    const std::optional<ClockOffset> offset = link.clockOffset();
    if (!offset)
        return;
    m_nextClockSaid = Clock::now() + kSayClockEvery;
    link.send(messageOf(ClockSaid{ownName(), offset->atNs + offset->offsetNs, offset->offsetNs, offset->boundNs}));
}

/// With m_mutex locked: the server that was known is gone, with what it did.
void BoardLink::noteRestart()
{
    if (m_recording.isOn)
        m_survivor = m_recording.name;
    m_recording = {};
}

// --- files

bool BoardLink::waitForConnection(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, timeout, [this] { return m_link && !m_isCut; });
}

std::shared_ptr<FileInbox> BoardLink::readFile(const std::string &name, const std::string &version,
                                               std::uint64_t fromByte)
{
    const std::lock_guard lock(m_mutex);
    if (!m_link || m_isCut)
        return nullptr;
    m_inbox = std::make_shared<FileInbox>(m_nextFile++, fromByte);
    m_link->send(messageOf(ReadFile{m_inbox->id(), name, fromByte, version}));
    return m_inbox;
}

void BoardLink::closeFile(FileInbox &inbox)
{
    inbox.close();
    const std::lock_guard lock(m_mutex);
    if (m_link && !m_isCut)
        m_link->send(messageOf(CancelFile{inbox.id()}));
    if (m_inbox.get() == &inbox)
        m_inbox.reset();
}

/// What comes late of a file that is not wanted any more is dropped.
bool BoardLink::takeBlock(FileBlock block)
{
    std::shared_ptr<FileInbox> inbox;
    {
        const std::lock_guard lock(m_mutex);
        if (block.id >= m_nextFile)
            return false;
        inbox = m_inbox;
    }
    return !inbox || inbox->id() != block.id || inbox->put(std::move(block));
}

bool BoardLink::takeEnd(FileEnd end)
{
    const std::lock_guard lock(m_mutex);
    if (end.id >= m_nextFile)
        return false;
    if (m_inbox && m_inbox->id() == end.id)
        m_inbox->put(std::move(end));
    return true;
}

} // namespace jetscope

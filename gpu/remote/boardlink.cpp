// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/boardlink.h"

#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMostOrders = 16;
constexpr std::chrono::seconds kSayClockEvery{30};

std::string ownName()
{
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// Whether the message is a T that `use` takes.
template <class T, class Use>
bool takeAs(const Message &message, Use use)
{
    std::optional<T> content = contentOf<T>(message);
    return content && use(std::move(*content));
}

} // namespace

BoardLink::BoardLink(Dialer dial, RemoteWish wish)
    : m_wish(wish),
      m_pictures(std::make_shared<RemotePictures>([this](Message message) { m_connection.send(std::move(message)); })),
      m_views([this](Message message) { m_connection.send(std::move(message)); }),
      m_connection(*this, std::move(dial), wish)
{
}

BoardLink::~BoardLink()
{
    m_views.detach();
    m_pictures->detach();
    m_connection.end();
}

Join BoardLink::joinFor(const Hello &board)
{
    std::unique_lock lock(m_mutex);
    Join join;
    join.follows = m_wish.follows;
    join.session = m_joined.session;
    if (m_pipeline) {
        join.pipeline = m_pipeline->number();
        join.known = m_pipeline->positions();
    }
    m_nextClockSaid = {};
    const std::string before = std::exchange(m_bootId, board.bootId);
    if (before.empty() || before == m_bootId)
        return join;
    noteRestart();
    lock.unlock();
    losePipeline("The board was restarted, and its pipeline is gone: open it again");
    return join;
}

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
    case MessageKind::ProgramState:
        return takeAs<ProgramState>(
            message, [this](const ProgramState &program) { return pipeline(program.pipeline)->take(program), true; });
    case MessageKind::Recording:
        return takeAs<RecordingState>(message, [this](RecordingState recording) {
            const std::lock_guard lock(m_mutex);
            return m_recording = std::move(recording), true;
        });
    case MessageKind::FileBlock:
        return takeAs<FileBlock>(message, [this](FileBlock block) { return m_file.take(std::move(block)); });
    case MessageKind::FileEnd:
        return takeAs<FileEnd>(message, [this](FileEnd end) { return m_file.take(std::move(end)); });
    case MessageKind::Head:
    case MessageKind::FigureUpdate:
    case MessageKind::SpanUpdate:
    case MessageKind::Past:
        return takeAs<UpdatePart>(message, [&](UpdatePart part) {
            const auto control = pipeline(part.pipeline);
            return control->take(message.kind, std::move(part));
        });
    case MessageKind::UnsentSpans:
        return takeAs<UnsentSpans>(
            message, [this](const UnsentSpans &unsent) { return pipeline(unsent.pipeline)->take(unsent); });
    case MessageKind::LateSpans:
        return takeAs<LateSpans>(message, [this](LateSpans late) {
            if (late.pipeline < newestPipeline())
                return true;
            const auto control = pipeline(late.pipeline);
            return control->take(std::move(late));
        });
    case MessageKind::LateCoarse:
        return takeAs<LateCoarse>(message, [this](const LateCoarse &late) {
            return late.pipeline < newestPipeline() || pipeline(late.pipeline)->take(late);
        });
    case MessageKind::ViewHead:
    case MessageKind::ViewPart:
    case MessageKind::ViewWhole:
    case MessageKind::ViewFigures:
        return m_views.take(message);
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
}

void BoardLink::takeAnswer(Answer answer)
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto asked = m_answers.find(answer.id); asked != m_answers.end())
            asked->second = std::move(answer);
    }
    m_changed.notify_all();
}

void BoardLink::takeCost(const WatchCost &cost)
{
    const std::lock_guard lock(m_mutex);
    if (m_pipeline && cost.pipeline == m_pipeline->number())
        m_watchCost = cost;
}

/// With m_mutex locked: the server that was known is gone, with what it did.
void BoardLink::noteRestart()
{
    if (m_recording.isOn)
        m_survivor = m_recording.name;
    m_recording = {};
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

void BoardLink::connectedAgain()
{
    {
        const std::lock_guard lock(m_mutex);
        sendOrders();
    }
    m_views.connected();
    m_pictures->connected();
}

void BoardLink::cut(const std::string &why)
{
    m_file.cut();
    { // Whoever waits for an answer has looked before, or will.
        const std::lock_guard lock(m_mutex);
    }
    m_changed.notify_all();
    m_views.cut(why);
}

/// Captures keep how the clocks were.
void BoardLink::look(Link &link)
{
    const std::lock_guard lock(m_mutex);
    const auto now = std::chrono::steady_clock::now();
    if (!m_wish.follows || now < m_nextClockSaid)
        return;
    const std::optional<ClockOffset> offset = link.clockOffset();
    if (!offset)
        return;
    m_nextClockSaid = now + kSayClockEvery;
    link.send(messageOf(ClockSaid{ownName(), offset->atNs + offset->offsetNs, offset->offsetNs, offset->boundNs}));
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
    std::unique_lock lock(m_mutex);
    const std::uint32_t id = ask.id = m_nextAsk++;
    m_answers[id] = std::nullopt;
    const std::uint32_t over = m_connection.sendOver(messageOf(ask));
    m_changed.wait(lock, [&] { return m_answers[id] || over == 0 || m_connection.number() != over; });
    std::optional<Answer> answer = std::move(m_answers[id]);
    m_answers.erase(id);
    if (over == 0)
        return Error{"", 0, "The board is not connected: " + m_connection.trouble()};
    if (!answer)
        return Error{"", 0, "The connection to the board was cut: " + m_connection.trouble()};
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
    while (!m_orders.empty() && m_connection.send(messageOf(m_orders.front())))
        m_orders.pop_front();
}

void BoardLink::wantMissing(RemotePipeline &pipeline, Interval seen, double nsPerPixel)
{
    const WantedSpans wanted = pipeline.wantMissing(seen, nsPerPixel, m_connection.number());
    for (const AskSpans &ask : wanted.spans)
        m_connection.send(messageOf(ask));
    if (wanted.coarse)
        m_connection.send(messageOf(*wanted.coarse));
}

RemoteState BoardLink::state() const
{
    RemoteState state;
    m_connection.tell(state);
    const std::lock_guard lock(m_mutex);
    state.givesOrders = m_joined.givesOrders;
    state.recording = m_recording;
    state.survivor = m_survivor;
    state.watchCost = m_watchCost;
    state.missedUpdates = m_pipeline ? m_pipeline->missedUpdates() : 0;
    state.notSent.messages[static_cast<std::size_t>(MessageClass::Spans)] =
        m_pipeline ? m_pipeline->updatesWithoutSpans() : 0;
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

std::shared_ptr<FileInbox> BoardLink::readFile(const std::string &name, const std::string &version,
                                               std::uint64_t fromByte)
{
    std::shared_ptr<FileInbox> inbox = m_file.open(fromByte);
    if (m_connection.send(messageOf(ReadFile{inbox->id(), name, fromByte, version})))
        return inbox;
    m_file.close(*inbox);
    return nullptr;
}

void BoardLink::closeFile(FileInbox &inbox)
{
    m_file.close(inbox);
    m_connection.send(messageOf(CancelFile{inbox.id()}));
}

} // namespace jetscope

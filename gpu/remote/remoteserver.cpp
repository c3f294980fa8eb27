// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remoteserver.h"

#include "core/time/clock.h"
#include "gpu/attach/host/inspection.h"
#include "gpu/stages/stage.h"
#include "gpu/stages/stagetable.h"

#include <algorithm>
#include <random>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
/// How often updates are taken: well within what a pipeline keeps, and what the eye notices.
constexpr std::chrono::milliseconds kTakeEvery{20};
constexpr std::chrono::milliseconds kProgramEvery{500};
constexpr std::chrono::seconds kLongestSleep{1};
constexpr std::size_t kMostClients = 8;
/// Who asks for more before the first are answered is no laptop of ours.
constexpr std::size_t kMostEvents = 4096;

std::string randomName()
{
    std::random_device random;
    std::string name;
    for (int i = 0; i < 16; ++i)
        name += "0123456789abcdef"[random() % 16];
    return name;
}

Error refusal(std::string text)
{
    return {"", 0, std::move(text)};
}

/// Loads the stages that the laptop's user asks for: they are code of this machine, which the laptop cannot judge.
Status loadAsked(const SessionRequest &request)
{
    for (const auto &[key, value] : request.fixed)
        for (std::size_t at = 0; key == "filters" && at <= value.size();) {
            const std::size_t end = std::min(value.find_first_of("+,", at), value.size());
            const std::string name = value.substr(at, end - at);
            at = end + 1;
            const std::optional<Filter> known = choiceByName<Filter>(name);
            if (name.find(':') != std::string::npos && !(known && stageOf(*known)))
                JETSCOPE_TRY(loadStage(name));
        }
    return {};
}

Result<std::unique_ptr<PipelineControl>> openAsked(PipelineHost &host, const SessionRequest &request)
{
    JETSCOPE_TRY(loadAsked(request));
    return host.open(request);
}

} // namespace

RemoteServer::RemoteServer(std::shared_ptr<PipelineHost> host, CaptureFolder captures)
    : m_host(std::move(host)),
      m_session(randomName()),
      m_captures(std::move(captures),
                 [this](std::function<void()> act) { post(0, [act = std::move(act)](Client *) { act(); }); }),
      m_thread([this] { work(); })
{
}

RemoteServer::~RemoteServer()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    m_thread.join();
    m_long.stop();
    m_captures.stop();
    for (const std::unique_ptr<Client> &client : m_clients)
        client->link->close("Jetscope ended on the board");
    m_clients.clear();
}

void RemoteServer::add(LinkEnds ends)
{
    auto client = std::make_unique<Client>(std::make_shared<Link>(std::move(ends)));
    Link &link = *client->link;
    std::uint32_t id = 0;
    {
        const std::lock_guard lock(m_mutex);
        id = client->id = m_nextClient++;
        ++m_connected;
        // Before it starts, so that what comes finds it.
        m_newClients.push_back(std::move(client));
    }
    link.start([this, id, &link](Message message) { came(id, link, std::move(message)); },
               [this, id](const std::optional<Error> &) { post(id, [](Client *ended) { ended->isOver = true; }); });
    m_wake.notify_all();
}

std::optional<std::chrono::milliseconds> RemoteServer::aloneFor() const
{
    const std::lock_guard lock(m_mutex);
    if (m_connected > 0 || m_captures.isOn())
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_aloneSince);
}

/// On a link's reading thread.
void RemoteServer::came(std::uint32_t client, Link &link, Message message)
{
    bool isTooMuch = false;
    {
        const std::lock_guard lock(m_mutex);
        isTooMuch = m_events.size() >= kMostEvents;
    }
    if (isTooMuch)
        return link.fail(refusal("The far end asks for more than can be answered"));
    post(client, [this, message = std::move(message)](Client *from) { handle(*from, message); });
}

void RemoteServer::post(std::uint32_t client, std::function<void(Client *)> act)
{
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back({client, std::move(act)});
    }
    m_wake.notify_all();
}

void RemoteServer::reply(std::uint32_t client, Answer answer)
{
    post(client, [answer = std::move(answer)](Client *to) {
        if (to)
            to->link->send(messageOf(answer));
    });
}

void RemoteServer::work()
{
    auto nextTake = Clock::now();
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        if (m_events.empty() && m_newClients.empty())
            m_wake.wait_until(lock, m_pipeline ? nextTake : Clock::now() + kLongestSleep);
        std::move(m_newClients.begin(), m_newClients.end(), std::back_inserter(m_clients));
        m_newClients.clear();
        std::deque<Event> events = std::exchange(m_events, {});
        lock.unlock();
        for (const Event &event : events)
            event.act(clientOf(event.client));
        if (removeEnded() || Clock::now() >= nextTake) {
            nextTake = Clock::now() + kTakeEvery;
            follow();
        }
        const bool records = m_captures.isOn();
        lock.lock();
        if (records) // The time alone begins when nothing is recorded any more.
            m_aloneSince = Clock::now();
    }
    lock.unlock();
    m_pictures.closed();
    m_pipeline.reset();
}

RemoteServer::Client *RemoteServer::clientOf(std::uint32_t id)
{
    for (const std::unique_ptr<Client> &client : m_clients)
        if (client->id == id)
            return client.get();
    return nullptr;
}

bool RemoteServer::removeEnded()
{
    const auto isOver = [](const std::unique_ptr<Client> &client) { return client->isOver; };
    const auto firstOver = std::stable_partition(m_clients.begin(), m_clients.end(), std::not_fn(isOver));
    const auto ended = static_cast<std::size_t>(m_clients.end() - firstOver);
    for (auto client = firstOver; client != m_clients.end(); ++client) {
        m_views.leave((*client)->id);
        m_pictures.left((*client)->id);
        m_captures.left((*client)->id);
        if ((*client)->id == m_ordersFrom)
            m_ordersFrom = 0;
    }
    m_clients.erase(firstOver, m_clients.end());
    const std::lock_guard lock(m_mutex);
    m_connected -= ended;
    if (ended > 0 && m_connected == 0)
        m_aloneSince = Clock::now();
    return ended > 0;
}

/// What was not sent of the present pipeline. False: nobody asks so.
template <class Ask>
bool RemoteServer::answerMissed(Client &client, const Message &message)
{
    const auto ask = contentOf<Ask>(message);
    const bool isPresent = ask && m_pipeline && ask->pipeline == m_pipelineNumber;
    return ask && (!isPresent || client.pipeline.answer(*m_log, *ask));
}

void RemoteServer::handle(Client &client, const Message &message)
{
    if (message.kind == MessageKind::Join) {
        if (const auto content = contentOf<Join>(message); content && !client.hasJoined)
            return join(client, *content);
    } else if (message.kind == MessageKind::Ask && client.hasJoined) {
        if (const auto content = contentOf<Ask>(message))
            return ask(client, *content);
    } else if (message.kind == MessageKind::Order && client.hasJoined) {
        if (const auto content = contentOf<Order>(message)) {
            m_watchCost.interrupt(); // Whoever gives orders waits for what follows.
            if (m_pipeline && content->pipeline == m_pipelineNumber && client.id == m_ordersFrom)
                m_pipeline->post(content->command);
            return;
        }
    } else if (message.kind == MessageKind::AskSpans && client.hasJoined) {
        if (answerMissed<AskSpans>(client, message))
            return;
    } else if (message.kind == MessageKind::AskCoarse && client.hasJoined) {
        if (answerMissed<AskCoarse>(client, message))
            return;
    } else if (message.kind == MessageKind::EndProgram && client.hasJoined) {
        if (const auto content = contentOf<EndProgram>(message))
            return endProgram(client, *content);
    } else if (message.kind == MessageKind::OpenView && client.hasJoined) {
        if (const auto content = contentOf<OpenView>(message))
            return m_views.open(client.id, client.link, *content);
    } else if (message.kind == MessageKind::AskView && client.hasJoined) {
        if (auto content = contentOf<AskView>(message); content && m_views.ask(client.id, std::move(*content)))
            return;
    } else if (message.kind == MessageKind::AskFigures && client.hasJoined) {
        if (auto content = contentOf<AskFigures>(message); content && m_views.ask(client.id, std::move(*content)))
            return;
    } else if ((message.kind == MessageKind::WantPicture || message.kind == MessageKind::ReadFrame)
               && client.hasJoined) {
        if (m_pictures.handle(client.id, *client.link, message))
            return;
    } else if (client.hasJoined && m_captures.handle(client.id, *client.link, message)) {
        return;
    }
    client.link->fail(refusal("The far end sent a message that cannot be: " + std::string(nameOf(message.kind))));
}

void RemoteServer::join(Client &client, const Join &join)
{
    if (m_clients.size() > kMostClients)
        return client.link->close("So many laptops are connected to the board that it takes no more");
    client.hasJoined = true;
    client.follows = join.follows;
    if (!join.follows)
        return tellJoined(client);
    m_watchCost.interrupt();
    const bool isFirst = m_ordersFrom == 0;
    if (isFirst || join.takesOver)
        m_ordersFrom = client.id;
    if (!isFirst && join.takesOver)
        takeOver(client.id);
    else
        tellJoined(client);
    m_captures.tell(client.id, *client.link);
    if (!m_pipeline)
        return;
    const bool isKnown = join.session == m_session && join.pipeline == m_pipelineNumber;
    client.pipeline.join(*m_log, isKnown ? join.known.least() : m_log->newest());
    client.pipeline.sendState(m_pipelineNumber, m_pipeline->status());
}

void RemoteServer::tellJoined(Client &client)
{
    client.link->send(
        messageOf(Joined{m_session, client.id == m_ordersFrom, m_pipeline ? m_pipelineNumber : 0, m_request}));
}

void RemoteServer::takeOver(std::uint32_t client)
{
    if (const Client *taker = clientOf(client); !taker || !taker->follows)
        return;
    m_ordersFrom = client;
    for (const std::unique_ptr<Client> &each : m_clients)
        if (each->hasJoined)
            tellJoined(*each);
}

void RemoteServer::ask(Client &client, const Ask &ask)
{
    using Question = Ask::Question;
    const std::uint32_t id = client.id;
    const auto reply = [this, id](Answer answer) { this->reply(id, std::move(answer)); };
    Answer answer;
    answer.id = ask.id;
    const bool changes = ask.question == Question::Open || ask.question == Question::Close
        || ask.question == Question::Record || ask.question == Question::StopRecording;
    if (changes && id != m_ordersFrom) {
        answer.error = refusal("Another laptop gives the orders to this board: take over first");
        return reply(answer);
    }
    if (m_captures.ask(id, *client.link, ask))
        return;
    switch (ask.question) {
    case Question::TakeOver:
        takeOver(id);
        return reply(answer);
    case Question::Open:
        if (!ask.request)
            return client.link->fail(refusal("The far end asks to open nothing"));
        return open(id, ask.id, *ask.request);
    case Question::Close:
        if (ask.pipeline != m_pipelineNumber)
            return reply(answer); // It is gone already.
        // The pipeline ends where it may take long, and the answer says that it has.
        m_captures.closed();
        m_log.reset();
        return later([reply, answer, pictures = std::shared_ptr<Previewer>(m_pictures.closed()),
                      ending = std::shared_ptr<PipelineControl>(std::move(m_pipeline))]() mutable {
            pictures.reset();
            ending.reset();
            reply(answer);
        });
    case Question::Record:
    case Question::StopRecording:
    case Question::Captures:
    case Question::RemoveCapture:
    case Question::Devices:
    case Question::Cameras:
    case Question::Platform:
    case Question::Machine:
        break;
    }
    later([this, reply, answer, ask]() mutable {
        if (ask.question == Question::Devices)
            answer.devices = m_host->devices();
        else if (ask.question == Question::Cameras)
            answer.cameras = m_host->cameras();
        else if (ask.question == Question::Machine)
            readMachine(ask, answer);
        else
            answer.platform = m_host->platform();
        reply(std::move(answer));
    });
}

/// Where it may take long. Nothing is read unless somebody asks.
void RemoteServer::readMachine(const Ask &ask, Answer &answer)
{
    if (!m_machine)
        m_machine = m_host->machine();
    Result<BoardValues> values =
        m_machine ? m_machine->read(ask.firstGpu) : refusal("The values of this board cannot be read");
    if (!values.ok()) {
        answer.error = values.error();
        return;
    }
    if (ask.wantsFacts)
        answer.boardFacts = *values.value().facts;
    answer.boardState = std::move(values.value().state);
}

void RemoteServer::open(std::uint32_t client, std::uint32_t askId, const SessionRequest &request)
{
    struct Opening {
        std::unique_ptr<PipelineControl> before;
        std::unique_ptr<Previewer> picturesBefore;
        std::unique_ptr<PipelineControl> opened;
        Answer answer;
    };
    auto opening = std::make_shared<Opening>();
    opening->before = std::move(m_pipeline);
    opening->picturesBefore = m_pictures.closed();
    opening->answer.id = askId;
    m_captures.closed();
    m_log.reset();
    later([this, opening, client, request] {
        opening->picturesBefore.reset();
        opening->before.reset(); // Its source and device may be those of the new one.
        Result<std::unique_ptr<PipelineControl>> opened = openAsked(*m_host, request);
        if (opened.ok())
            opening->opened = std::move(opened).value();
        else
            opening->answer.error = opened.error();
        post(client, [this, opening, request](Client *to) {
            if (opening->opened) {
                m_pipeline = std::move(opening->opened);
                opening->answer.pipeline = ++m_pipelineNumber;
                m_request = request;
                m_log = std::make_unique<UpdateLog>(m_pipelineNumber);
                m_pictures.opened(m_pipelineNumber, *m_pipeline);
                m_captures.opened(*m_pipeline, m_request, *m_log);
                m_watchCost = {};
                for (const std::unique_ptr<Client> &each : m_clients)
                    each->pipeline.restart();
            }
            if (to) // Else it will join again, and find the pipeline.
                to->link->send(messageOf(opening->answer));
        });
    });
}

/// What is new from the pipeline to who follows, and the past to who does not yet.
void RemoteServer::follow()
{
    const std::vector<Client *> followers = this->followers();
    for (Client *client : followers)
        m_captures.tell(client->id, *client->link);
    if (!m_pipeline)
        return;
    // The state first, so that all notices of how it came about are in the update.
    const PipelineStatus status = m_pipeline->status();
    const PipelineUpdate update = m_pipeline->drainUpdates();
    const bool keeps = keepsBack(status, update);
    for (Client *client : followers)
        client->pipeline.turn(*m_log, keeps);
    m_captures.take(update);
    if (status.state == PipelineState::Ended || status.state == PipelineState::Failed)
        m_captures.ended();
    if (!saysNothing(update)) {
        const std::uint64_t position = m_log->add(update);
        const std::vector<Message> parts = partsOf(m_pipelineNumber, position, update);
        for (Client *client : followers)
            client->pipeline.send(m_pipelineNumber, position, parts, update.spans);
    }
    for (Client *client : followers)
        client->pipeline.sendFigures(*m_log);
    m_pictures.follow(keeps);
    if (keeps)
        return;
    const std::optional<Message> program = newProgramState();
    for (Client *client : followers) {
        client->pipeline.sendUnsent();
        client->pipeline.sendPast(*m_log);
        client->pipeline.sendState(m_pipelineNumber, status);
        client->pipeline.sendCost(m_pipelineNumber, m_watchCost);
        if (program)
            client->pipeline.sendProgram(*program);
    }
}

/// How the inspected program is, now and then.
std::optional<Message> RemoteServer::newProgramState()
{
    const Inspection *const program = m_pipeline->inspection();
    if (!program || Clock::now() < m_nextProgramState)
        return std::nullopt;
    m_nextProgramState = Clock::now() + kProgramEvery;
    return messageOf(ProgramState::of(m_pipelineNumber, program->state()));
}

void RemoteServer::endProgram(const Client &client, const EndProgram &end)
{
    Inspection *const program = m_pipeline && end.pipeline == m_pipelineNumber && client.id == m_ordersFrom
        ? m_pipeline->inspection()
        : nullptr;
    if (program)
        program->endProgram();
}

std::vector<RemoteServer::Client *> RemoteServer::followers() const
{
    std::vector<Client *> followers;
    for (const std::unique_ptr<Client> &client : m_clients)
        if (client->isFollower())
            followers.push_back(client.get());
    return followers;
}

/// Whether this is a turn in which nobody is sent anything, to measure what watching costs.
bool RemoteServer::keepsBack(const PipelineStatus &status, const PipelineUpdate &update)
{
    for (const PipelineNotice &notice : update.notices) {
        if (notice.kind == PipelineNotice::Kind::Switched)
            m_watchCost.restart();
        else if (notice.kind != PipelineNotice::Kind::Untraced && notice.kind != PipelineNotice::Kind::Dropped)
            m_watchCost.interrupt();
    }
    m_watchCost.add(update.figures);
    WatchCostMeter::Situation situation;
    situation.nowNs = nowNs();
    situation.isCaughtUp = true;
    for (const Client *client : followers()) {
        situation.isWatched |= status.state == PipelineState::Running;
        situation.isCaughtUp &= client->pipeline.isCaughtUp();
    }
    return m_watchCost.keepsBack(situation);
}

} // namespace jetscope

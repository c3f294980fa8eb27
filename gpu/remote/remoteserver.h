// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/watch/watchcostmeter.h"
#include "gpu/remote/capturedesk.h"
#include "gpu/remote/errands.h"
#include "gpu/remote/follower.h"
#include "gpu/remote/link.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/pictureserver.h"
#include "gpu/remote/pipelinehost.h"
#include "gpu/remote/programmessages.h"
#include "gpu/remote/updatelog.h"
#include "gpu/remote/viewdesk.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace jetscope {

/// The board's side: opens pipelines of a host for laptops that come and go. One pipeline at a time, which goes on
/// while nobody is connected. The first laptop gives the orders; others watch, until one takes over. A thread of its
/// own takes the pipeline's updates and never waits for a laptop; another one does what may take long. Any thread may
/// call.
class RemoteServer {
public:
    /// Recordings are in `captures`.
    RemoteServer(std::shared_ptr<PipelineHost> host, CaptureFolder captures);
    /// Ends the pipeline and its recording, and says goodbye.
    ~RemoteServer();
    RemoteServer(const RemoteServer &) = delete;
    RemoteServer &operator=(const RemoteServer &) = delete;

    /// Serves a laptop until its connection ends. A connection too many is told so and closed.
    void add(LinkEnds ends);
    /// How long nobody has been connected; none while somebody is, or a recording goes on.
    std::optional<std::chrono::milliseconds> aloneFor() const;
    /// Another one for each server.
    const std::string &session() const { return m_session; }

private:
    struct Client {
        explicit Client(std::shared_ptr<Link> its) : link(std::move(its)) {}

        std::uint32_t id = 0;
        std::shared_ptr<Link> link; ///< The desk of views may use it for a moment longer.
        bool hasJoined = false;
        bool isOver = false;
        bool follows = true; ///< Sees the pipeline.
        Follower pipeline{*link};

        bool isFollower() const { return hasJoined && follows; }
    };
    struct Event {
        std::uint32_t client = 0;
        std::function<void(Client *)> act; ///< Null: it is gone; never for what it sent itself.
    };

    void work();
    void post(std::uint32_t client, std::function<void(Client *)> act);
    void later(std::function<void()> act) { m_long.add(std::move(act)); }
    void came(std::uint32_t client, Link &link, Message message);

    // The working thread's alone.
    template <class Ask>
    bool answerMissed(Client &client, const Message &message);
    void handle(Client &client, const Message &message);
    void join(Client &client, const Join &join);
    void tellJoined(Client &client);
    void ask(Client &client, const Ask &ask);
    void reply(std::uint32_t client, Answer answer);
    void open(std::uint32_t client, std::uint32_t askId, const SessionRequest &request);
    void readMachine(const Ask &ask, Answer &answer);
    void takeOver(std::uint32_t client);
    void follow();
    bool keepsBack(const PipelineStatus &status, const PipelineUpdate &update);
    std::vector<Client *> followers() const;
    std::optional<Message> newProgramState();
    void endProgram(const Client &client, const EndProgram &end);
    Client *clientOf(std::uint32_t id);

    bool removeEnded();

    const std::shared_ptr<PipelineHost> m_host;
    const std::string m_session;

    std::vector<std::unique_ptr<Client>> m_clients; ///< The working thread's alone, as all up to m_mutex.
    std::uint32_t m_ordersFrom = 0;                 ///< The client that gives orders; 0: the next that joins.
    std::unique_ptr<PipelineControl> m_pipeline;
    std::uint32_t m_pipelineNumber = 0;
    SessionRequest m_request;
    std::unique_ptr<UpdateLog> m_log;
    PictureServer m_pictures{
        [this](std::function<void()> act) { post(0, [act = std::move(act)](Client *) { act(); }); }};
    WatchCostMeter m_watchCost; ///< Of the present pipeline.
    std::chrono::steady_clock::time_point m_nextProgramState;
    CaptureDesk m_captures;

    std::unique_ptr<MachineReader> m_machine; ///< The thread's for what may take long. Null before it is asked for.

    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_wake;
    std::deque<Event> m_events;
    std::vector<std::unique_ptr<Client>> m_newClients;
    std::uint32_t m_nextClient = 1;
    std::size_t m_connected = 0;
    std::chrono::steady_clock::time_point m_aloneSince = std::chrono::steady_clock::now();
    bool m_ends = false;

    ViewDesk m_views; ///< Any thread, as all up to m_thread.
    Errands m_long;
    std::thread m_thread;
};

} // namespace jetscope

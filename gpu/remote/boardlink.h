// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/fileinbox.h"
#include "gpu/remote/remotehost.h"
#include "gpu/remote/remotepictures.h"
#include "gpu/remote/remotepipeline.h"
#include "gpu/remote/remoteview.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace jetscope {

/// What a RemoteHost and its controls share: the connection and its renewal, questions and their answers, and the
/// pipeline at the far end. Any thread.
class BoardLink {
public:
    BoardLink(Dialer dial, RemoteWish wish);
    /// Ends the connection, not the pipeline.
    ~BoardLink();
    BoardLink(const BoardLink &) = delete;
    BoardLink &operator=(const BoardLink &) = delete;

    /// The first connection.
    Status connect();
    /// Waits for the answer; an error if the connection is cut before.
    Result<Answer> ask(Ask ask);
    /// Kept while the connection is cut; then a newer one of its kind replaces it.
    void order(std::uint32_t pipeline, PipelineCommand command);
    RemoteState state() const;
    /// What comes of the board's pipeline of this number.
    std::shared_ptr<RemotePipeline> pipeline(std::uint32_t number);
    /// The number of the newest one that was heard of; 0: of none.
    std::uint32_t newestPipeline() const;
    const std::shared_ptr<RemotePictures> &pictures() const { return m_pictures; }
    /// What the board said last.
    Joined joined() const;
    /// A capture of the board, in place of the one before.
    std::shared_ptr<RemoteView> openView(const std::string &board, const std::string &path,
                                         std::function<void()> onNews);

    /// Waits at most so long until there is a connection. False: there is none.
    bool waitForConnection(std::chrono::milliseconds timeout);
    /// A capture of the board from a byte on; one at a time. Null if there is no connection.
    std::shared_ptr<FileInbox> readFile(const std::string &name, const std::string &version, std::uint64_t fromByte);
    /// No more of it is wanted.
    void closeFile(FileInbox &inbox);

private:
    /// What views send through. They may outlive the connection, which its own threads must not end.
    struct Gate {
        std::mutex mutex;
        BoardLink *link = nullptr; ///< Null when it has ended.
    };

    Status dial();
    void keepConnected();
    void look();
    void sayClock(Link &link);
    bool takeBlock(FileBlock block);
    bool takeEnd(FileEnd end);
    void noteRestart();
    void came(Link &link, const Message &message);
    bool take(const Message &message);
    void takeJoined(const Joined &joined);
    void takeAnswer(Answer answer);
    void takeCost(const WatchCost &cost);
    void losePipeline(const std::string &why);
    void ended(const Link &link, const std::optional<Error> &why);
    void sendOrders();
    void sendNow(Message message);
    std::shared_ptr<RemoteView> view() const;
    template <class T>
    bool takeForView(const Message &message);

    const Dialer m_dial;
    const std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
    const RemoteWish m_wish;
    const std::shared_ptr<RemotePictures> m_pictures;
    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    std::shared_ptr<Link> m_link; ///< Null while there is none.
    bool m_isCut = false;
    bool m_ends = false;
    bool m_hasJoined = false; ///< By the present connection.
    Joined m_joined;
    Hello m_board;
    std::string m_trouble;
    std::int64_t m_awaySinceNs = 0; ///< By nowWithSleepNs.
    std::chrono::milliseconds m_lastAway{0};
    std::uint32_t m_cuts = 0;
    std::shared_ptr<RemotePipeline> m_pipeline;
    std::int64_t m_sleptNs = 0; ///< This machine, since it was started.
    bool m_hasWoken = false;    ///< And has heard nothing since.
    std::chrono::steady_clock::time_point m_wokeAt;
    std::chrono::steady_clock::time_point m_nextClockSaid;
    RecordingState m_recording;
    std::string m_survivor;
    std::shared_ptr<FileInbox> m_inbox; ///< Null: no file comes.
    std::uint32_t m_nextFile = 1;
    std::uint32_t m_nextAsk = 1;
    std::map<std::uint32_t, std::optional<Answer>> m_answers; ///< Of those who wait.
    std::deque<Order> m_orders;                               ///< That could not be sent yet.
    std::weak_ptr<RemoteView> m_view;
    std::uint32_t m_nextView = 1;
    std::optional<WatchCost> m_watchCost; ///< Of the present pipeline.
    std::thread m_thread;
};

} // namespace jetscope

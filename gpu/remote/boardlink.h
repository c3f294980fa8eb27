// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    explicit BoardLink(Dialer dial);
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
    const std::shared_ptr<RemotePictures> &pictures() const { return m_pictures; }
    /// What the board said last.
    Joined joined() const;
    /// A capture of the board, in place of the one before.
    std::shared_ptr<RemoteView> openView(const std::string &board, const std::string &path,
                                         std::function<void()> onNews);

private:
    /// What views send through. They may outlive the connection, which its own threads must not end.
    struct Gate {
        std::mutex mutex;
        BoardLink *link = nullptr; ///< Null when it has ended.
    };

    Status dial();
    void keepConnected();
    void came(Link &link, const Message &message);
    bool take(const Message &message);
    void takeJoined(const Joined &joined);
    void losePipeline(const std::string &why);
    void ended(const Link &link, const std::optional<Error> &why);
    void sendOrders();
    void sendNow(Message message);
    std::shared_ptr<RemoteView> view() const;
    template <class T>
    bool takeForView(const Message &message);

    const Dialer m_dial;
    const std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
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
    std::chrono::steady_clock::time_point m_awaySince;
    std::chrono::milliseconds m_lastAway{0};
    std::uint32_t m_cuts = 0;
    std::shared_ptr<RemotePipeline> m_pipeline;
    std::uint32_t m_nextAsk = 1;
    std::map<std::uint32_t, std::optional<Answer>> m_answers; ///< Of those who wait.
    std::deque<Order> m_orders;                               ///< That could not be sent yet.
    std::weak_ptr<RemoteView> m_view;
    std::uint32_t m_nextView = 1;
    std::optional<WatchCost> m_watchCost; ///< Of the present pipeline.
    std::thread m_thread;
};

} // namespace jetscope

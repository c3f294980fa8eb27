// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/boardconnection.h"
#include "gpu/remote/comingfile.h"
#include "gpu/remote/remotehost.h"
#include "gpu/remote/remotepictures.h"
#include "gpu/remote/remotepipeline.h"
#include "gpu/remote/viewslot.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace jetscope {

/// What a RemoteHost and its controls share: questions and their answers, orders, and the pipeline at the far end, over
/// connections that may be cut. Any thread.
class BoardLink final : private BoardConnection::Owner {
public:
    BoardLink(Dialer dial, RemoteWish wish);
    /// Ends the connection, not the pipeline.
    ~BoardLink() override;
    BoardLink(const BoardLink &) = delete;
    BoardLink &operator=(const BoardLink &) = delete;

    /// The first connection.
    Status connect() { return m_connection.connect(); }
    /// Waits at most so long until there is a connection. False: there is none.
    bool waitUntilConnected(std::chrono::milliseconds timeout) { return m_connection.waitUntilConnected(timeout); }
    /// Waits for the answer; an error if the connection is cut before.
    Result<Answer> ask(Ask ask);
    /// Kept while the connection is cut; then a newer one of its kind replaces it.
    void order(std::uint32_t pipeline, PipelineCommand command);
    /// Spans of a time that were not sent; asked for again over a new connection.
    void wantMissing(RemotePipeline &pipeline, Interval seen, double nsPerPixel);
    /// Asks the program to end that is inspected on the board.
    void endProgram(std::uint32_t pipeline) { m_connection.send(messageOf(EndProgram{pipeline})); }
    RemoteState state() const;
    /// What comes of the board's pipeline of this number.
    std::shared_ptr<RemotePipeline> pipeline(std::uint32_t number);
    /// The number of the newest one that was heard of; 0: of none.
    std::uint32_t newestPipeline() const;
    const std::shared_ptr<RemotePictures> &pictures() const { return m_pictures; }
    /// What the board said last.
    Joined joined() const;
    /// Captures of the board that are looked at.
    ViewSlot &views() { return m_views; }

    /// A capture of the board from a byte on; one at a time. Null if there is no connection.
    std::shared_ptr<FileInbox> readFile(const std::string &name, const std::string &version, std::uint64_t fromByte);
    /// No more of it is wanted.
    void closeFile(FileInbox &inbox);

private:
    Join joinFor(const Hello &board) override;
    bool take(const Message &message) override;
    void connectedAgain() override;
    void cut(const std::string &why) override;
    void look(Link &link) override;

    void takeJoined(const Joined &joined);
    void takeAnswer(Answer answer);
    void takeCost(const WatchCost &cost);
    void noteRestart();
    void losePipeline(const std::string &why);
    void sendOrders();

    const RemoteWish m_wish;
    const std::shared_ptr<RemotePictures> m_pictures;
    ViewSlot m_views;
    ComingFile m_file;
    mutable std::mutex m_mutex; ///< For all up to m_connection.
    std::condition_variable m_changed;
    std::string m_bootId; ///< Of the board.
    Joined m_joined;
    std::shared_ptr<RemotePipeline> m_pipeline;
    RecordingState m_recording;
    std::string m_survivor;
    std::chrono::steady_clock::time_point m_nextClockSaid;
    std::uint32_t m_nextAsk = 1;
    std::map<std::uint32_t, std::optional<Answer>> m_answers; ///< Of those who wait.
    std::deque<Order> m_orders;                               ///< That could not be sent yet.
    std::optional<WatchCost> m_watchCost;                     ///< Of the present pipeline.
    BoardConnection m_connection;                             ///< Ends first.
};

} // namespace jetscope

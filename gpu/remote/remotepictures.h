// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/picture/rgbapicture.h"
#include "core/remote/wire/message.h"
#include "core/result.h"
#include "gpu/remote/picturemessages.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace jetscope {

/// A frame of a board as the laptop has it.
struct BoardPicture {
    std::uint32_t frame = 0;
    std::uint64_t number = 0; ///< The source's frame number, which is shown to users.
    int width = 0;            ///< Of the frame on the board.
    int height = 0;
    RgbaPicture picture;           ///< Smaller where it is reduced.
    std::vector<std::byte> file{}; ///< The PNG file of a whole frame.
};

/// Pictures of the pipeline of a board, on the laptop. What came is unpacked on a thread of its own, and checked
/// before: the board may be hostile. What is broken is counted and not shown. Any thread.
class RemotePictures {
public:
    /// `send` sends a message if the board is connected.
    explicit RemotePictures(std::function<void(Message)> send);
    ~RemotePictures();
    RemotePictures(const RemotePictures &) = delete;
    RemotePictures &operator=(const RemotePictures &) = delete;

    // --- the owner's side

    /// Called on any thread whenever there is something new; must not wait. Set it to null before what it uses ends: it
    /// is not called any more then.
    void setListener(std::function<void()> onNews);
    /// Asks for one more reduced picture; nothing is sent while one is on its way.
    void ask();
    /// The newest reduced picture that was not taken yet.
    std::optional<BoardPicture> takeReduced();
    /// Why no pictures come, in a sentence; empty if they may.
    std::string trouble() const;
    /// How many pictures were broken.
    std::uint64_t broken() const;

    /// Fetches the whole frame of a reduced picture, in place of one that is being fetched.
    void fetchWhole(const BoardPicture &reduced);
    void cancelWhole();
    struct Progress {
        std::uint64_t bytes = 0;
        std::uint64_t of = 0; ///< 0: not known yet.
    };
    /// Of the whole frame that is being fetched; none if none is.
    std::optional<Progress> progress() const;
    /// The whole frame once it is there, or why it cannot be.
    std::optional<Result<BoardPicture>> takeWhole();

    // --- the connection's side

    /// The pipeline whose pictures are wanted.
    void follow(std::uint32_t pipeline);
    /// False: the message cannot be.
    bool take(const Message &message);
    /// What was asked for over a connection before is asked for again.
    void connected();
    /// The connection is over for good: nothing is sent any more.
    void detach();

private:
    struct Fetch {
        std::uint32_t id = 0;
        BoardPicture of;
        std::vector<std::byte> file;
        std::uint64_t size = 0;
        bool isHere = false;
    };

    bool takePicture(const Message &message);
    bool takePart(const Message &message);
    void work();
    void unpackReduced(std::unique_lock<std::mutex> &lock);
    void unpackWhole(std::unique_lock<std::mutex> &lock);
    void tell();
    void send(Message message);
    WantPicture want() const;

    std::mutex m_sending; ///< Never together with m_mutex.
    std::function<void(Message)> m_send;
    std::mutex m_listening;
    std::function<void()> m_listener;

    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    std::uint32_t m_pipeline = 0;
    bool m_isAsked = false;
    std::optional<std::chrono::steady_clock::time_point> m_cameAt; ///< The last reduced one, by this connection.
    std::optional<Picture> m_packed;
    std::optional<BoardPicture> m_reduced;
    std::string m_trouble;
    std::uint64_t m_broken = 0;
    std::uint32_t m_nextFetch = 1;
    std::optional<Fetch> m_fetch;
    std::optional<Result<BoardPicture>> m_whole;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace jetscope

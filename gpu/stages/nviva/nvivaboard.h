// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace jetscope {

// Memory that Jetscope shares with the process of an nvivafilter library: this board, and behind it the frame, RGBA
// with the rows one after another. Both sides are the same build of the same program.

/// What the library did with one frame. Times are CLOCK_MONOTONIC.
struct NvivaWork {
    struct Part {
        std::int64_t fromNs = 0; ///< 0: there was none.
        std::int64_t untilNs = 0;
    };
    Part pre;
    Part gpu;
    Part post;
    Part copies[2]; ///< To the device and back.
    std::uint32_t registrations = 0;
    std::int64_t registrationNs = 0; ///< Inside the driver's functions to register, ask for and give back a frame.
    std::uint32_t waits = 0;         ///< For all work of the context.
    static constexpr std::uint32_t kMaxWaits = 8;
    Part waited[kMaxWaits]; ///< The first ones.
};

struct NvivaBoard {
    static constexpr std::uint32_t kMaxText = 500;

    std::atomic<std::uint32_t> asked{0};    ///< Counts requests; the library's process waits for it.
    std::atomic<std::uint32_t> answered{0}; ///< The last request that is done.
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::uint64_t bytes = 0;      ///< Of board and frame.
    std::uint32_t byEglImage = 0; ///< 1: the library gets a real EGLImage, and the driver registers it.
    NvivaWork work;
    char trouble[kMaxText + 1] = {}; ///< Of the answer; empty if it is good.

    void setTrouble(const std::string &text);
    std::string troubleText() const;
};
/// Where the frame begins.
inline constexpr std::size_t kNvivaFrameOffset = 4096;
static_assert(sizeof(NvivaBoard) <= kNvivaFrameOffset);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Waits until the word has another value, but not much longer than the time; also returns early. Across processes.
void waitForChange(const std::atomic<std::uint32_t> &word, std::uint32_t value, std::chrono::milliseconds atMost);
void wakeOther(const std::atomic<std::uint32_t> &word);

/// Shared memory that is mapped.
class NvivaMapping {
public:
    NvivaMapping() = default;
    ~NvivaMapping() { unmap(); }
    NvivaMapping(const NvivaMapping &) = delete;
    NvivaMapping &operator=(const NvivaMapping &) = delete;

    bool map(int descriptor, std::size_t bytes);
    void unmap();
    NvivaBoard &board() const { return *reinterpret_cast<NvivaBoard *>(m_memory); }
    std::byte *frame() const { return m_memory + kNvivaFrameOffset; }
    std::byte *memory() const { return m_memory; }
    std::size_t bytes() const { return m_bytes; }

private:
    std::byte *m_memory = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockfinder.h"
#include "core/lab/latencymeter.h"
#include "gpu/pipeline/inputwatch.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jetscope {

/// What the watcher saw last, for whoever shows it.
struct ClockSeen {
    LumaPicture picture;              ///< Reduced, of the last search.
    double scale = 1;                 ///< Pixels of the source for each of its pixels.
    std::optional<ClockReader> clock; ///< In pixels of the source.
    ClockSight sight = ClockSight::NotFound;
};

/// Looks for the clock in the frames of a source and reads it. On the capture thread it touches a few thousand pixels
/// of a frame; while it has not found the clock, it copies a frame now and then for a thread that searches.
class ClockWatcher final : public InputWatch {
public:
    ClockWatcher();
    ~ClockWatcher() override;

    void arrived(const CapturedFrame &frame, const ImageLayout &layout, const std::byte *bytes) override;

    /// The frames since the last call, in order. Any thread.
    std::vector<FrameSighting> take();
    /// Any thread.
    ClockSeen seen() const;
    /// Why frames cannot be read at all; empty if they can. Any thread.
    std::string trouble() const;
    /// From now on also every so often while the clock is found, for the picture of it.
    void wantPictures(bool wanted);

private:
    void search();
    ClockReading look(const LumaView &picture, std::int64_t nowNs);
    void giveToSearch(const LumaView &picture, std::int64_t nowNs);

    // The capture thread's alone.
    std::optional<ClockReader> m_reader;
    ImageLayout m_layout;
    std::int64_t m_givenNs = 0;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ends = false;
    bool m_pictures = false;
    std::string m_trouble;
    std::vector<FrameSighting> m_sightings;
    std::optional<LumaPicture> m_toSearch;
    LumaView m_like; ///< Layout of the picture to search; its pixels are gone.
    std::optional<FoundClock> m_found;
    ClockSeen m_seen;
    std::thread m_thread;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/streampipeline.h"
#include "gpu/sources/v4l2/framecheck.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace jetscope {

/// The text of a pipeline and where its pictures are.
struct StreamRecipe {
    std::string text;
    StreamMemory memory = StreamMemory::Cpu;
    StreamOrigin origin = StreamOrigin::User;

    bool operator==(const StreamRecipe &) const = default;
};

/// A GStreamer pipeline that is started again, with back-off, when it is lost. Capture thread, but for what is marked.
class StreamFeed {
public:
    struct Setup {
        std::string name; ///< For errors, in quotes.
        StreamRecipe recipe;
        bool reconnects = true; ///< Else the end of the stream is the end.
    };
    /// Waits for a first picture; without one an error within 5 seconds.
    static Result<std::unique_ptr<StreamFeed>> start(Setup setup);

    /// The first picture, which came while the feed was started; null once it was taken.
    const StreamPicture *first() const { return m_picture ? &*m_picture : nullptr; }
    /// None after `cancel`, and at the end of a pipeline that ends.
    Result<std::optional<StreamPicture>> next();
    /// What a source says of a picture that it delivers.
    CapturedFrame captured(const StreamPicture &picture);

    const StreamRecipe &recipe() const { return m_setup.recipe; }
    /// Goes on with another pipeline in place of this one.
    Status change(StreamRecipe recipe);
    /// Gives the pipeline up until a picture is wanted again.
    void suspend() { giveUp(); }
    /// Called before a pipeline that was lost or changed is given up.
    void onGivenUp(std::function<void()> givenUp) { m_givenUp = std::move(givenUp); }
    /// Keeps the memory of pictures that came of it. Null while suspended.
    const std::shared_ptr<StreamPipeline> &pipeline() const { return m_pipeline; }

    /// Any thread.
    void cancel();
    std::string trouble() const; ///< Any thread.
    SourceFaults faults() const; ///< Any thread.

private:
    /// A first picture within the time, with the pipeline that made it.
    struct Started {
        std::shared_ptr<StreamPipeline> pipeline;
        std::optional<StreamPicture> picture;
    };
    StreamFeed(Setup setup, Started started);
    static Result<Started> startStream(const StreamRecipe &recipe, std::chrono::milliseconds timeout);

    Status reconnect(const std::string &reason);
    void giveUp();
    bool cancelled() const;
    void setTrouble(std::string trouble);

    Setup m_setup;
    std::shared_ptr<StreamPipeline> m_pipeline;
    std::optional<StreamPicture> m_picture;
    std::function<void()> m_givenUp = [] {};
    TimestampCheck m_stamps;
    std::uint64_t m_next = 0;
    std::optional<SourceGap> m_gap; ///< While the stream is lost, and until its first picture.
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_cancelled = false;
    std::string m_trouble;
    SourceFaults m_faults;
};

} // namespace jetscope

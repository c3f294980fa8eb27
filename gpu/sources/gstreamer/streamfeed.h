// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/streampipeline.h"
#include "gpu/sources/pictureindex.h"
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

/// A GStreamer pipeline that is restarted, with back-off, when it is lost. Capture thread, except where marked.
class StreamFeed {
public:
    struct Setup {
        std::string name; ///< Quoted, for error messages.
        StreamRecipe recipe;
        bool reconnects = true; ///< If false, the feed ends with the stream.
    };
    /// Waits for the first picture; an error if none arrives within 5 seconds.
    static Result<std::unique_ptr<StreamFeed>> start(Setup setup);

    /// The first picture, which arrived while the feed started; null once it was taken.
    const StreamPicture *first() const { return m_picture ? &*m_picture : nullptr; }
    /// None after `cancel`, and at the end of a pipeline that does not reconnect.
    Result<std::optional<StreamPicture>> next();
    /// The data of a picture that the source delivers.
    CapturedFrame captured(const StreamPicture &picture);

    const StreamRecipe &recipe() const { return m_setup.recipe; }
    /// Continues with another pipeline instead of this one.
    Status change(StreamRecipe recipe);
    /// Closes the pipeline until the next picture is requested.
    void suspend() { giveUp(); }
    /// Called before a lost or changed pipeline is closed.
    void onGivenUp(std::function<void()> givenUp) { m_givenUp = std::move(givenUp); }
    /// Hold it to keep the memory of its pictures valid. Null while suspended.
    const std::shared_ptr<StreamPipeline> &pipeline() const { return m_pipeline; }

    /// Any thread.
    void cancel();
    std::string trouble() const; ///< Any thread.
    SourceFaults faults() const; ///< Any thread.
    StreamFacts facts() const;   ///< Any thread.

private:
    /// A pipeline and the first picture that it delivered in time.
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
    void setPipeline(std::shared_ptr<StreamPipeline> pipeline);
    std::optional<StreamPicture> take(std::optional<StreamPicture> picture);

    Setup m_setup;
    std::shared_ptr<StreamPipeline> m_pipeline;
    std::optional<StreamPicture> m_picture;
    std::function<void()> m_givenUp = [] {};
    TimestampCheck m_stamps;
    PictureIndex m_index;
    bool m_anyRead = false;
    std::int64_t m_lastArrivalNs = 0;
    const void *m_lastCaps = nullptr; ///< Only compared.
    std::optional<SourceGap> m_gap;   ///< Set from the loss of the stream until its next picture.
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_cancelled = false;
    std::string m_trouble;
    SourceFaults m_faults;      ///< Of pipelines that were closed, and what the feed counts itself.
    StreamFacts m_pictureFacts; ///< What the caps of the last picture say.
};

} // namespace jetscope

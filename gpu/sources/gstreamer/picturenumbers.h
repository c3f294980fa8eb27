// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/ratemeter.h"

#include <cstdint>
#include <memory>
#include <mutex>

typedef struct _GstBuffer GstBuffer;
typedef struct _GstElement GstElement;

namespace jetscope {

/// Numbers the pictures that reach the end of a pipeline, so that those are counted which it drops because its reader
/// is late; and measures their rate by their time stamps. Any thread.
class PictureNumbers {
public:
    struct Arrival {
        std::uint64_t number = 0; ///< From 0.
        std::int64_t arrivalNs = 0;
        bool repeated = false; ///< Marked as a copy of the picture before, or stamped like it.
    };

    /// Call before the pipeline starts; `sink` receives the pictures.
    static std::shared_ptr<PictureNumbers> watch(GstElement *sink);

    /// Of a buffer that passed; however many have passed since.
    Arrival arrivalOf(GstBuffer *buffer) const;
    /// How many have arrived.
    std::uint64_t count() const;
    /// 1 / median difference of the last time stamps; 0 while there are too few.
    double measuredFps() const;

private:
    void note(GstBuffer *buffer);

    mutable std::mutex m_mutex;
    std::uint64_t m_count = 0;
    std::int64_t m_lastStamp = -1; ///< Nanoseconds; negative for none.
    RateMeter m_rate;
};

} // namespace jetscope

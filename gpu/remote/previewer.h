// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/pipeline/framelender.h"
#include "gpu/remote/errands.h"
#include "gpu/remote/picturemessages.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jetscope {

class EglContext;
class Tracer;

/// How a picture is reduced.
struct Reduction {
    int mostSide = kMaxPreviewSide;
    int quality = 75; ///< Of JPEG: 1..100.
};

/// Makes pictures of frames that a pipeline lends, for who is elsewhere. A thread with its own GL context scales them
/// on the GPU and reads them back. Another one packs reduced pictures, when no other thread wants the processor, and a
/// third one whole frames, which somebody asked for. Their spans are in lanes of their own, which count as Jetscope's
/// work. Any thread; lender and tracer outlive it.
class Previewer {
public:
    /// Called on the threads of the previewer.
    struct Sink {
        std::function<void(Result<Picture>)> reduced; ///< Its pipeline is not set.
        std::function<void(std::uint32_t id, Result<std::vector<std::byte>> png)> whole;
    };
    Previewer(FrameLender &lender, Tracer &tracer, Sink sink);
    ~Previewer();
    Previewer(const Previewer &) = delete;
    Previewer &operator=(const Previewer &) = delete;

    /// Reduces the newest frame that was not reduced yet. Again only after the sink was called.
    void reduceNext(const Reduction &reduction);
    /// Reads a frame that was reduced, if it is one of the newest.
    void readWhole(std::uint32_t frame, std::uint32_t id);
    /// Nobody wants pictures for a while: gives all frames back.
    void rest();

private:
    struct Whole {
        std::uint32_t frame = 0;
        std::uint32_t id = 0;
    };
    struct Orders {
        std::optional<Reduction> reduce;
        std::vector<Whole> wholes;
        bool rests = false;
        bool ends = false;
    };
    class Reducer;

    void work();
    void carryOut(const Orders &orders, Reducer &reducer);
    void reduce(const LentFrame &frame, Reducer &reducer);
    void keep(const LentFrame &frame);
    void giveBackAll();
    void order(const std::function<void(Orders &)> &change);
    void pack();
    void packLater(std::function<void()> job);

    FrameLender &m_lender;
    Tracer &m_tracer;
    const Sink m_sink;
    std::deque<LentFrame> m_kept; ///< The working thread's alone, as the next.
    Reduction m_reduction;

    std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    Orders m_orders;
    std::deque<std::function<void()>> m_jobs;
    bool m_packerEnds = false;

    Errands m_wholes{Errands::Priority::Asked}; ///< Their packing.
    std::thread m_packer;
    std::thread m_thread;
};

} // namespace jetscope

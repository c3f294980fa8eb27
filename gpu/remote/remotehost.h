// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/time/clock.h"
#include "gpu/remote/capturestore.h"
#include "gpu/remote/link.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/picturemessages.h"
#include "gpu/remote/pipelinehost.h"
#include "gpu/remote/remoteview.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// Starts a connection to the board: `ssh BOARD jetscope serve`. May take seconds. Any thread.
using Dialer = std::function<Result<LinkEnds>()>;

/// What a laptop wants of a board.
struct RemoteWish {
    bool follows = true; ///< Otherwise only its captures; then nobody who watches it is disturbed.
    /// A connection on which nothing comes for so long, although it is asked for, is cut and made again: a laptop that
    /// slept, or a network that swallows everything, closes nothing.
    std::chrono::milliseconds longestSilence{20'000};
    std::int64_t (*slept)() = sleptNs; ///< How long this machine has slept. After a sleep silence is soon too long.
};

/// The connection to a board, for status lines.
struct RemoteState {
    bool isConnected = false;
    bool givesOrders = false; ///< Otherwise another laptop does.
    Hello board;
    std::string trouble; ///< Why it is not connected; empty if it is.
    /// How long nothing has come of it now, or had come the last time; the sleep of this machine counts.
    std::chrono::milliseconds away{0};
    std::uint32_t cuts = 0; ///< How often the connection was cut.
    NotSent notSent;        ///< By the board, since it was connected; of spans what has not come since, either.
    std::optional<ClockOffset> clockOffset; ///< The board's clock minus this one's.
    std::uint64_t bytesRead = 0;            ///< Since it was connected.
    RecordingState recording;               ///< On the board.
    /// The capture that was being recorded when the board, or the server there, was started anew; else empty.
    std::string survivor;
    std::optional<WatchCost> watchCost; ///< Of the pipeline; none before the board says.
    std::uint64_t missedUpdates = 0;    ///< Of the pipeline: the board had forgotten them when they were asked for.
};

/// The laptop's side: pipelines of a board, over connections that may be cut. A cut ends nothing: it dials again until
/// it is connected, goes on where it was, and asks for what it missed. Any thread.
class RemoteHost : public PipelineHost, public CaptureStore {
public:
    /// Connects, and fails if that is not possible at once.
    static Result<std::shared_ptr<RemoteHost>> connect(Dialer dial, RemoteWish wish = {});

    /// The pipeline that was running on the board already; null if there is none, or it was taken.
    virtual std::unique_ptr<PipelineControl> takeRunning() = 0;
    /// What that pipeline was opened with.
    virtual SessionRequest runningRequest() const = 0;
    virtual RemoteState state() const = 0;
    /// Gives the orders from now on; others only watch.
    virtual Status takeOver() = 0;
    /// Looks at a capture of the board, in place of the one before, without fetching it. `board` is its name for the
    /// user; `onNews` may be called on any thread. Does not wait.
    virtual std::shared_ptr<RemoteView> openView(const std::string &board, const std::string &path,
                                                 std::function<void()> onNews) = 0;
};

} // namespace jetscope

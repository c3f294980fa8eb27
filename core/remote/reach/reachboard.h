// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/reach/boardaddress.h"
#include "core/remote/reach/boardreport.h"
#include "core/remote/reach/farend.h"
#include "core/result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// The steps to a board, in their order.
enum class ReachStep {
    Connecting, ///< ssh logs in.
    Copying,    ///< The server for the board is copied; `fraction` is 0..1.
    Unpacking,  ///< The board checks and unpacks it.
    Started,    ///< What was asked for runs.
};

struct ReachWish {
    std::vector<std::string> arguments;                            ///< Of jetscope on the board; plain words.
    std::vector<std::string> environment;                          ///< NAME=VALUE for ssh, such as SSH_ASKPASS.
    int cancel = -1;                                               ///< Cancels as soon as this descriptor is readable.
    std::function<void(ReachStep step, double fraction)> progress; ///< On the calling thread.
};

/// jetscope runs on the board; its standard input and output are those of `end`, nothing of it was read yet.
struct ReachedBoard {
    std::unique_ptr<FarEnd> end;
    BoardReport report;
    std::string remark; ///< What the user should know of it, in a sentence; may be empty.
};

/// Logs in on a board and starts jetscope of this build there: the installed one, else one that was brought before,
/// else the server for its processor is brought from this machine (findBoardServer). Never downloads anything on the
/// board. Blocks; the error is a sentence with the remedy, or wasCancelled.
Result<ReachedBoard> reachBoard(const BoardAddress &board, const ReachWish &wish);

} // namespace jetscope

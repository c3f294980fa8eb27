// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/remote/remotehost.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// The way to a board, in this order.
enum class ConnectStep {
    Reach, ///< ssh logs in, and the board says what it is.
    Copy,  ///< The matching server, unless the board has it.
    Start, ///< The server, and whether both speak the same protocol.
    Clocks ///< The difference of the clocks, with its bound.
};
inline constexpr ConnectStep kLastConnectStep = ConnectStep::Clocks;

/// What is known of a step.
struct ConnectNews {
    ConnectStep step = ConnectStep::Reach;
    bool isDone = false;
    double tookMs = 0;    ///< When it is done.
    std::string found{};  ///< When it is done: "arm64, glibc 2.35, L4T 36.4.3".
    double fraction = -1; ///< 0..1 while it copies.
};

/// Follows a connection. Called on the thread that connects.
class ConnectWatch {
public:
    virtual ~ConnectWatch() = default;
    /// False: give up, as soon as possible.
    virtual bool advance(const ConnectNews &news) = 0;
    /// Becomes readable when the user gives up.
    virtual int cancelDescriptor() const = 0;
    /// What ssh and the board's login wrote, as it comes.
    virtual void heard(std::string_view text) = 0;
};

/// Looks at a capture of a board without fetching it (RemoteHost::openView). Null if the board was left. Any thread.
using ViewSource = std::function<std::shared_ptr<RemoteView>(const std::string &path, std::function<void()> onNews)>;

struct ConnectedBoard {
    std::shared_ptr<PipelineHost> host;       ///< Its last owner ends the connection.
    std::string name;                         ///< "orin-lab-3"
    std::string about;                        ///< "Jetson AGX Orin, L4T 36.4.3"; may be empty.
    std::string remark;                       ///< What the user should know of it, in a sentence; may be empty.
    std::optional<SessionRequest> running;    ///< A pipeline runs there already; `host` opens it first.
    std::function<RemoteState()> link;        ///< How the connection is now.
    std::function<Status()> takeOver;         ///< Gives the orders from now on. May take long.
    ViewSource openView{};                    ///< Null: it cannot.
    std::shared_ptr<CaptureStore> captures{}; ///< What is recorded there.
};

/// Connects with the board at an address, "[USER@]BOARD" or a name of the user's ~/.ssh/config. Takes seconds. The
/// error is a sentence with the remedy, or a cancelledError.
using BoardConnector = std::function<Result<ConnectedBoard>(const std::string &address, ConnectWatch &watch)>;

} // namespace jetscope

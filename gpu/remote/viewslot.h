// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remoteview.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// The capture of a board that is looked at, one at a time: what comes is for it. Whoever shows it keeps it alive, also
/// longer than this. Any thread.
class ViewSlot {
public:
    explicit ViewSlot(std::function<void(Message)> send);
    /// As `detach`.
    ~ViewSlot() { detach(); }
    ViewSlot(const ViewSlot &) = delete;
    ViewSlot &operator=(const ViewSlot &) = delete;

    /// RemoteHost::openView.
    std::shared_ptr<RemoteView> open(const std::string &board, const std::string &path, std::function<void()> onNews);
    /// Nothing is sent any more.
    void detach();

    /// A message for a view. False: it cannot be.
    bool take(const Message &message);
    void connected();
    void cut(const std::string &why);

private:
    /// What views send through.
    struct Gate {
        std::mutex mutex;
        std::function<void(Message)> send; ///< None any more.
    };

    template <class T>
    bool takeAs(const Message &message);
    std::shared_ptr<RemoteView> view() const;

    const std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
    mutable std::mutex m_mutex; ///< For all below.
    std::weak_ptr<RemoteView> m_view;
    std::uint32_t m_nextView = 1;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/viewslot.h"

#include <utility>

namespace jetscope {

ViewSlot::ViewSlot(std::function<void(Message)> send)
{
    m_gate->send = std::move(send);
}

void ViewSlot::detach()
{
    const std::lock_guard lock(m_gate->mutex);
    m_gate->send = nullptr;
}

std::shared_ptr<RemoteView> ViewSlot::open(const std::string &board, const std::string &path,
                                           std::function<void()> onNews)
{
    RemoteView::Wish wish;
    wish.path = path;
    wish.board = board;
    wish.onNews = std::move(onNews);
    wish.send = [gate = m_gate](Message message) {
        const std::lock_guard lock(gate->mutex);
        if (gate->send)
            gate->send(std::move(message));
    };
    const std::shared_ptr<RemoteView> before = view();
    std::unique_lock lock(m_mutex);
    wish.id = m_nextView++;
    const auto opened = std::make_shared<RemoteView>(std::move(wish));
    m_view = opened;
    lock.unlock();
    if (before)
        before->cut("another capture of it is shown");
    opened->connected();
    return opened;
}

bool ViewSlot::take(const Message &message)
{
    switch (message.kind) {
    case MessageKind::ViewHead:
        return takeAs<ViewHead>(message);
    case MessageKind::ViewPart:
        return takeAs<ViewPart>(message);
    case MessageKind::ViewWhole:
        return takeAs<ViewWhole>(message);
    case MessageKind::ViewFigures:
        return takeAs<ViewFigures>(message);
    default:
        return false;
    }
}

/// What comes late of an earlier view is of no use to anybody.
template <class T>
bool ViewSlot::takeAs(const Message &message)
{
    auto content = contentOf<T>(message);
    const std::shared_ptr<RemoteView> opened = view();
    return content && (!opened || opened->id() != content->id || opened->take(std::move(*content)));
}

void ViewSlot::connected()
{
    if (const std::shared_ptr<RemoteView> opened = view())
        opened->connected();
}

void ViewSlot::cut(const std::string &why)
{
    if (const std::shared_ptr<RemoteView> opened = view())
        opened->cut(why);
}

std::shared_ptr<RemoteView> ViewSlot::view() const
{
    const std::lock_guard lock(m_mutex);
    return m_view.lock();
}

} // namespace jetscope

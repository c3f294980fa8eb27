// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotepictures.h"

#include "core/remote/picture/png.h"
#include "gpu/remote/jpegpicture.h"

#include <algorithm>
#include <utility>

namespace jetscope {

RemotePictures::RemotePictures(std::function<void(Message)> send)
    : m_send(std::move(send)), m_thread([this] { work(); })
{
}

RemotePictures::~RemotePictures()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void RemotePictures::setListener(std::function<void()> onNews)
{
    const std::lock_guard lock(m_listening);
    m_listener = std::move(onNews);
}

void RemotePictures::tell()
{
    const std::lock_guard lock(m_listening);
    if (m_listener)
        m_listener();
}

void RemotePictures::send(Message message)
{
    const std::lock_guard lock(m_sending);
    if (m_send)
        m_send(std::move(message));
}

void RemotePictures::detach()
{
    const std::lock_guard lock(m_sending);
    m_send = nullptr;
}

void RemotePictures::ask()
{
    WantPicture wanted;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isAsked || m_pipeline == 0)
            return;
        m_isAsked = true;
        wanted = want();
    }
    send(messageOf(wanted));
}

/// With m_mutex locked.
WantPicture RemotePictures::want() const
{
    const auto held = m_cameAt ? std::chrono::steady_clock::now() - *m_cameAt : std::chrono::nanoseconds(0);
    return {m_pipeline, static_cast<std::uint64_t>(std::chrono::nanoseconds(held).count())};
}

void RemotePictures::follow(std::uint32_t pipeline)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_pipeline == pipeline)
            return;
        m_pipeline = pipeline;
        m_isAsked = false;
        m_packed.reset();
        m_reduced.reset();
        m_fetch.reset();
        m_whole.reset();
        m_trouble = *jpegTrouble() ? std::string("Jetscope on this machine cannot show them: ") + jpegTrouble() : "";
    }
    tell();
}

void RemotePictures::connected()
{
    bool isAsked = false;
    WantPicture wanted;
    {
        const std::lock_guard lock(m_mutex);
        isAsked = m_isAsked;
        m_cameAt.reset();
        wanted = want();
        if (m_fetch && !m_fetch->isHere) {
            m_whole = Error{"", 0, "the connection was cut meanwhile: ask again"};
            m_fetch.reset();
        }
    }
    if (isAsked)
        send(messageOf(wanted));
    tell();
}

std::optional<BoardPicture> RemotePictures::takeReduced()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_reduced, std::nullopt);
}

std::string RemotePictures::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

std::uint64_t RemotePictures::broken() const
{
    const std::lock_guard lock(m_mutex);
    return m_broken;
}

void RemotePictures::fetchWhole(const BoardPicture &reduced)
{
    ReadFrame read;
    {
        const std::lock_guard lock(m_mutex);
        m_fetch = Fetch{m_nextFetch++, reduced, {}, 0, false};
        m_whole.reset();
        read = {m_pipeline, m_fetch->id, reduced.frame};
    }
    send(messageOf(read));
}

void RemotePictures::cancelWhole()
{
    ReadFrame none;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_fetch)
            return;
        none = {m_pipeline, m_fetch->id, std::nullopt};
        m_fetch.reset();
    }
    send(messageOf(none));
}

std::optional<RemotePictures::Progress> RemotePictures::progress() const
{
    const std::lock_guard lock(m_mutex);
    if (!m_fetch)
        return std::nullopt;
    return Progress{m_fetch->file.size(), m_fetch->size};
}

std::optional<Result<BoardPicture>> RemotePictures::takeWhole()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_whole, std::nullopt);
}

// --- the connection's side

bool RemotePictures::take(const Message &message)
{
    switch (message.kind) {
    case MessageKind::Picture:
        return takePicture(message);
    case MessageKind::WholeFrame:
        return takePart(message);
    case MessageKind::NoPictures: {
        const auto none = contentOf<NoPictures>(message);
        if (!none)
            return false;
        {
            const std::lock_guard lock(m_mutex);
            if (none->pipeline != m_pipeline)
                return true;
            m_trouble = none->reason;
        }
        tell();
        return true;
    }
    default:
        return false;
    }
}

bool RemotePictures::takePicture(const Message &message)
{
    auto picture = contentOf<Picture>(message);
    if (!picture)
        return false;
    {
        const std::lock_guard lock(m_mutex);
        if (picture->pipeline != m_pipeline || !m_isAsked)
            return true; // It was asked for of another pipeline, or never.
        m_packed = std::move(picture);
        m_cameAt = std::chrono::steady_clock::now();
    }
    m_changed.notify_all();
    return true;
}

/// Parts come in order; one that does not ends the fetch. The file grows as they come, whatever size it claims.
bool RemotePictures::takePart(const Message &message)
{
    auto part = contentOf<WholeFrame>(message);
    if (!part)
        return false;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_fetch || m_fetch->id != part->id || m_fetch->isHere)
            return true; // It was cancelled.
        Fetch &fetch = *m_fetch;
        const bool isFirst = fetch.file.empty();
        const std::uint64_t most =
            4 * static_cast<std::uint64_t>(fetch.of.width) * static_cast<std::uint64_t>(fetch.of.height) + (64 << 10);
        if (!part->error.empty()) {
            m_whole = Error{"", 0, part->error};
            m_fetch.reset();
        } else if (part->fromByte != fetch.file.size() || part->bytes.empty() || part->size > most
                   || (!isFirst && part->size != fetch.size)) {
            ++m_broken;
            m_whole = Error{"", 0, "the picture came broken"};
            m_fetch.reset();
        } else {
            fetch.size = part->size;
            fetch.file.insert(fetch.file.end(), part->bytes.begin(), part->bytes.end());
            fetch.isHere = fetch.file.size() == fetch.size;
        }
    }
    m_changed.notify_all();
    tell();
    return true;
}

// --- the thread that unpacks

void RemotePictures::work()
{
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        if (m_packed)
            unpackReduced(lock);
        else if (m_fetch && m_fetch->isHere)
            unpackWhole(lock);
        else
            m_changed.wait(lock);
    }
}

void RemotePictures::unpackReduced(std::unique_lock<std::mutex> &lock)
{
    const Picture packed = std::move(*std::exchange(m_packed, std::nullopt));
    lock.unlock();
    Result<RgbaPicture> picture = readJpeg(packed.jpeg, kMaxPreviewSide);
    lock.lock();
    if (packed.pipeline != m_pipeline)
        return;
    m_isAsked = false;
    if (picture.ok())
        m_reduced = BoardPicture{packed.frame, packed.number, static_cast<int>(packed.width),
                                 static_cast<int>(packed.height), std::move(picture).value()};
    else
        ++m_broken;
    lock.unlock();
    tell();
    lock.lock();
}

void RemotePictures::unpackWhole(std::unique_lock<std::mutex> &lock)
{
    Fetch fetch = std::move(*std::exchange(m_fetch, std::nullopt));
    lock.unlock();
    Result<RgbaPicture> picture = readPng(fetch.file, fetch.of.width, fetch.of.height);
    lock.lock();
    if (picture.ok()) {
        fetch.of.picture = std::move(picture).value();
        fetch.of.file = std::move(fetch.file);
        m_whole = std::move(fetch.of);
    } else {
        ++m_broken;
        m_whole = picture.error();
    }
    lock.unlock();
    tell();
    lock.lock();
}

} // namespace jetscope

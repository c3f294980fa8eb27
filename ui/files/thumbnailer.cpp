// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/thumbnailer.h"

#include <QBuffer>

#include <cstring>

namespace jetscope {

namespace {

constexpr int kQuality = 72;
constexpr std::size_t kMaxWaiting = 50; ///< Limit for frames that never get figures.

std::vector<std::byte> encoded(const QImage &picture)
{
    // Subsample to twice the target width, then scale smoothly: nearly the quality of smooth scaling at a tenth of the
    // cost.
    const QImage coarse = picture.width() > 2 * Thumbnailer::kWantedWidth
        ? picture.scaledToWidth(Thumbnailer::kWantedWidth, Qt::FastTransformation)
        : picture;
    const QImage small = coarse.scaledToWidth(Thumbnailer::kWidth, Qt::SmoothTransformation);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !small.save(&buffer, "JPG", kQuality))
        return {};
    std::vector<std::byte> out(static_cast<std::size_t>(bytes.size()));
    std::memcpy(out.data(), bytes.constData(), out.size());
    return out;
}

} // namespace

Thumbnailer::Thumbnailer(const Trace &trace, QObject *parent) : QObject(parent), m_trace(trace) {}

void Thumbnailer::offer(const std::function<std::optional<FramePicture>()> &picture)
{
    if (m_busy || (m_since.isValid() && m_since.elapsed() < kEveryMs))
        return;
    const auto offered = picture();
    if (!offered)
        return;
    m_since.start();
    m_busy = true;
    m_thread.start([this, offered, run = m_run](const Worker::Reply &reply) {
        Thumbnail thumbnail;
        thumbnail.frame = offered->frame;
        thumbnail.encoded = encoded(offered->image);
        reply.post([this, thumbnail = std::move(thumbnail), run] {
            m_busy = false;
            if (run == m_run)
                take(thumbnail);
        });
    });
}

void Thumbnailer::take(Thumbnail thumbnail)
{
    if (thumbnail.encoded.empty())
        return;
    m_waiting.push_back(std::move(thumbnail));
    if (m_waiting.size() > kMaxWaiting)
        m_waiting.pop_front();
}

void Thumbnailer::flush()
{
    while (!m_waiting.empty()) {
        const FrameTable &frames = m_trace.frames();
        const auto index = frames.find(m_waiting.front().frame);
        if (!index && (frames.empty() || frames.at(frames.endIndex() - 1).frame < m_waiting.front().frame))
            return;
        if (!index) { // A superseded frame never gets figures.
            m_waiting.pop_front();
            continue;
        }
        Thumbnail thumbnail = std::move(m_waiting.front());
        m_waiting.pop_front();
        thumbnail.timeNs = frames.at(*index).startNs;
        emit made(thumbnail);
    }
}

void Thumbnailer::clear()
{
    ++m_run;
    m_waiting.clear();
}

} // namespace jetscope

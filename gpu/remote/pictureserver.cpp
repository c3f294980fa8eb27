// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/pictureserver.h"

#include "gpu/pipeline/pipeline.h"
#include "gpu/remote/jpegpicture.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// Then textures are given back.
constexpr std::chrono::seconds kRestAfter{5};
/// How much of a whole frame waits in a link at most.
constexpr std::size_t kMostWholeWaiting = 64 << 10;

} // namespace

void PictureServer::opened(std::uint32_t pipeline, PipelineControl &control)
{
    FramePort *port = control.framePort();
    m_pipeline = pipeline;
    m_lender = port ? port->lender() : nullptr;
    m_tracer = port ? &port->tracer() : nullptr;
    m_trouble.clear();
    if (!m_lender)
        m_trouble = "What runs on the board is a program that Jetscope inspects: its pictures are not seen";
    else if (const std::string jpeg = jpegTrouble(); !jpeg.empty())
        m_trouble = "Jetscope on the board cannot reduce pictures: " + jpeg;
}

std::unique_ptr<Previewer> PictureServer::closed()
{
    for (auto &[client, viewer] : m_viewers)
        viewer = {viewer.link, false, false, {}, {}};
    m_pipeline = 0;
    m_lender = nullptr;
    m_makes = false;
    m_packing = 0;
    m_rests = true;
    return std::move(m_previewer);
}

bool PictureServer::handle(std::uint32_t client, Link &link, const Message &message)
{
    if (message.kind == MessageKind::WantPicture) {
        const auto want = contentOf<WantPicture>(message);
        if (!want || want->pipeline != m_pipeline || m_pipeline == 0)
            return want.has_value(); // That pipeline is gone.
        Viewer &viewer = m_viewers[client];
        viewer.link = &link;
        viewer.wants = true;
        constexpr std::uint64_t kLongest = std::uint64_t{1} << 60; // The far end may be hostile.
        viewer.pace.wanted(Clock::now(), std::chrono::nanoseconds(std::min(want->heldNs, kLongest)));
        tellTrouble(viewer);
        return true;
    }
    const auto read = contentOf<ReadFrame>(message);
    if (!read)
        return false;
    Viewer &viewer = m_viewers[client];
    viewer.link = &link;
    this->read(viewer, *read);
    return true;
}

void PictureServer::read(Viewer &viewer, const ReadFrame &read)
{
    if (!read.frame) {
        viewer.whole.reset();
        return;
    }
    if (!m_previewer || read.pipeline != m_pipeline) {
        viewer.link->send(messageOf(WholeFrame{read.id, 0, 0, {}, "no picture of this frame was sent"}));
        return;
    }
    viewer.whole = Whole{read.id, *read.frame, 0, 0, {}};
    startWhole(viewer);
}

/// One at a time: who asks faster than frames are packed gets the last one that it asked for.
void PictureServer::startWhole(Viewer &viewer)
{
    if (m_packing != 0 || !viewer.whole || viewer.whole->work != 0 || !viewer.whole->png.empty() || !m_previewer)
        return;
    m_packing = viewer.whole->work = m_nextWork++;
    m_previewer->readWhole(viewer.whole->frame, m_packing);
}

void PictureServer::tellTrouble(Viewer &viewer)
{
    if (!m_trouble.empty() && !std::exchange(viewer.isTold, true))
        viewer.link->send(messageOf(NoPictures{m_pipeline, m_trouble}));
}

void PictureServer::follow(bool keepsBack)
{
    m_keepsBack = keepsBack;
    for (auto &[client, viewer] : m_viewers)
        sendWhole(viewer);
    if (m_pipeline == 0 || !m_trouble.empty())
        return;
    if (!keepsBack && !m_makes)
        makeNext();
    const bool isWanted = std::any_of(m_viewers.begin(), m_viewers.end(),
                                      [](const auto &each) { return each.second.wants || each.second.whole; });
    if (isWanted)
        m_wantedAt = Clock::now();
    else if (m_previewer && !m_rests && Clock::now() - m_wantedAt > kRestAfter) {
        m_previewer->rest();
        m_rests = true;
        m_makes = false;
    }
}

void PictureServer::makeNext()
{
    std::optional<Reduction> smallest;
    for (const auto &[client, viewer] : m_viewers)
        if (viewer.wants && !viewer.whole && viewer.pace.isDue(Clock::now()))
            if (const Reduction &its = viewer.pace.reduction();
                !smallest || its.mostSide < smallest->mostSide || its.quality < smallest->quality)
                smallest = its;
    if (!smallest)
        return;
    if (!m_previewer)
        m_previewer = std::make_unique<Previewer>(
            *m_lender, *m_tracer,
            Previewer::Sink{[this, pipeline = m_pipeline](Result<Picture> picture) {
                                m_post([this, pipeline, picture = std::move(picture)] {
                                    if (pipeline == m_pipeline)
                                        made(picture);
                                });
                            },
                            [this, pipeline = m_pipeline](std::uint32_t work, Result<std::vector<std::byte>> png) {
                                m_post([this, pipeline, work, png = std::move(png)] {
                                    if (pipeline == m_pipeline)
                                        packed(work, png);
                                });
                            }});
    m_makes = true;
    m_rests = false;
    m_previewer->reduceNext(*smallest);
}

void PictureServer::made(Result<Picture> picture)
{
    m_makes = false;
    if (!picture.ok()) {
        m_trouble = "The board cannot read its pictures: " + picture.error().message();
        for (auto &[client, viewer] : m_viewers)
            tellTrouble(viewer);
        return;
    }
    if (m_keepsBack)
        return;
    Picture made = std::move(picture).value();
    made.pipeline = m_pipeline;
    const Message message = messageOf(made);
    const auto now = Clock::now();
    for (auto &[client, viewer] : m_viewers)
        if (viewer.wants && !viewer.whole && viewer.pace.isDue(now) && viewer.link->send(message)) {
            viewer.wants = false;
            viewer.pace.sent(now);
        }
}

void PictureServer::packed(std::uint32_t work, Result<std::vector<std::byte>> png)
{
    m_packing = 0;
    for (auto &[client, viewer] : m_viewers) {
        if (!viewer.whole || viewer.whole->work != work)
            continue;
        if (png.ok()) {
            viewer.whole->png = std::move(png).value();
            viewer.whole->work = 0;
        } else {
            viewer.link->send(messageOf(WholeFrame{viewer.whole->id, 0, 0, {}, png.error().message()}));
            viewer.whole.reset();
        }
        break;
    }
    for (auto &[client, viewer] : m_viewers)
        startWhole(viewer);
}

void PictureServer::sendWhole(Viewer &viewer)
{
    while (viewer.whole && !viewer.whole->png.empty() && viewer.link->waitingBytes() < kMostWholeWaiting) {
        Whole &whole = *viewer.whole;
        const std::size_t size = std::min(kMaxWholeBlock, whole.png.size() - whole.at);
        const auto from = whole.png.begin() + static_cast<std::ptrdiff_t>(whole.at);
        viewer.link->send(messageOf(
            WholeFrame{whole.id, whole.png.size(), whole.at, {from, from + static_cast<std::ptrdiff_t>(size)}, {}}));
        whole.at += size;
        if (whole.at == whole.png.size())
            viewer.whole.reset();
    }
}

} // namespace jetscope

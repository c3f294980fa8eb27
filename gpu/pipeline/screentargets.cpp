// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/screentargets.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// What lent frames may take beside the present one, and how many there are at least and at most: with fewer a frame
/// that was sent over a slow link could not be asked for as a whole.
constexpr std::size_t kMostLentBytes = 64 << 20;
constexpr std::size_t kFewestLent = 4;
constexpr std::size_t kMostLent = 12;

} // namespace

ScreenTargets::ScreenTargets(GlQueue &queue) : m_queue(queue), m_lender(queue.display(), queue.nativeContext()) {}

ScreenTargets::~ScreenTargets()
{
    static_cast<void>(m_queue.run([this] {
        m_present = {};
        m_others.clear();
        m_making.reset();
        return Status();
    }));
}

Result<std::shared_ptr<ScreenTargets::Target>> ScreenTargets::make(int width, int height) const
{
    auto target = std::make_shared<Target>();
    JETSCOPE_TRY_ASSIGN(target->texture, GlTexture::create(width, height));
    JETSCOPE_TRY_ASSIGN(target->framebuffer, GlFramebuffer::create(target->texture->id(), width, height));
    return target;
}

Status ScreenTargets::resize(int width, int height)
{
    if (width == m_width && height == m_height)
        return {};
    JETSCOPE_TRY(m_queue.run([&]() -> Status {
        JETSCOPE_TRY_ASSIGN(std::shared_ptr<Target> target, make(width, height));
        m_present = {std::move(target), 0, width, height};
        m_making.reset();
        std::erase_if(m_others, [](const Slot &slot) { return slot.loan == 0; });
        return {};
    }));
    m_newest.reset();
    m_width = width;
    m_height = height;
    return {};
}

void ScreenTargets::drawn(std::uint32_t frame, std::uint64_t number, const GlFence &ready)
{
    m_newest = LentFrame{frame, number, m_present.target->texture->id(), m_width, m_height, ready, 0, most() - 2};
    lendNewest();
}

void ScreenTargets::service()
{
    for (const std::uint64_t loan : m_lender.takeReturned())
        takeBack(loan);
    if (m_making && m_making->isDone) {
        if (m_making->target->framebuffer)
            m_others.push_back({std::move(m_making->target), 0, m_width, m_height});
        m_making.reset();
    }
    if (!m_lender.rests()) {
        lendNewest();
        return;
    }
    for (Slot &slot : m_others)
        if (slot.loan == 0)
            deleteLater(std::move(slot.target));
    std::erase_if(m_others, [](const Slot &slot) { return slot.loan == 0; });
    lendNewest();
}

void ScreenTargets::lendNewest()
{
    if (!m_newest || !m_lender.isAsked())
        return;
    const auto free = std::find_if(m_others.begin(), m_others.end(), [](const Slot &slot) { return slot.loan == 0; });
    if (free == m_others.end())
        return makeOneMore();
    m_newest->loan = m_nextLoan;
    if (!m_lender.lend(*m_newest))
        return;
    m_present.loan = m_nextLoan++;
    m_newest.reset();
    std::swap(m_present, *free);
}

/// Made when the queue comes to it; what cannot be made is not tried again before the next frame.
void ScreenTargets::makeOneMore()
{
    if (m_making || m_others.size() >= most())
        return;
    m_making = std::make_shared<Making>();
    m_queue.submit([this, making = m_making, width = m_width, height = m_height]() -> Status {
        if (auto made = make(width, height); made.ok())
            making->target = std::move(made).value();
        making->isDone = true;
        return {};
    });
}

void ScreenTargets::takeBack(std::uint64_t loan)
{
    const auto lent =
        std::find_if(m_others.begin(), m_others.end(), [loan](const Slot &slot) { return slot.loan == loan; });
    if (lent == m_others.end())
        return;
    lent->loan = 0;
    if (fits(*lent))
        return;
    deleteLater(std::move(lent->target));
    m_others.erase(lent);
}

/// In the queue, where the context is current.
void ScreenTargets::deleteLater(std::shared_ptr<Target> target)
{
    m_queue.submit([target = std::move(target)]() mutable -> Status {
        target.reset();
        return {};
    });
}

std::size_t ScreenTargets::most() const
{
    const std::size_t bytes = static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height) * 4;
    return std::clamp(kMostLentBytes / std::max<std::size_t>(1, bytes), kFewestLent, kMostLent);
}

} // namespace jetscope

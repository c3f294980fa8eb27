// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/view.h"

#include "core/time/clock.h"
#include "gpu/device/device.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// More than a view has between taking a frame and the swap that shows it.
constexpr std::size_t kTakenKept = 32;

} // namespace

void ViewMailbox::publish(ViewFrame frame, Device *device, const GlUse &use)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting) {
            m_released.push_back({m_waiting->frame.generation, m_waiting->frame.slot, GlFence()});
            ++m_dropped;
            m_droppedFrames.push_back({m_waiting->frame.frame, m_waiting->frame.number, nowNs(), m_takenNs, false});
        }
        m_waiting = Lent{std::move(frame), device, use};
    }
    const std::lock_guard lock(m_listenerMutex);
    if (m_listener)
        m_listener();
}

std::vector<ViewMailbox::Release> ViewMailbox::takeReleased()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_released, {});
}

std::vector<ViewMailbox::Presented> ViewMailbox::takePresented()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_presented, {});
}

void ViewMailbox::retract()
{
    const std::lock_guard lock(m_mutex);
    if (!m_waiting)
        return;
    m_released.push_back({m_waiting->frame.generation, m_waiting->frame.slot, GlFence()});
    m_waiting.reset();
}

std::optional<ViewFrame> ViewMailbox::take(bool onlyReady)
{
    std::optional<Lent> taken;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_waiting || (onlyReady && !m_waiting->frame.ready.signalled()))
            return std::nullopt;
        taken = std::exchange(m_waiting, std::nullopt);
        m_takenNs = nowNs();
        m_numbers.emplace_back(taken->frame.frame, taken->frame.number);
        if (m_numbers.size() > kTakenKept)
            m_numbers.pop_front();
        if (taken->device)
            m_taken.push_back(*taken);
    }
    if (taken->device)
        taken->device->tell(&DeviceObserver::viewTakes, taken->use, taken->frame.ready);
    return std::move(taken->frame);
}

std::optional<ViewMailbox::Lent> ViewMailbox::takenAs(const ViewFrame &frame)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find_if(m_taken, [&](const Lent &lent) {
        return lent.frame.generation == frame.generation && lent.frame.slot == frame.slot;
    });
    if (found == m_taken.end())
        return std::nullopt;
    Lent lent = std::move(*found);
    m_taken.erase(found);
    return lent;
}

void ViewMailbox::release(const ViewFrame &frame, GlFence afterSampling)
{
    if (const std::optional<Lent> lent = takenAs(frame)) // Before the texture can be used again.
        lent->device->tell(&DeviceObserver::viewReleases, lent->use, afterSampling);
    const std::lock_guard lock(m_mutex);
    m_released.push_back({frame.generation, frame.slot, std::move(afterSampling)});
}

void ViewMailbox::superseded(std::uint32_t frame)
{
    const std::lock_guard lock(m_mutex);
    ++m_dropped;
    const auto taken = std::ranges::find(m_numbers, frame, &std::pair<std::uint32_t, std::uint64_t>::first);
    m_droppedFrames.push_back({frame, taken == m_numbers.end() ? frame : taken->second, nowNs(), m_takenNs, true});
}

void ViewMailbox::presented(const ViewFrame &frame, std::int64_t presentedNs)
{
    const std::lock_guard lock(m_mutex);
    m_presented.push_back({frame.frame, presentedNs, frame.captureNs});
}

void ViewMailbox::setListener(std::function<void()> onPublished)
{
    const std::lock_guard lock(m_listenerMutex);
    m_listener = std::move(onPublished);
}

std::uint64_t ViewMailbox::dropped() const
{
    const std::lock_guard lock(m_mutex);
    return m_dropped;
}

std::vector<ViewMailbox::Dropped> ViewMailbox::takeDropped()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_droppedFrames, {});
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/picturepace.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kApart{100};
constexpr std::array kReductions{Reduction{320, 50}, Reduction{480, 50}, Reduction{kMaxPreviewSide, 50},
                                 Reduction{kMaxPreviewSide, 75}};
/// More than the fastest one.
constexpr std::chrono::milliseconds kQuick{25};
constexpr std::chrono::milliseconds kLate{60};
constexpr int kQuickToGrow = 4;
constexpr int kLateToShrink = 2;
constexpr std::chrono::seconds kShrunkFor{30};

} // namespace

const Reduction &PicturePace::reduction() const
{
    return kReductions[m_level];
}

void PicturePace::sent(Time now)
{
    m_sent = now;
    m_next = now + kApart;
}

void PicturePace::wanted(Time now, std::chrono::nanoseconds held)
{
    if (!m_sent)
        return;
    const std::chrono::nanoseconds all = now - *m_sent;
    const std::chrono::nanoseconds took = all - std::clamp(held, std::chrono::nanoseconds(0), all);
    m_sent.reset();
    m_next = std::max(m_next, now + took);
    m_fastest = std::min(took, m_fastest.value_or(took));
    const std::chrono::nanoseconds more = took - *m_fastest;
    m_quick = more < kQuick ? m_quick + 1 : 0;
    m_late = more > kLate ? m_late + 1 : 0;
    if (m_late >= kLateToShrink && m_level > 0) {
        --m_level;
        m_late = 0;
        m_growsFrom = now + kShrunkFor;
    } else if (m_quick >= kQuickToGrow && m_level + 1 < kReductions.size() && now >= m_growsFrom) {
        ++m_level;
        m_quick = 0;
    }
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/lostframes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace jetscope {

/// Makes the index of a source's frames of the numbers that pictures have in their connection: what was dropped because
/// the reader was late leaves a gap, and nothing else does. Not thread-safe.
class PictureIndex {
public:
    /// Of a live stream, pictures that came before anyone read are not missing: `arrived` of them so far.
    void startReading(std::uint64_t arrived) { m_unwanted = arrived; }
    /// Numbers start at 0 again.
    void restart() { m_nextNumber = m_unwanted = 0; }

    std::uint64_t indexOf(std::uint64_t number)
    {
        passOver(number);
        m_lost = std::exchange(m_passed, 0);
        return m_next++;
    }
    /// A picture that is not delivered although it was taken.
    void passOver(std::uint64_t number)
    {
        const std::uint64_t expected = std::max(m_nextNumber, std::min(number, m_unwanted));
        m_next += number > expected ? number - expected : 0;
        m_passed += number > expected ? number - expected : 0;
        m_nextNumber = number + 1;
    }

    /// What is missing before the picture whose index was asked for last.
    std::vector<LostFrames> lost(std::int64_t ns) const
    {
        if (m_lost == 0)
            return {};
        return {{m_next - 1 - m_lost, m_lost, LossCause::LateDequeue, ns,
                 "they came, and newer ones replaced them before the capture thread took them"}};
    }

private:
    std::uint64_t m_next = 0;
    std::uint64_t m_nextNumber = 0;
    std::uint64_t m_unwanted = 0;
    std::uint64_t m_passed = 0; ///< Since the last index that was asked for.
    std::uint64_t m_lost = 0;
};

} // namespace jetscope

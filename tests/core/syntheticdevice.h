// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace jetscope::test {

/// A device whose frame times have a known distribution. By default the frames vary as on a real board: 3 % each, and
/// one in a hundred takes three times as long.
class SyntheticDevice {
public:
    explicit SyntheticDevice(std::uint32_t seed) : m_random(seed) {}

    double spread = 0.03;    ///< Standard deviation of a frame, relative.
    double delayed = 0.01;   ///< Share of delayed frames.
    double delay = 3;        ///< Factor of a delayed frame.
    double correlation = 0;  ///< Of neighbouring frames.
    bool heavyTails = false; ///< Student's t with 3 degrees of freedom in place of a normal distribution.

    double normal() { return m_normal(m_random); }
    std::uint32_t random() { return static_cast<std::uint32_t>(m_random()); }
    double uniform() { return std::uniform_real_distribution<double>()(m_random); }

    /// The time of the next frame at this level.
    double frame(double level)
    {
        const double shock = heavyTails ? std::student_t_distribution<double>(3)(m_random) / std::sqrt(3) : normal();
        m_state = correlation * m_state + std::sqrt(1 - correlation * correlation) * shock;
        const double factor = std::max(0.3, 1 + spread * m_state);
        return level * factor * (uniform() < delayed ? delay : 1);
    }

    /// Means of batches of ten frames.
    std::vector<double> batches(double level, std::size_t count)
    {
        std::vector<double> means(count);
        for (double &mean : means) {
            for (int i = 0; i < 10; ++i)
                mean += frame(level) / 10;
        }
        return means;
    }

private:
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal;
    double m_state = 0;
};

} // namespace jetscope::test

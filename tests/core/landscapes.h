// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepplan.h"
#include "syntheticdevice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace jetscope::test {

/// Random frame times of all cells of a sweep. Choices affect each other.
class Landscape {
public:
    Landscape(SyntheticDevice &device, double main, double pair) : m_device(device), m_main(main), m_pair(pair) {}

    /// The logarithm is a sum of effects of each choice (standard deviation `main`) and of each pair (`pair`).
    double additive(const PipelineConfig &config)
    {
        const Names n(config);
        const double sum = effect(n.memory, m_main) + effect(n.output, m_main) + effect(n.sync, m_main)
            + effect(n.wait, m_main / 2) + effect(n.memory + n.output, m_pair) + effect(n.memory + n.sync, m_pair)
            + effect(n.output + n.sync, m_pair) + effect(n.sync + n.wait, m_pair);
        return 5 * std::exp(sum);
    }

    /// CPU and GPU work beside each other, so the slower one counts; a hand-over comes behind both.
    double concurrent(const PipelineConfig &config)
    {
        const Names n(config);
        const double cpu = 2 * std::exp(effect("C" + n.memory, m_main))
            + 1.5 * std::exp(effect("C" + n.sync, 2 * m_main)) + 0.5 * std::exp(effect("C" + n.wait, m_main));
        const double gpu =
            2 * std::exp(effect("G" + n.memory, 2 * m_main)) + 1.5 * std::exp(effect("G" + n.output, 2 * m_main));
        return std::max(cpu, gpu)
            + std::exp(effect("S" + n.sync, 2 * m_main) + effect("S" + n.output + n.sync, m_pair));
    }

private:
    struct Names {
        explicit Names(const PipelineConfig &config)
            : memory("m" + std::string(nameOf(config.memory))),
              output("o" + std::string(nameOf(config.output))),
              sync("s" + std::string(nameOf(config.sync))),
              wait("w" + std::string(nameOf(config.wait)))
        {
        }
        std::string memory, output, sync, wait;
    };

    double effect(const std::string &name, double deviation)
    {
        const auto [place, isNew] = m_effects.emplace(name, 0);
        if (isNew)
            place->second = deviation * m_device.normal();
        return place->second;
    }

    SyntheticDevice &m_device;
    double m_main;
    double m_pair;
    std::map<std::string, double> m_effects;
};

} // namespace jetscope::test

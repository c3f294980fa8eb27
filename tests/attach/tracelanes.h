// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/schedulertrace.h"
#include "core/recording/span.h"

#include <QtCore/QStringList>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A trace of the kernel, and the lanes and spans that were made of it. A frame takes 100 us.
struct TraceLanes {
    /// "lane/depth name start+duration of frame", in microseconds.
    QStringList found() const
    {
        QStringList list;
        for (const jetscope::Span &span : spans)
            list += QString("%1/%2 %3 %4+%5 of %6")
                        .arg(QString::fromStdString(lanes.at(span.lane)))
                        .arg(span.depth)
                        .arg(QString::fromStdString(jetscope::spanName(span.name)))
                        .arg(span.startNs / 1000)
                        .arg(span.durationNs / 1000)
                        .arg(span.frame);
        return list;
    }

    std::vector<std::string> lanes;
    std::vector<jetscope::Span> spans;
    jetscope::SchedulerTrace trace{[](std::int64_t ns) { return static_cast<std::uint32_t>(ns / 100'000); },
                                   [this](std::string name, std::string) {
                                       lanes.push_back(std::move(name));
                                       return std::optional(static_cast<jetscope::LaneId>(lanes.size() - 1));
                                   }};
};

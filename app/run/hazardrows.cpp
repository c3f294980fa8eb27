// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/hazardrows.h"

#include <algorithm>

namespace jetscope {

void addHazard(std::vector<HazardRow> &rows, const PipelineNotice &violation)
{
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const HazardRow &row) {
        return row.rule == violation.rule && row.text == violation.text && row.buffer == violation.memory;
    });
    if (same != rows.end()) {
        same->firstFrame = std::min(same->firstFrame, violation.frame);
        same->lastFrame = std::max(same->lastFrame, violation.frame);
        ++same->count;
        return;
    }
    HazardRow row;
    row.rule = violation.rule;
    row.level = violation.level;
    row.firstFrame = violation.frame;
    row.lastFrame = violation.frame;
    row.count = 1;
    row.text = violation.text;
    row.buffer = violation.memory;
    row.a = violation.first ? accessText(*violation.first) : std::string();
    row.b = violation.second ? accessText(*violation.second) : std::string();
    row.fix = violation.fix;
    rows.push_back(std::move(row));
}

bool hasErrors(const std::vector<HazardRow> &rows)
{
    return std::any_of(rows.begin(), rows.end(), [](const HazardRow &row) { return row.level == HazardLevel::Error; });
}

} // namespace jetscope

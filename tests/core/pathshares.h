// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/tracefile/oldlabels.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/// Hand-made critical paths for tests of verdicts and candidates: one share per cause.
namespace jetscope::test {

/// A category that pieces of this cause come from.
inline Category categoryOf(PathCause cause)
{
    for (int i = 0; i < kCategoryCount; ++i)
        if (const auto category = static_cast<Category>(i); !isWait(category) && causeOfWork(category) == cause)
            return category;
    return cause == PathCause::Call ? Category::WaitSync : Category::Tool;
}

inline PathShare shareOf(PathCause cause, const char *name, LaneRole role, double ms)
{
    PathShare share;
    share.cause = cause;
    share.name = name;
    share.purpose = purposeOfLabel(name, categoryOf(cause));
    share.what = pathWords(cause, name);
    share.role = role;
    switch (role) {
    case LaneRole::DeviceStream:
        share.lane = "CUDA stream 0";
        break;
    case LaneRole::Pipeline:
        share.lane = "Pipeline";
        break;
    default:
        share.lane = cause == PathCause::Unknown ? "" : "lane " + std::to_string(static_cast<int>(role));
    }
    share.ms = ms;
    return share;
}

/// A summary of 100 frames whose period is the sum of the shares.
inline PathSummary pathOf(std::vector<PathShare> shares)
{
    PathSummary path;
    path.frames = 100;
    for (const PathShare &share : shares)
        path.periodMs += share.ms;
    for (PathShare &share : shares)
        share.share = share.ms / path.periodMs;
    std::sort(shares.begin(), shares.end(), [](const PathShare &a, const PathShare &b) { return a.ms > b.ms; });
    path.shares = std::move(shares);
    return path;
}

inline PathShare kernel(double ms)
{
    return shareOf(PathCause::Kernel, "gaussian15", LaneRole::DeviceStream, ms);
}
inline PathShare draw(double ms)
{
    return shareOf(PathCause::Draw, "draw", LaneRole::GlQueue, ms);
}
inline PathShare stage(double ms)
{
    return shareOf(PathCause::CpuStage, "Canny", LaneRole::CpuStage, ms);
}
inline PathShare camera(double ms)
{
    return shareOf(PathCause::Camera, "", LaneRole::Capture, ms);
}
inline PathShare late(double ms)
{
    return shareOf(PathCause::WakeUp, "", LaneRole::Pipeline, ms);
}
inline PathShare unknown(double ms)
{
    return shareOf(PathCause::Unknown, "", LaneRole::Tool, ms);
}

} // namespace jetscope::test

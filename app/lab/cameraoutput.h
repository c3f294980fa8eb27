// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/lab/stampoutput.h"
#include "core/lab/cameraskew.h"
#include "core/recording/lostframes.h"

#include <string>
#include <vector>

namespace jetscope {

/// What `lab cameras` found. One of each vector for each camera.
struct CamerasReport {
    std::vector<StampReport> cameras;
    std::vector<LossCounts> lost;
    SkewFinding skew;
    std::string trouble; ///< Why the stamps could not be compared by one clock;
                         ///< empty if they could.
};

std::string camerasText(const CamerasReport &report);
JsonObject camerasJson(const CamerasReport &report);

} // namespace jetscope

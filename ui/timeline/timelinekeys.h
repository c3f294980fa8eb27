// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace jetscope {

/// Mouse and key commands of the timeline, in the order of the help.
std::vector<std::pair<QString, QString>> timelineKeys();

} // namespace jetscope

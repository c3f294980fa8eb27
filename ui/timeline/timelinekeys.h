// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace jetscope {

/// What mouse and keys do on the timeline, in the order in which it is listed.
std::vector<std::pair<QString, QString>> timelineKeys();

} // namespace jetscope

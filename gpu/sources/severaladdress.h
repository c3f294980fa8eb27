// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/sourceuri.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// "several:2 of v4l2:/dev/video0 | v4l2:/dev/video2": sources that are open at once, one of which drives the pipeline.
struct SeveralAddress {
    static constexpr std::size_t kFewest = 2;
    static constexpr std::size_t kMost = 8;

    std::vector<std::string> sources;
    std::size_t drives = 0; ///< Counts from 0.

    std::string text() const;
};

/// The error says what is wrong with an address of several sources; their own addresses are not judged.
Result<SeveralAddress> parseSeveral(const SourceUri &uri);
/// None if it is the address of something else.
std::optional<SeveralAddress> severalIn(std::string_view text);
/// Whether both are addresses of the same sources, of which others may drive the pipeline.
bool areOpenTogether(std::string_view one, std::string_view other);
/// The address of the source that drives the pipeline: of a single one itself.
std::string drivingSource(std::string_view text);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/message.h"
#include "core/remote/wire/wire.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

// The contents of messages about the pictures of a board's pipeline, and about what watching it costs.

/// The longest side of a reduced picture, in pixels.
inline constexpr int kMaxPreviewSide = 640;
/// More bytes are no reduced picture of ours.
inline constexpr std::size_t kMaxPreviewBytes = 512 << 10;
/// Small, so that what is urgent never waits long behind one.
inline constexpr std::size_t kMaxWholeBlock = 16 << 10;

/// From the laptop: it can take one more reduced picture of a frame that it has not seen yet. Answered by a Picture
/// when there is one, and if the link has room: a window that nobody sees asks for none, and none is made.
struct WantPicture {
    static constexpr MessageKind kKind = MessageKind::WantPicture;
    std::uint32_t pipeline = 0;
    std::uint64_t heldNs = 0; ///< How long ago the last one came.
};

/// A frame, reduced and with loss.
struct Picture {
    static constexpr MessageKind kKind = MessageKind::Picture;
    std::uint32_t pipeline = 0;
    std::uint32_t frame = 0;
    std::uint64_t number = 0; ///< The source's frame number, which is shown to users.
    std::uint32_t width = 0;  ///< Of the whole frame.
    std::uint32_t height = 0;
    std::vector<std::byte> jpeg; ///< At most kMaxPreviewSide pixels on a side.
};

/// Why no pictures come.
struct NoPictures {
    static constexpr MessageKind kKind = MessageKind::NoPictures;
    std::uint32_t pipeline = 0;
    std::string reason;
};

/// Asks for a whole frame, which was sent reduced before. A later one takes the place of one that is not answered yet.
struct ReadFrame {
    static constexpr MessageKind kKind = MessageKind::ReadFrame;
    std::uint32_t pipeline = 0;
    std::uint32_t id = 0;
    std::optional<std::uint32_t> frame; ///< None: what was asked for is not wanted any more.
};

/// A part of a whole frame as a PNG file, in order; or why there is none.
struct WholeFrame {
    static constexpr MessageKind kKind = MessageKind::WholeFrame;
    std::uint32_t id = 0;
    std::uint64_t size = 0; ///< Of the whole file.
    std::uint64_t fromByte = 0;
    std::vector<std::byte> bytes; ///< At most kMaxWholeBlock.
    std::string error;            ///< Else empty.
};

/// More of a WatchCost cannot be.
inline constexpr double kMostCostRatio = 1000;

/// How much longer frames take while somebody watches: by turns in which news are sent, and in which they are kept back
/// and sent later.
struct WatchCost {
    static constexpr MessageKind kKind = MessageKind::WatchCost;
    std::uint32_t pipeline = 0;
    double frameRatio = 1;    ///< Time of a watched frame divided by that of one that is not.
    double noise = 0;         ///< Half the width of the interval of the ratio.
    std::uint32_t rounds = 0; ///< Of two turns; 0: not measured yet.
};

void fields(Wire &wire, WantPicture &want);
void fields(Wire &wire, Picture &picture);
void fields(Wire &wire, NoPictures &none);
void fields(Wire &wire, ReadFrame &read);
void fields(Wire &wire, WholeFrame &part);
void fields(Wire &wire, WatchCost &cost);

} // namespace jetscope

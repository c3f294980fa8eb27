// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/figurewish.h"
#include "core/remote/wire/corefields.h"
#include "core/remote/wire/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

// The contents of messages about figures of a capture that is looked at on the board (viewcontents).

/// From the laptop: in place of what this seat asked for before.
struct AskFigures {
    static constexpr MessageKind kKind = MessageKind::AskFigures;
    std::uint32_t id = 0;  ///< Of the view.
    std::uint32_t ask = 0; ///< Rises.
    FigureSeat seat = FigureSeat::Step;
    FigureWish wish;
};

/// From the board: how far it is, or the answer.
struct ViewFigures {
    static constexpr MessageKind kKind = MessageKind::ViewFigures;
    std::uint32_t id = 0;
    std::uint32_t ask = 0;
    FigureSeat seat = FigureSeat::Step;
    double fraction = 0;
    /// As those of ViewPart.
    std::vector<std::pair<std::uint32_t, SpanName>> names;
    std::optional<FigureAnswer> answer;
};

/// Whether a wish is within the limits of all traces.
bool isPossibleWish(const FigureWish &wish);

/// Whether an answer can be one to the wish, of a trace with so many tracks; names are not looked at. What can be does
/// not make sums of it overflow.
bool isPossibleAnswer(const FigureAnswer &answer, const FigureWish &wish, std::size_t tracks);

void fields(Wire &wire, FigureWish &wish);
void fields(Wire &wire, FigureAnswer &answer);
void fields(Wire &wire, AskFigures &ask);
void fields(Wire &wire, ViewFigures &figures);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"
#include "core/remote/wire/wire.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jetscope {

/// How urgent messages are, and what happens to those for which the far end has granted no credit (Outbox). In the
/// order in which they are sent.
enum class MessageClass : std::uint8_t {
    Control,  ///< Needs no credit.
    Notices,  ///< Needs no credit.
    Figures,  ///< Without credit it is not sent.
    Spans,    ///< Without credit it is not sent.
    Bulk,     ///< Waits for credit: files, what commands print, and what was missed.
    Pictures, ///< Without credit it is not sent; of those that wait only the latest is.
};
inline constexpr std::size_t kMessageClassCount = enumCount<MessageClass>();

/// What a message is. Its content is the struct of this name, or what stands here.
enum class MessageKind : std::uint8_t {
    Hello,
    Goodbye,
    Grant,
    NotSent,
    Ping,
    Pong,
    // A command of the program that runs at the far end, and files.
    RunCommand,
    CommandInput,
    CommandSignal,
    CommandOutput,
    CommandEnd,
    ReadFile,
    WriteFile,
    FileBlock,
    FileEnd,
    // A pipeline: gpu/remote.
    Join,
    Joined,
    Ask,
    Answer,
    Order,
    State,
    Head,
    FigureUpdate,
    SpanUpdate,
    Picture,
    Past,
    // A capture of the board that is looked at there: viewcontents.
    OpenView,
    ViewHead,
    AskView,
    ViewPart,
    ViewWhole,
    // Captures of a board: gpu/remote.
    Recording,
    ClockSaid,
    CancelFile,
    // Pictures of the pipeline, and what watching costs: gpu/remote/picturemessages.
    WantPicture,
    NoPictures,
    ReadFrame,
    WholeFrame,
    WatchCost,
    // Figures of a capture that is looked at on the board: figurecontents.
    AskFigures,
    ViewFigures,
    // Spans that were not sent for want of credit: gpu/remote/missedspans.
    UnsentSpans,
    AskSpans,
    LateSpans,
    // A program that is inspected on the board: gpu/remote/programmessages.
    ProgramState,
    EndProgram,
    // The same spans as columns: gpu/remote/missedspans.
    AskCoarse,
    LateCoarse,
};
inline constexpr std::size_t kMessageKindCount = enumCount<MessageKind>();

MessageClass classOf(MessageKind kind);
/// "span-update", for errors.
std::string_view nameOf(MessageKind kind);

/// The largest content of a message, packed or not.
inline constexpr std::size_t kMaxMessageBytes = 16 << 20;

struct Message {
    MessageKind kind = MessageKind::Hello;
    std::vector<std::byte> content;
};

template <class T>
Message messageOf(MessageKind kind, const T &content)
{
    return {kind, toBytes(content)};
}
template <class T>
Message messageOf(const T &content)
{
    return messageOf(T::kKind, content);
}

/// None if these bytes are no such content.
template <class T>
std::optional<T> contentOf(const Message &message)
{
    return fromBytes<T>(message.content);
}

} // namespace jetscope

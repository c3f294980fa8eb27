// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/message.h"

#include <array>

namespace jetscope {

namespace {

struct KindRow {
    MessageKind kind;
    MessageClass messageClass;
    std::string_view name;
};

// The end of a command stands behind all that it printed, the end of a file behind its blocks, and a pipeline's state
// behind the notices of how it became so: of one class.
constexpr std::array kKinds{
    KindRow{MessageKind::Hello, MessageClass::Control, "hello"},
    KindRow{MessageKind::Goodbye, MessageClass::Control, "goodbye"},
    KindRow{MessageKind::Grant, MessageClass::Control, "grant"},
    KindRow{MessageKind::NotSent, MessageClass::Control, "not-sent"},
    KindRow{MessageKind::Ping, MessageClass::Control, "ping"},
    KindRow{MessageKind::Pong, MessageClass::Control, "pong"},
    KindRow{MessageKind::RunCommand, MessageClass::Control, "run-command"},
    KindRow{MessageKind::CommandInput, MessageClass::Bulk, "command-input"},
    KindRow{MessageKind::CommandSignal, MessageClass::Control, "command-signal"},
    KindRow{MessageKind::CommandOutput, MessageClass::Bulk, "command-output"},
    KindRow{MessageKind::CommandEnd, MessageClass::Bulk, "command-end"},
    KindRow{MessageKind::ReadFile, MessageClass::Control, "read-file"},
    KindRow{MessageKind::WriteFile, MessageClass::Bulk, "write-file"},
    KindRow{MessageKind::FileBlock, MessageClass::Bulk, "file-block"},
    KindRow{MessageKind::FileEnd, MessageClass::Bulk, "file-end"},
    KindRow{MessageKind::Join, MessageClass::Control, "join"},
    KindRow{MessageKind::Joined, MessageClass::Control, "joined"},
    KindRow{MessageKind::Ask, MessageClass::Control, "ask"},
    KindRow{MessageKind::Answer, MessageClass::Control, "answer"},
    KindRow{MessageKind::Order, MessageClass::Control, "order"},
    KindRow{MessageKind::State, MessageClass::Notices, "state"},
    KindRow{MessageKind::Head, MessageClass::Notices, "head"},
    KindRow{MessageKind::FigureUpdate, MessageClass::Figures, "figure-update"},
    KindRow{MessageKind::SpanUpdate, MessageClass::Spans, "span-update"},
    KindRow{MessageKind::Picture, MessageClass::Pictures, "picture"},
    KindRow{MessageKind::Past, MessageClass::Bulk, "past"},
    KindRow{MessageKind::OpenView, MessageClass::Control, "open-view"},
    KindRow{MessageKind::ViewHead, MessageClass::Bulk, "view-head"},
    KindRow{MessageKind::AskView, MessageClass::Control, "ask-view"},
    KindRow{MessageKind::ViewPart, MessageClass::Bulk, "view-part"},
    KindRow{MessageKind::ViewWhole, MessageClass::Bulk, "view-whole"},
    KindRow{MessageKind::Recording, MessageClass::Notices, "recording"},
    KindRow{MessageKind::ClockSaid, MessageClass::Control, "clock-said"},
    KindRow{MessageKind::CancelFile, MessageClass::Control, "cancel-file"},
    KindRow{MessageKind::WantPicture, MessageClass::Control, "want-picture"},
    KindRow{MessageKind::NoPictures, MessageClass::Notices, "no-pictures"},
    KindRow{MessageKind::ReadFrame, MessageClass::Control, "read-frame"},
    KindRow{MessageKind::WholeFrame, MessageClass::Bulk, "whole-frame"},
    KindRow{MessageKind::WatchCost, MessageClass::Notices, "watch-cost"},
    KindRow{MessageKind::AskFigures, MessageClass::Control, "ask-figures"},
    KindRow{MessageKind::ViewFigures, MessageClass::Bulk, "view-figures"},
    KindRow{MessageKind::UnsentSpans, MessageClass::Notices, "unsent-spans"},
    KindRow{MessageKind::AskSpans, MessageClass::Control, "ask-spans"},
    KindRow{MessageKind::LateSpans, MessageClass::Bulk, "late-spans"},
    KindRow{MessageKind::ProgramState, MessageClass::Notices, "program-state"},
    KindRow{MessageKind::EndProgram, MessageClass::Control, "end-program"},
    KindRow{MessageKind::AskCoarse, MessageClass::Control, "ask-coarse"},
    KindRow{MessageKind::LateCoarse, MessageClass::Bulk, "late-coarse"},
};
static_assert(hasEveryRow(kKinds, &KindRow::kind));

} // namespace

MessageClass classOf(MessageKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)].messageClass;
}

std::string_view nameOf(MessageKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)].name;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/message.h"
#include "gpu/attach/host/inspection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// What a board and a laptop say to each other of a program that is inspected on the board.

/// How the program is, twice a second if that changes. Of findings their grade and text; of the scheduler what is
/// shown.
struct ProgramState {
    static constexpr MessageKind kKind = MessageKind::ProgramState;
    static constexpr std::size_t kMostOutput = 4 << 10;

    static ProgramState of(std::uint32_t pipeline, const InspectionState &state);
    InspectionState state() const;

    std::uint32_t pipeline = 0;
    std::string command;
    std::optional<ProgramEnd> end;
    bool stopping = false;
    std::string frameSource;
    std::string frameNote;
    std::uint64_t frames = 0;
    std::uint64_t recorded = 0;
    std::uint64_t lost = 0;
    std::uint64_t unhooked = 0;
    bool sawCalls = false;
    std::vector<std::pair<FindingGrade, std::string>> findings;
    std::string output; ///< The end of what it printed, at most kMostOutput.
    std::uint64_t outputBytes = 0;
    std::string gpuTime;
    std::string gpuTimeReason;
    bool sawGl = false;
    std::optional<SchedulerState> scheduler;
};

/// Inspection::endProgram.
struct EndProgram {
    static constexpr MessageKind kKind = MessageKind::EndProgram;
    std::uint32_t pipeline = 0;
};

void fields(Wire &wire, ProgramState &state);
void fields(Wire &wire, EndProgram &end);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/message.h"
#include "gpu/remote/capturefolder.h"
#include "gpu/remote/gpufields.h"
#include "gpu/remote/machinefields.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

// The contents of messages about a pipeline. The board numbers its pipelines from 1, and the updates of each from 1.

/// By kind of update: the newest that was received. Together with the session's id it says where to go on.
struct UpdatePositions {
    std::uint64_t head = 0;
    std::uint64_t figures = 0;
    std::uint64_t spans = 0;

    std::uint64_t least() const { return std::min({head, figures, spans}); }
};

/// The laptop's first message.
struct Join {
    static constexpr MessageKind kKind = MessageKind::Join;
    std::string session;        ///< Of which updates are known; empty: none are.
    std::uint32_t pipeline = 0; ///< Its pipeline of which they are.
    UpdatePositions known;
    bool takesOver = false; ///< Wants to give orders although somebody else does.
    bool follows = true;    ///< Otherwise it only asks for captures: it neither gives orders nor sees the pipeline.
};

/// Answers a Join, and tells all others when somebody else has taken over.
struct Joined {
    static constexpr MessageKind kKind = MessageKind::Joined;
    std::string session;
    bool givesOrders = false;   ///< Otherwise it only watches.
    std::uint32_t pipeline = 0; ///< The present one; 0: there is none.
    SessionRequest request;     ///< It is of this.
};

struct Ask {
    static constexpr MessageKind kKind = MessageKind::Ask;
    enum class Question : std::uint8_t {
        Devices,
        Cameras,
        Platform,
        Machine,
        Open,
        Close,
        TakeOver,
        Record, ///< The pipeline into a capture of the board, until StopRecording or the pipeline ends.
        StopRecording,
        Captures,
        RemoveCapture,
    };
    std::uint32_t id = 0;
    Question question = Question::Devices;
    std::optional<SessionRequest> request; ///< To open.
    std::uint32_t pipeline = 0;            ///< To close.
    std::string name;                      ///< To record: what the laptop calls the board. To remove: the capture.
    std::string firstGpu;                  ///< Of the machine: see MachineReader::read.
    bool wantsFacts = false;               ///< Of the machine, beside its values.
};

struct Answer {
    static constexpr MessageKind kKind = MessageKind::Answer;
    std::uint32_t id = 0;
    std::optional<Error> error;
    std::vector<DeviceCandidate> devices;
    std::vector<CameraInfo> cameras;
    std::optional<PlatformFacts> platform;
    std::uint32_t pipeline = 0; ///< The one that was opened.
    CaptureList captures;
    std::optional<BoardFacts> boardFacts;
    std::optional<BoardState> boardState;
};

/// How the recording on the board is, or how the last one ended; when it changes.
struct RecordingState {
    static constexpr MessageKind kKind = MessageKind::Recording;
    std::uint32_t number = 0; ///< Of this recording since the server was started; 0: there was none.
    bool isOn = false;
    std::string name; ///< Of the capture.
    std::uint64_t bytes = 0;
    std::int64_t elapsedNs = 0;
    std::uint64_t lost = 0; ///< Values that are not in it.
    std::uint64_t freeBytes = 0;
    std::string waiting; ///< A sentence while another program holds the file locked.
    std::string failure; ///< A sentence if it ended early.

    bool operator==(const RecordingState &) const = default;
};

/// From a laptop, when it knows better: the board's clock minus its own, which captures keep.
struct ClockSaid {
    static constexpr MessageKind kKind = MessageKind::ClockSaid;
    std::string clock;     ///< The laptop's name.
    std::int64_t atNs = 0; ///< By the board's clock.
    std::int64_t offsetNs = 0;
    std::int64_t boundNs = 0;
};

struct Order {
    static constexpr MessageKind kKind = MessageKind::Order;
    std::uint32_t pipeline = 0;
    PipelineCommand command;
};

/// The numbers of a PipelineStatus that change with every frame.
struct StateCounts {
    std::int64_t wallClockOffsetNs = 0;
    std::uint64_t frames = 0;
    std::uint64_t droppedBySource = 0;
    std::uint64_t droppedByView = 0;
    std::uint64_t emulationBytes = 0;
    std::optional<StreamCounts> stream;
    std::optional<StreamCounts> inputStream;

    static StateCounts of(const PipelineStatus &status);
    void putInto(PipelineStatus &status) const;
};

struct State {
    static constexpr MessageKind kKind = MessageKind::State;
    std::uint32_t pipeline = 0;
    StateCounts counts;
    std::optional<PipelineStatus> status; ///< If more than the counts has changed.
};

/// A part of an update (Head, FigureUpdate, SpanUpdate), or all of one that was missed (Past).
struct UpdatePart {
    std::uint32_t pipeline = 0;
    std::uint64_t position = 0;
    PipelineUpdate update;
};

void fields(Wire &wire, BoardCapture &capture);
void fields(Wire &wire, CaptureList &list);
void fields(Wire &wire, RecordingState &state);
void fields(Wire &wire, ClockSaid &said);
void fields(Wire &wire, UpdatePositions &positions);
void fields(Wire &wire, Join &join);
void fields(Wire &wire, Joined &joined);
void fields(Wire &wire, Ask &ask);
void fields(Wire &wire, Answer &answer);
void fields(Wire &wire, Order &order);
void fields(Wire &wire, State &state);
void fields(Wire &wire, UpdatePart &part);

/// Whether an update has no values.
bool saysNothing(const PipelineUpdate &update);

/// The messages of one update: what may not be lost, the figures, the spans. Empty ones are left out.
std::vector<Message> partsOf(std::uint32_t pipeline, std::uint64_t position, PipelineUpdate update);

} // namespace jetscope

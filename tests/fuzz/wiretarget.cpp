// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzztarget.h"

#include "core/path/figurereader.h"
#include "core/remote/picture/png.h"
#include "core/remote/wire/figurecontents.h"
#include "core/remote/wire/framing.h"
#include "core/remote/wire/windowpacking.h"
#include "core/remote/wire/wireend.h"
#include "core/trace/timelimits.h"
#include "gpu/remote/jpegpicture.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/missedspans.h"
#include "gpu/remote/picturemessages.h"
#include "gpu/remote/remotepipeline.h"
#include "gpu/remote/remoteview.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace jetscope::test {

namespace {

void require(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// What was read is written as it came: there is one way to say a value.
template <class T>
std::optional<T> readAs(std::span<const std::byte> content)
{
    std::optional<T> value = fromBytes<T>(content);
    if (value)
        require(std::ranges::equal(toBytes(*value), content), "a content was read and is written otherwise");
    return value;
}

/// What a laptop does with a part of an update.
void show(MessageKind kind, UpdatePart part)
{
    RemotePipeline pipeline(1);
    const std::size_t spans = part.update.spans.size();
    if (!pipeline.take(kind, std::move(part)))
        return;
    const PipelineUpdate update = pipeline.drain();
    require(update.spans.size() <= spans, "spans came from nowhere");
    Trace trace;
    addValues(trace, update);
    for (const TraceMark &mark : update.marks)
        trace.add(mark);
}

constexpr int kViewColumns = 40;

/// A trace as a board has it open.
const Trace &boardsTrace()
{
    static const Trace trace = [] {
        Trace made;
        made.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}, {1, LaneRole::DeviceStream, "Stream", ""}});
        made.setCounters({{0, "load", "%", std::nullopt}});
        const TraceName name = made.names().intern("work", Category::Kernel);
        for (std::int64_t i = 0; i < 200; ++i) {
            made.add(static_cast<LaneId>(i % 2), 0, TraceSpan{i * 1000, 700, 0, static_cast<std::uint32_t>(i), name});
            const std::array samples = {CounterSample{i * 1000, static_cast<double>(i % 7), 0}};
            made.add(samples);
        }
        return made;
    }();
    return trace;
}

/// What a board does with an ask of a laptop.
void answer(const AskView &ask)
{
    constexpr int kMostColumns = 2000; // More would only take longer.
    if (!isPossibleWish(ask.wish) || ask.wish.window.count > kMostColumns)
        return;
    const WindowPicture picture = windowPicture(boardsTrace(), ask.wish);
    require(picture.tracks.size() <= 2 && picture.counters.size() <= 1, "a picture has what the trace has not");
    const std::size_t columns = static_cast<std::size_t>(ask.wish.window.count) * 200;
    require(packColumns(picture).size() < 64 + columns + boardsTrace().spanCount() * 100, "an answer is too large");
}

/// What a board does with a wish for figures: with names and times of its own trace, and the laptop takes the answer.
void answer(const AskFigures &ask)
{
    if (!isPossibleWish(ask.wish))
        return;
    NoProgress progress;
    std::optional<FigureAnswer> answer = FigureReader(boardsTrace()).read(ask.wish, progress);
    require(answer.has_value(), "figures ended early");
    if (ask.wish.kind != FigureWish::Kind::Nothing)
        require(isPossibleAnswer(*answer, ask.wish, boardsTrace().tracks().size()), "an answer of ours is refused");
    eachName(*answer, [](TraceName name) { require(name < boardsTrace().names().size(), "a name of nowhere"); });
}

/// What a laptop does with figures that a board says: whatever was asked for, they are refused or can be added up.
void readFigures(ViewFigures said)
{
    FigureWish wish;
    using Kind = FigureWish::Kind;
    if (const auto &answer = said.answer)
        wish.kind = answer->where ? Kind::Where
            : answer->top         ? Kind::Top
            : answer->flame       ? Kind::Flame
            : answer->details     ? Kind::Details
            : answer->search      ? Kind::Search
                                  : Kind::Longer;
    const auto view =
        std::make_shared<RemoteView>(RemoteView::Wish{1, "a.jscope", "board", [](const Message &) {}, [] {}});
    require(view->take(ViewHead{1, 1, {}, viewFacts(boardsTrace(), {})}), "a head of ours is refused");
    std::optional<Trace> trace = view->takeTrace();
    std::optional<FigureAnswer> taken;
    view->ask(said.seat, wish, [&taken](double, const FigureAnswer *answer) {
        if (answer)
            taken = *answer;
    });
    said.ask = 1;
    if (!view->take(std::move(said)))
        return;
    view->takeInto(*trace);
    if (!taken)
        return;
    eachName(*taken, [&trace](TraceName name) { require(name < trace->names().size(), "a name of nowhere"); });
    std::int64_t sum = 0;
    if (taken->top)
        for (const TopRow &row : taken->top->rows)
            sum += row.ownNs;
    if (taken->top)
        sum += taken->top->axisToNs();
    if (taken->where)
        for (const PathTime &part : taken->where->path.parts)
            sum += part.ns;
    if (taken->flame)
        taken->flame->reversed();
    require(sum >= 0, "a sum has overflowed");
}

/// What a laptop does with spans that come late: of a pipeline with two names and a lane, of which some were missed.
void takeLate(const std::optional<UnsentSpans> &unsent, std::optional<LateSpans> late)
{
    RemotePipeline pipeline(1);
    UpdatePart part{1, 1, {}};
    part.update.names = {{"work"}, {"wait"}};
    part.update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
    part.update.spans = {{0, 500, 0, 0, 1, 0, 0}, {900'000, 500, 0, 0, 1, 0, 0}};
    require(pipeline.take(MessageKind::Past, part), "an update of ours is refused");
    require(pipeline.take(UnsentSpans{1, 2, 4, 1000, 5000}), "what was not sent is refused");
    if (unsent && !pipeline.take(*unsent))
        return;
    const std::vector<AskSpans> asks = pipeline.wantMissing({-kMaxTraceNs, kMaxTraceNs}, 0, 1).spans;
    require(!asks.empty(), "nothing is asked for");
    Trace trace;
    addValues(trace, pipeline.drain());
    if (late) {
        late->first = asks.front().first;
        if (!pipeline.take(std::move(*late)))
            return;
        trace.insert(pipeline.takeLate());
    }
    std::uint64_t spans = 0;
    for (const SpanTrack &track : trace.tracks())
        spans += track.endIndex() - track.firstIndex();
    require(spans == trace.spanCount(), "spans were miscounted");
    trace.setMissing(pipeline.missingTimes());
}

/// What a laptop does with columns of spans that were missed.
void takeCoarse(LateCoarse late)
{
    RemotePipeline pipeline(1);
    UpdatePart part{1, 1, {}};
    part.update.names = {{"work"}, {"wait"}};
    part.update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
    require(pipeline.take(MessageKind::Past, part), "an update of ours is refused");
    require(pipeline.take(UnsentSpans{1, 2, 4, 1000, 5000, 100}), "what was not sent is refused");
    const std::optional<AskCoarse> ask = pipeline.wantMissing({-kMaxTraceNs, kMaxTraceNs}, 200, 1).coarse;
    require(ask && ask->isPossible(), "no columns are asked for");
    if (!late.pieces.empty())
        late.pieces.front().first = ask->pieces.front().first;
    if (!pipeline.take(late))
        return;
    Trace trace;
    addValues(trace, pipeline.drain());
    CoarseStore store;
    for (CoarseSpans &coarse : pipeline.takeCoarse()) {
        require(coarse.window.count <= 64, "there are more columns than were asked for");
        std::vector<TraceColumn> columns;
        for (const auto &[place, track] : coarse.tracks)
            addCoarse(track, coarse.window, {900, 333, 20}, columns);
        store.add(std::move(coarse), trace);
    }
    require(trace.spanCount() == 2 || trace.spanCount() == 0, "columns became spans");
}

/// What a board does with an ask for columns, of two updates.
void answer(const AskCoarse &ask)
{
    if (!ask.isPossible())
        return;
    for (const UnsentSpans &piece : ask.pieces) {
        const CoarseSpans coarse =
            coarseSpans({{0, 500, 0, 0, 1, 0, 0}, {900'000, 500, 0, 0, 1, 0, 0}}, ask.window(piece));
        require(coarse.columns() <= 1024, "there are more columns than may be asked for");
        require(LateCoarse::Piece::of(1, coarse).coarse(coarse.window).has_value(), "an answer of ours is refused");
    }
}

/// What a laptop does with what a board says of a view: it is given a trace, asks for all of it, and gets this part.
void look(ViewPart part, const std::optional<ViewHead> &said)
{
    std::vector<AskView> asks;
    const auto view =
        std::make_shared<RemoteView>(RemoteView::Wish{1, "a.jscope", "board",
                                                      [&asks](const Message &message) {
                                                          if (message.kind == MessageKind::AskView)
                                                              asks.push_back(*contentOf<AskView>(message));
                                                      },
                                                      [] {}});
    if (!view->take(said ? *said : ViewHead{1, 1, {}, viewFacts(boardsTrace(), {})}))
        return;
    std::optional<Trace> trace = view->takeTrace();
    if (!trace)
        return;
    WindowWish wish;
    wish.window = {trace->oldestNs(),
                   std::max(1.0, static_cast<double>(trace->newestNs() - trace->oldestNs()) / kViewColumns),
                   kViewColumns};
    for (std::uint32_t i = 0; i < std::min<std::size_t>(trace->tracks().size(), 8); ++i)
        wish.tracks.push_back(i);
    for (std::uint32_t i = 0; i < std::min<std::size_t>(trace->counters().size(), 8); ++i)
        wish.counters.push_back(i);
    view->want({wish}, {});
    part.ask = asks.empty() ? 0 : asks.front().ask;
    if (!view->take(part))
        return;
    view->takeInto(*trace);
    if (const WindowPicture *shown = view->find(wish.window))
        for (const auto &[track, of] : shown->tracks)
            require(of.columns.size() == kViewColumns && of.bars.size() <= kViewColumns + 2, "a list has no limit");
    view->guess({wish.window.startNs, wish.window.nsPerColumn / 3, kViewColumns});
    view->barAt(0, wish.window.startNs, 1000);
    view->barBeside(0, wish.window.startNs, 1);
}

/// What a laptop does with a reduced picture.
void readPicture(const Picture &picture)
{
    if (const auto read = readJpeg(picture.jpeg, kMaxPreviewSide); read.ok())
        require(read.value().width <= kMaxPreviewSide && read.value().height <= kMaxPreviewSide,
                "a picture is larger than it may be");
}

/// The part as if it were the whole file, of a frame whose size the file says itself: within what a fuzzer has time
/// for.
void readWhole(const WholeFrame &part)
{
    constexpr std::size_t kWidthAt = 19;
    constexpr std::size_t kHeightAt = 23;
    if (part.bytes.size() <= kHeightAt)
        return;
    const int width = std::to_integer<int>(part.bytes[kWidthAt]);
    const int height = std::to_integer<int>(part.bytes[kHeightAt]);
    if (const auto read = readPng(part.bytes, width, height); read.ok()) {
        const auto packed = pngOf(read.value());
        require(packed.ok(), "a picture that was read cannot be written");
        const auto again = readPng(packed.value(), width, height);
        require(again.ok() && again.value().rgba == read.value().rgba, "a picture is written otherwise");
    }
}

void readContent(const Message &message)
{
    const std::span<const std::byte> content = message.content;
    switch (message.kind) {
    case MessageKind::Hello:
        readAs<Hello>(content);
        break;
    case MessageKind::Goodbye:
        readAs<Goodbye>(content);
        break;
    case MessageKind::Grant:
        readAs<Grant>(content);
        break;
    case MessageKind::NotSent:
        readAs<NotSent>(content);
        break;
    case MessageKind::Ping:
        readAs<Ping>(content);
        break;
    case MessageKind::Pong:
        readAs<Pong>(content);
        break;
    case MessageKind::RunCommand:
        readAs<RunCommand>(content);
        break;
    case MessageKind::CommandInput:
        readAs<CommandInput>(content);
        break;
    case MessageKind::CommandSignal:
        readAs<CommandSignal>(content);
        break;
    case MessageKind::CommandOutput:
        readAs<CommandOutput>(content);
        break;
    case MessageKind::CommandEnd:
        readAs<CommandEnd>(content);
        break;
    case MessageKind::ReadFile:
        readAs<ReadFile>(content);
        break;
    case MessageKind::WriteFile:
        readAs<WriteFile>(content);
        break;
    case MessageKind::FileBlock:
        readAs<FileBlock>(content);
        break;
    case MessageKind::FileEnd:
        readAs<FileEnd>(content);
        break;
    case MessageKind::CancelFile:
        readAs<CancelFile>(content);
        break;
    case MessageKind::Recording:
        readAs<RecordingState>(content);
        break;
    case MessageKind::ClockSaid:
        readAs<ClockSaid>(content);
        break;
    case MessageKind::Join:
        readAs<Join>(content);
        break;
    case MessageKind::Joined:
        readAs<Joined>(content);
        break;
    case MessageKind::Ask:
        readAs<Ask>(content);
        break;
    case MessageKind::Answer:
        readAs<Answer>(content);
        break;
    case MessageKind::Order:
        readAs<Order>(content);
        break;
    case MessageKind::State:
        if (const auto state = readAs<State>(content))
            RemotePipeline(1).take(*state);
        break;
    case MessageKind::Head:
    case MessageKind::FigureUpdate:
    case MessageKind::SpanUpdate:
    case MessageKind::Past:
        if (auto part = readAs<UpdatePart>(content))
            show(message.kind, std::move(*part));
        break;
    case MessageKind::OpenView:
        readAs<OpenView>(content);
        break;
    case MessageKind::ViewHead:
        if (const auto head = readAs<ViewHead>(content))
            look({}, *head);
        break;
    case MessageKind::AskView:
        if (const auto ask = readAs<AskView>(content))
            answer(*ask);
        break;
    case MessageKind::ViewPart:
        if (const auto part = readAs<ViewPart>(content))
            look(*part, {});
        break;
    case MessageKind::ViewWhole:
        if (const auto whole = readAs<ViewWhole>(content))
            if (const auto picture = whole->picture())
                picture->loads.loadOf({whole->startNs, whole->startNs + 1});
        break;
    case MessageKind::AskFigures:
        if (const auto ask = readAs<AskFigures>(content))
            answer(*ask);
        break;
    case MessageKind::ViewFigures:
        if (auto figures = readAs<ViewFigures>(content))
            readFigures(std::move(*figures));
        break;
    case MessageKind::UnsentSpans:
        if (const auto unsent = readAs<UnsentSpans>(content))
            takeLate(*unsent, {});
        break;
    case MessageKind::LateSpans:
        if (auto late = readAs<LateSpans>(content))
            takeLate({}, std::move(late));
        break;
    case MessageKind::AskSpans:
        readAs<AskSpans>(content);
        break;
    case MessageKind::AskCoarse:
        if (const auto ask = readAs<AskCoarse>(content))
            answer(*ask);
        break;
    case MessageKind::LateCoarse:
        if (auto late = readAs<LateCoarse>(content))
            takeCoarse(std::move(*late));
        break;
    case MessageKind::WantPicture:
        readAs<WantPicture>(content);
        break;
    case MessageKind::ReadFrame:
        readAs<ReadFrame>(content);
        break;
    case MessageKind::ProgramState:
        if (const auto program = readAs<ProgramState>(content))
            RemotePipeline(1).take(*program);
        break;
    case MessageKind::EndProgram:
        readAs<EndProgram>(content);
        break;
    case MessageKind::WatchCost:
        readAs<WatchCost>(content);
        break;
    case MessageKind::NoPictures:
        readAs<NoPictures>(content);
        break;
    case MessageKind::Picture:
        if (const auto picture = readAs<Picture>(content))
            readPicture(*picture);
        break;
    case MessageKind::WholeFrame:
        if (const auto part = readAs<WholeFrame>(content))
            readWhole(*part);
        break;
    }
}

/// In pieces whose sizes follow from the bytes themselves.
void readStream(std::span<const std::byte> bytes)
{
    Decoder decoder;
    WireEnd end;
    std::int64_t cameNs = 0;
    std::size_t piece = 1;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        piece = std::min(bytes.size() - at, 1 + std::to_integer<std::size_t>(bytes[at]) * 7);
        decoder.feed(bytes.subspan(at, piece));
        while (const std::optional<Message> message = decoder.next()) {
            if (!end.takes(*message, cameNs += 1'000'000)) {
                readContent(*message);
                end.used(*message);
            }
            while (const std::optional<Message> sent = end.next())
                end.sent(*sent, sent->content.size(), cameNs);
        }
    }
    require(decoder.noise().size() <= kMaxNoise, "too much noise is kept");
    if (const std::optional<Error> error = decoder.errorAtEnd())
        require(!error->text.empty() && error->text.size() < 200, "an error is one sentence");
}

} // namespace

void readWire(const std::uint8_t *bytes, std::size_t size)
{
    const auto all = std::as_bytes(std::span(bytes, size));
    readStream(all);
    if (size > 0 && bytes[0] < kMessageKindCount)
        readContent({static_cast<MessageKind>(bytes[0]), {all.begin() + 1, all.end()}});
}

} // namespace jetscope::test

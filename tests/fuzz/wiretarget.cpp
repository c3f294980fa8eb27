// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzztarget.h"

#include "core/remote/wire/framing.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/remotepipeline.h"

#include <algorithm>
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
    case MessageKind::Picture:
        break;
    }
}

/// In pieces whose sizes follow from the bytes themselves.
void readStream(std::span<const std::byte> bytes)
{
    Decoder decoder;
    std::size_t piece = 1;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        piece = std::min(bytes.size() - at, 1 + std::to_integer<std::size_t>(bytes[at]) * 7);
        decoder.feed(bytes.subspan(at, piece));
        while (const std::optional<Message> message = decoder.next())
            readContent(*message);
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

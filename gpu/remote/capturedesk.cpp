// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturedesk.h"

#include "core/text/utf8.h"
#include "gpu/remote/captureblocks.h"

#include <memory>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kLongestClockName = 100;

/// What a recording is named after.
std::string subjectOf(const SessionRequest &request, const PipelineStatus &status)
{
    if (request.program && !request.program->command.empty()) {
        const std::string &program = request.program->command.front();
        return program.substr(program.rfind('/') + 1);
    }
    return status.source.uri.empty() ? request.source : status.source.uri;
}

Answer answerTo(std::uint32_t ask, const Status &status = {})
{
    Answer answer;
    answer.id = ask;
    if (!status.ok())
        answer.error = status.error();
    return answer;
}

} // namespace

CaptureDesk::CaptureDesk(CaptureFolder folder, std::function<void(std::function<void()>)> post)
    : m_post(std::move(post)), m_folder(std::move(folder)), m_recorder(m_folder)
{
}

CaptureDesk::~CaptureDesk()
{
    stop();
}

void CaptureDesk::stop()
{
    m_stopsSums = true;
    m_disk.stop();
    m_sums.stop();
}

void CaptureDesk::opened(const PipelineControl &pipeline, const SessionRequest &request, const UpdateLog &log)
{
    m_subject = Subject{&pipeline, request, &log};
}

void CaptureDesk::closed()
{
    m_subject.reset();
    endRecording();
}

void CaptureDesk::endRecording()
{
    if (!m_recorder.isOn())
        return;
    m_recorder.end();
    m_disk.add([this] { m_recorder.stop(); });
}

// --- laptops

CaptureDesk::Laptop &CaptureDesk::laptop(std::uint32_t client, Link &link)
{
    Laptop &found = m_laptops[client];
    found.link = &link;
    return found;
}

void CaptureDesk::postTo(std::uint32_t client, std::function<void(Laptop &)> act)
{
    m_post([this, client, act = std::move(act)] {
        if (const auto found = m_laptops.find(client); found != m_laptops.end())
            act(found->second);
    });
}

void CaptureDesk::reply(std::uint32_t client, Answer answer)
{
    postTo(client, [answer = std::move(answer)](Laptop &to) { to.link->send(messageOf(answer)); });
}

bool CaptureDesk::ask(std::uint32_t client, Link &link, const Ask &ask)
{
    using Question = Ask::Question;
    laptop(client, link);
    if (ask.question == Question::Record)
        record(client, ask);
    else if (ask.question == Question::StopRecording)
        stopRecording(client, ask.id);
    else if (ask.question == Question::Captures)
        list(client, ask.id);
    else if (ask.question == Question::RemoveCapture)
        remove(client, ask);
    else
        return false;
    return true;
}

bool CaptureDesk::handle(std::uint32_t client, Link &link, const Message &message)
{
    Laptop &from = laptop(client, link);
    if (message.kind == MessageKind::ReadFile) {
        const auto wish = contentOf<ReadFile>(message);
        if (wish)
            read(client, *wish);
        return wish.has_value();
    }
    if (message.kind == MessageKind::CancelFile) {
        const auto cancel = contentOf<CancelFile>(message);
        if (cancel && cancel->id == from.reads) {
            from.reads = 0;
            link.setSource(nullptr);
        }
        return cancel.has_value();
    }
    const auto said = message.kind == MessageKind::ClockSaid ? contentOf<ClockSaid>(message) : std::nullopt;
    if (said)
        takeClock(from, *said);
    return said.has_value();
}

void CaptureDesk::tell(std::uint32_t client, Link &link)
{
    Laptop &to = laptop(client, link);
    RecordingState state = m_recorder.state();
    if (state == to.said)
        return;
    link.send(messageOf(state));
    to.said = std::move(state);
}

void CaptureDesk::takeClock(Laptop &from, const ClockSaid &said)
{
    const bool isNamed = !said.clock.empty() && said.clock.size() <= kLongestClockName && isPlainLine(said.clock);
    from.clock = ClockMeeting{said.atNs, isNamed ? said.clock : "a laptop", said.offsetNs, said.boundNs};
    m_recorder.take(*from.clock);
}

// --- the recording, the list

void CaptureDesk::record(std::uint32_t client, const Ask &ask)
{
    if (!m_subject || ask.pipeline != m_subject->log->pipeline())
        return reply(client, answerTo(ask.id, sentence("there is no pipeline on the board to record: open one first")));
    const PipelineStatus status = m_subject->pipeline->status();
    m_disk.add([this, client, ask, status, name = subjectOf(m_subject->request, status)] {
        const Status started = m_recorder.start(status, name, ask.name);
        if (started.ok())
            m_post([this, pipeline = ask.pipeline] { begin(pipeline); });
        reply(client, answerTo(ask.id, started));
    });
}

/// The file is there.
void CaptureDesk::begin(std::uint32_t pipeline)
{
    if (!m_subject || m_subject->log->pipeline() != pipeline)
        return endRecording(); // It was closed meanwhile.
    m_recorder.begin(m_subject->log->traceHead());
    for (const auto &[client, laptop] : m_laptops)
        if (laptop.clock)
            m_recorder.take(*laptop.clock);
}

void CaptureDesk::stopRecording(std::uint32_t client, std::uint32_t askId)
{
    m_recorder.end();
    m_disk.add([this, client, askId] {
        m_recorder.stop();
        reply(client, answerTo(askId));
    });
}

void CaptureDesk::list(std::uint32_t client, std::uint32_t askId)
{
    m_disk.add([this, client, askId] {
        Answer answer = answerTo(askId);
        const RecordingState state = m_recorder.state();
        answer.captures = m_folder.list(m_recorder.growing());
        for (BoardCapture &capture : answer.captures.captures)
            if (capture.grows && capture.name == state.name)
                capture.lengthNs = state.elapsedNs;
        reply(client, std::move(answer));
    });
}

void CaptureDesk::remove(std::uint32_t client, const Ask &ask)
{
    m_disk.add([this, client, id = ask.id, name = ask.name] {
        reply(client, answerTo(id, m_folder.remove(name, m_recorder.growing())));
    });
}

// --- a capture on its way

void CaptureDesk::read(std::uint32_t client, const ReadFile &wish)
{
    Laptop &to = m_laptops[client];
    to.reads = wish.id;
    to.link->setSource(nullptr);
    m_disk.add([this, client, wish] {
        auto opened = m_folder.openToRead(wish.path, m_recorder.growing());
        if (!opened.ok())
            return endFile(client, {wish.id, 0, opened.error().text, {}});
        const BoardCapture capture = opened.value().second;
        if (wish.fromByte > capture.bytes || (!wish.version.empty() && wish.version != capture.version))
            return endFile(client, {wish.id, capture.bytes, wish.path + " changed on the board", {}});
        // The sum is made while the file is on its way.
        m_sums.add(
            [this, capture] { static_cast<void>(m_folder.sumOf(capture.name, capture.version, m_stopsSums).ok()); });
        auto file = std::make_shared<FileDescriptor>(std::move(opened.value().first));
        postTo(client, [this, client, wish, file, capture](Laptop &still) {
            if (still.reads == wish.id)
                send(client, *still.link, wish, std::move(*file), capture);
        });
    });
}

/// All its blocks, then its sum.
void CaptureDesk::send(std::uint32_t client, Link &link, const ReadFile &wish, FileDescriptor file,
                       const BoardCapture &capture)
{
    const auto atEnd = [this, client, id = wish.id, capture](bool isWhole) {
        m_sums.add([this, client, id, capture, isWhole] {
            const Result<std::string> sum = isWhole
                ? m_folder.sumOf(capture.name, capture.version, m_stopsSums)
                : Result<std::string>(sentence(capture.name + " cannot be read on the board"));
            endFile(client, {id, capture.bytes, sum.ok() ? "" : sum.error().text, sum.ok() ? sum.value() : ""});
        });
    };
    auto blocks = std::make_shared<CaptureBlocks>(wish.id, std::move(file), wish.fromByte, capture.bytes, atEnd);
    link.setSource([blocks] { return blocks->next(); });
}

void CaptureDesk::endFile(std::uint32_t client, FileEnd end)
{
    postTo(client, [end = std::move(end)](Laptop &to) {
        if (to.reads == end.id)
            to.link->send(messageOf(end));
    });
}

} // namespace jetscope

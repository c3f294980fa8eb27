// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/captureblocks.h"
#include "gpu/remote/remoteserver.h"

#include "core/text/utf8.h"

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

} // namespace

/// False: it is no message about captures, or cannot be.
bool RemoteServer::handleCaptures(Client &client, const Message &message)
{
    if (message.kind == MessageKind::ReadFile) {
        if (const auto wish = contentOf<ReadFile>(message)) {
            readCapture(client, *wish);
            return true;
        }
    } else if (message.kind == MessageKind::CancelFile) {
        if (const auto cancel = contentOf<CancelFile>(message)) {
            if (cancel->id == client.reads) {
                client.reads = 0;
                client.link->setSource(nullptr);
            }
            return true;
        }
    } else if (message.kind == MessageKind::ClockSaid) {
        if (const auto said = contentOf<ClockSaid>(message)) {
            takeClock(client, *said);
            return true;
        }
    }
    return false;
}

void RemoteServer::record(std::uint32_t client, const Ask &ask)
{
    Answer answer;
    answer.id = ask.id;
    if (!m_pipeline || ask.pipeline != m_pipelineNumber) {
        answer.error = sentence("there is no pipeline on the board to record: open one first");
        return reply(client, answer);
    }
    const PipelineStatus status = m_pipeline->status();
    m_disk.add([this, client, answer, status, subject = subjectOf(m_request, status), board = ask.name,
                pipeline = ask.pipeline]() mutable {
        if (const Status started = m_recorder.start(status, subject, board); !started.ok()) {
            answer.error = started.error();
            return reply(client, answer);
        }
        post(client, [this, answer, pipeline](Client *to) {
            if (!m_pipeline || m_pipelineNumber != pipeline)
                endRecording(); // It was closed meanwhile.
            else
                m_recorder.begin(m_log->traceHead());
            for (const std::unique_ptr<Client> &each : m_clients)
                if (each->clock)
                    m_recorder.take(*each->clock);
            if (to)
                to->link->send(messageOf(answer));
        });
    });
}

void RemoteServer::stopRecording(std::uint32_t client, std::uint32_t askId)
{
    m_recorder.end();
    m_disk.add([this, client, askId] {
        m_recorder.stop();
        Answer answer;
        answer.id = askId;
        reply(client, answer);
    });
}

/// The pipeline that is recorded is over.
void RemoteServer::endRecording()
{
    if (!m_recorder.isOn())
        return;
    m_recorder.end();
    m_disk.add([this] { m_recorder.stop(); });
}

void RemoteServer::listCaptures(std::uint32_t client, std::uint32_t askId)
{
    m_disk.add([this, client, askId] {
        Answer answer;
        answer.id = askId;
        const RecordingState state = m_recorder.state();
        answer.captures = m_folder.list(m_recorder.growing());
        for (BoardCapture &capture : answer.captures.captures)
            if (capture.grows && capture.name == state.name)
                capture.lengthNs = state.elapsedNs;
        reply(client, std::move(answer));
    });
}

void RemoteServer::removeCapture(std::uint32_t client, const Ask &ask)
{
    m_disk.add([this, client, id = ask.id, name = ask.name] {
        Answer answer;
        answer.id = id;
        if (const Status removed = m_folder.remove(name, m_recorder.growing()); !removed.ok())
            answer.error = removed.error();
        reply(client, answer);
    });
}

void RemoteServer::readCapture(Client &client, const ReadFile &wish)
{
    client.reads = wish.id;
    client.link->setSource(nullptr);
    m_disk.add([this, id = client.id, wish] {
        auto opened = m_folder.openToRead(wish.path, m_recorder.growing());
        if (!opened.ok())
            return endFile(id, {wish.id, 0, opened.error().text, {}});
        const BoardCapture capture = opened.value().second;
        if (wish.fromByte > capture.bytes || (!wish.version.empty() && wish.version != capture.version))
            return endFile(id, {wish.id, capture.bytes, wish.path + " changed on the board", {}});
        // The sum is made while the file is on its way.
        m_sums.add(
            [this, capture] { static_cast<void>(m_folder.sumOf(capture.name, capture.version, m_stopsSums).ok()); });
        auto file = std::make_shared<FileDescriptor>(std::move(opened.value().first));
        post(id, [this, wish, file, capture](Client *to) {
            if (to && to->reads == wish.id)
                sendCapture(*to, wish, std::move(*file), capture);
        });
    });
}

/// All its blocks, then its sum.
void RemoteServer::sendCapture(Client &client, const ReadFile &wish, FileDescriptor file, const BoardCapture &capture)
{
    const auto atEnd = [this, client = client.id, id = wish.id, capture](bool isWhole) {
        m_sums.add([this, client, id, capture, isWhole] {
            const Result<std::string> sum = isWhole
                ? m_folder.sumOf(capture.name, capture.version, m_stopsSums)
                : Result<std::string>(sentence(capture.name + " cannot be read on the board"));
            endFile(client, {id, capture.bytes, sum.ok() ? "" : sum.error().text, sum.ok() ? sum.value() : ""});
        });
    };
    auto blocks = std::make_shared<CaptureBlocks>(wish.id, std::move(file), wish.fromByte, capture.bytes, atEnd);
    client.link->setSource([blocks] { return blocks->next(); });
}

void RemoteServer::endFile(std::uint32_t client, FileEnd end)
{
    post(client, [end = std::move(end)](Client *to) {
        if (to && to->reads == end.id)
            to->link->send(messageOf(end));
    });
}

void RemoteServer::takeClock(Client &client, const ClockSaid &said)
{
    const bool isNamed = !said.clock.empty() && said.clock.size() <= kLongestClockName && isPlainLine(said.clock);
    client.clock = ClockMeeting{said.atNs, isNamed ? said.clock : "a laptop", said.offsetNs, said.boundNs};
    m_recorder.take(*client.clock);
}

void RemoteServer::sendRecording(Client &client)
{
    RecordingState state = m_recorder.state();
    if (state == client.recordingSaid)
        return;
    client.link->send(messageOf(state));
    client.recordingSaid = std::move(state);
}

} // namespace jetscope

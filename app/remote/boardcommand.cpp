// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/boardcommand.h"

#include "app/commandline/devicechoice.h"
#include "app/remote/commandserver.h"
#include "core/progress.h"
#include "core/remote/reach/sshfailure.h"
#include "core/system/newfile.h"
#include "core/system/regularfile.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <poll.h>

namespace jetscope {

namespace {

constexpr std::uint32_t kCommandId = 1;
constexpr std::uint32_t kFileId = 2;
constexpr std::uint64_t kMostFetched = std::uint64_t{1} << 40;

std::string fileNameOf(const std::string &path)
{
    return std::filesystem::path(path).filename().string();
}

std::string replacedAll(std::string text, std::string_view word, const std::string &by)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

} // namespace

BoardCommand::BoardCommand(ReachedBoard board, const BoardAddress &address, CommandPlan plan)
    : m_address(address),
      m_board(std::move(board)),
      m_plan(std::move(plan)),
      m_pipe(m_board.end->output(), m_board.end->input(), ownHello())
{
}

Result<std::unique_ptr<BoardCommand>> BoardCommand::start(ReachedBoard board, const BoardAddress &address,
                                                          CommandPlan plan, const Progress &progress)
{
    std::unique_ptr<BoardCommand> command(new BoardCommand(std::move(board), address, std::move(plan)));
    JETSCOPE_TRY(command->awaitHello());
    for (std::size_t i = 0; i < command->m_plan.files.size(); ++i)
        if (command->m_plan.files[i].isSent)
            JETSCOPE_TRY(command->sendFile(command->m_plan.files[i], command->placeOf(i), progress));
    RunCommand run;
    run.id = kCommandId;
    for (const CommandPlan::Argument &argument : command->m_plan.arguments)
        run.arguments.push_back(argument.file < 0 ? argument.text
                                                  : command->placeOf(static_cast<std::size_t>(argument.file)));
    run.environment.emplace_back(kBoardNameVariable, address.name());
    command->m_pipe.send(run);
    command->m_pipe.push();
    return command;
}

void BoardCommand::wait() const
{
    std::array<pollfd, 2> waits = m_pipe.sources();
    poll(waits.data(), waits.size(), 1000);
}

/// The connection ended before its time.
Error BoardCommand::lost()
{
    const std::optional<int> code = m_board.end->waitForEnd(std::chrono::seconds(3));
    if (code != 255 && m_pipe.error())
        return sentence(m_address.name() + ": " + m_pipe.error()->message());
    return sshFailure(m_address, LinkStage::Open, code.value_or(255), m_board.end->said());
}

Status BoardCommand::awaitHello()
{
    while (!m_pipe.hello() && !m_pipe.isOver()) {
        m_pipe.work();
        if (m_pipe.next() || m_pipe.hello())
            break;
        if (!m_pipe.isOver())
            wait();
    }
    if (!m_pipe.hello())
        return lost();
    for (const std::string &feature : m_pipe.hello()->features)
        if (feature.starts_with(kFolderFeature))
            m_folder = feature.substr(kFolderFeature.size());
    if (!m_folder.starts_with('/') || !isPlainLine(m_folder))
        return sentence(m_address.name() + " does not say where its files lie: install the same jetscope there");
    return {};
}

/// The number keeps files of one name apart; the name keeps its ending.
std::string BoardCommand::placeOf(std::size_t file) const
{
    return m_folder + "/" + std::to_string(file) + "-" + fileNameOf(m_plan.files[file].path);
}

Result<Message> BoardCommand::awaitMessage()
{
    for (;;) {
        m_pipe.work();
        if (std::optional<Message> message = m_pipe.next())
            return *std::move(message);
        if (m_pipe.isOver())
            return lost();
        wait();
    }
}

Status BoardCommand::sendFile(const CommandFile &file, const std::string &there, const Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileStream stream, openRegularFile(file.path));
    m_pipe.send(WriteFile{kFileId, there, 0});
    std::uint64_t sent = 0;
    for (bool isWhole = false; !isWhole;) {
        while (!m_pipe.mayAddBulk() && !m_pipe.isOver()) {
            m_pipe.work();
            while (m_pipe.next()) {} // Grants.
            if (!m_pipe.mayAddBulk())
                wait();
        }
        if (m_pipe.isOver())
            return lost();
        FileBlock block{kFileId, sent, std::vector<std::byte>(kMaxFileBlock)};
        block.bytes.resize(std::fread(block.bytes.data(), 1, block.bytes.size(), stream.get()));
        isWhole = block.bytes.empty();
        sent += block.bytes.size();
        if (!isWhole)
            m_pipe.send(block);
        if (!progress(file.path, sent))
            return cancelledError();
    }
    m_pipe.send(FileEnd{kFileId, sent, ""});
    JETSCOPE_TRY_ASSIGN(const Message answer, awaitMessage());
    const std::optional<FileEnd> end = contentOf<FileEnd>(answer);
    if (answer.kind != MessageKind::FileEnd || !end || !end->error.empty())
        return sentence(file.path + " could not be sent to " + m_address.name() + ": "
                        + quotedRemark(end ? end->error : "it answers something else"));
    return {};
}

void BoardCommand::work(const std::function<void(CommandOutput::Stream, std::string_view)> &output)
{
    const auto pass = [&](CommandOutput::Stream stream, std::string_view text, bool isLast) {
        const std::string shown = named(static_cast<std::size_t>(stream), text, isLast);
        if (!shown.empty())
            output(stream, shown);
    };
    m_pipe.work();
    while (const std::optional<Message> message = m_end ? std::nullopt : m_pipe.next()) {
        if (message->kind == MessageKind::CommandOutput) {
            if (const auto part = contentOf<CommandOutput>(*message))
                pass(part->stream, {reinterpret_cast<const char *>(part->bytes.data()), part->bytes.size()}, false);
        } else if (message->kind == MessageKind::CommandEnd) {
            const std::optional<CommandEnd> end = contentOf<CommandEnd>(*message);
            if (end && end->error.empty())
                m_end = Result<int>(static_cast<int>(end->exitCode & 0xff));
            else
                m_end = Result<int>(sentence(m_address.name() + " could not run the command: "
                                             + quotedRemark(end ? end->error : "its answer is not understood")));
        }
    }
    if (!m_end && m_pipe.isOver())
        m_end = Result<int>(lost());
    for (const CommandOutput::Stream stream : {CommandOutput::Stream::Output, CommandOutput::Stream::Error})
        if (m_end)
            pass(stream, {}, true);
    m_pipe.push(); // What was taken is granted anew.
}

void BoardCommand::interrupt()
{
    m_pipe.send(CommandSignal{kCommandId, CommandSignal::Signal::Interrupt});
    m_pipe.push();
}

/// What the command says of its files names those of this machine.
std::string BoardCommand::named(std::size_t stream, std::string_view text, bool isLast)
{
    std::string all = std::exchange(m_held[stream], {}) + std::string(text);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < m_plan.files.size(); ++i) {
        const std::string &path = m_plan.files[i].path;
        if (path.find_first_of("\"\\") != std::string::npos || !isPlainLine(path))
            continue; // In JSON it would need other characters.
        all = replacedAll(std::move(all), placeOf(i), path);
        longest = std::max(longest, placeOf(i).size());
    }
    if (isLast || longest == 0)
        return all;
    // The beginning of a name at the end of the text waits for the rest.
    std::size_t keep = std::min(all.size(), longest - 1);
    const auto mayBegin = [&](std::string_view end) {
        for (std::size_t i = 0; i < m_plan.files.size(); ++i)
            if (placeOf(i).starts_with(end))
                return true;
        return false;
    };
    while (keep > 0 && !mayBegin(std::string_view(all).substr(all.size() - keep)))
        --keep;
    m_held[stream] = all.substr(all.size() - keep);
    all.erase(all.size() - keep);
    return all;
}

Status BoardCommand::fetchFiles(const Progress &progress)
{
    for (std::size_t i = 0; i < m_plan.files.size(); ++i) {
        const CommandFile &file = m_plan.files[i];
        if (!file.isFetched)
            continue;
        const std::string there = placeOf(i);
        const auto fetch = [&](const std::string &place) { return fetchFile(there, file.path, place, progress); };
        JETSCOPE_TRY(file.isSent ? replaceFile(file.path, fetch) : fetch(file.path));
    }
    return {};
}

Status BoardCommand::fetchFile(const std::string &there, const std::string &path, const std::string &place,
                               const Progress &progress)
{
    const auto failed = [&](const std::string &why) {
        return sentence(path + " could not be fetched from " + m_address.name() + ": " + quotedRemark(why));
    };
    std::optional<OutputFile> file; // Made with the first block, for the command may have written none.
    m_pipe.send(ReadFile{kFileId, there, 0});
    for (std::uint64_t taken = 0;;) {
        JETSCOPE_TRY_ASSIGN(const Message message, awaitMessage());
        if (const auto block = message.kind == MessageKind::FileBlock ? contentOf<FileBlock>(message) : std::nullopt) {
            if (!file) {
                JETSCOPE_TRY_ASSIGN(OutputFile made, OutputFile::create(place));
                file.emplace(std::move(made));
            }
            taken += block->bytes.size();
            if (block->fromByte + block->bytes.size() != taken || taken > kMostFetched)
                return failed("it does not come in order");
            file->write({reinterpret_cast<const char *>(block->bytes.data()), block->bytes.size()});
            if (!progress(path, taken))
                return cancelledError();
        } else if (const auto end = message.kind == MessageKind::FileEnd ? contentOf<FileEnd>(message) : std::nullopt) {
            if (end->error == kMissingFile && !(m_end && m_end->ok() && m_end->value() == 0))
                return {};
            if (!end->error.empty() || end->size != taken || !file)
                return failed(end->error.empty() ? "it is not whole" : end->error);
            return file->finish();
        }
    }
}

} // namespace jetscope

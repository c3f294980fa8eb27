// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/boardcommand.h"

#include "app/commandline/devicechoice.h"
#include "app/remote/commandfiles.h"
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

BoardCommand::BoardCommand(ReachedBoard board, const BoardAddress &address, const std::string &id, CommandPlan plan,
                           AwayWatch away)
    : m_address(address), m_plan(std::move(plan)), m_away(std::move(away)), m_link(address, std::move(board), id)
{
}

Result<std::unique_ptr<BoardCommand>> BoardCommand::start(ReachedBoard board, const BoardAddress &address,
                                                          const std::string &id, CommandPlan plan,
                                                          const Progress &progress, AwayWatch away)
{
    std::unique_ptr<BoardCommand> command(
        new BoardCommand(std::move(board), address, id, std::move(plan), std::move(away)));
    JETSCOPE_TRY(command->awaitConnection());
    for (std::size_t i = 0; i < command->m_plan.files.size(); ++i)
        for (bool isThere = !command->m_plan.files[i].isSent; !isThere;) {
            JETSCOPE_TRY(command->awaitConnection());
            JETSCOPE_TRY_ASSIGN(isThere, command->sendFile(command->m_plan.files[i], command->placeOf(i), progress));
        }
    return command;
}

/// Tells the board to run it; over another connection, to go on.
void BoardCommand::run()
{
    m_runsOver = m_link.connection();
    RunCommand run;
    run.id = kCommandId;
    run.taken = m_taken;
    for (const CommandPlan::Argument &argument : m_plan.arguments)
        run.arguments.push_back(argument.file < 0 ? argument.text : placeOf(static_cast<std::size_t>(argument.file)));
    run.environment.emplace_back(kBoardNameVariable, m_address.name());
    m_link.send(run);
    if (m_isInterrupted)
        m_link.send(CommandSignal{kCommandId, CommandSignal::Signal::Interrupt});
    m_link.push();
}

void BoardCommand::wait() const
{
    std::array<pollfd, 3> waits = m_link.sources();
    poll(waits.data(), waits.size(), static_cast<int>(kLongestWait.count()));
}

/// An error: there is no connection any more, and will be none.
Status BoardCommand::workLink()
{
    m_link.work();
    if (m_link.lost())
        return *m_link.lost();
    if (const auto absence = m_link.takeAbsence())
        m_away({*absence, true, {}});
    if (m_link.away().count() > 0 && !m_away({m_link.away(), false, m_link.trouble()})) {
        m_link.giveUp();
        return *m_link.lost();
    }
    return {};
}

Status BoardCommand::awaitConnection()
{
    for (;;) {
        JETSCOPE_TRY(workLink());
        if (m_link.connection() > 0)
            return {};
        wait();
    }
}

/// The number keeps files of one name apart; the name keeps its ending.
std::string BoardCommand::placeOf(std::size_t file) const
{
    return m_link.folder() + "/" + std::to_string(file) + "-" + fileNameOf(m_plan.files[file].path);
}

/// None: it was cut.
Result<std::optional<Message>> BoardCommand::awaitMessage(std::uint32_t connection)
{
    for (;;) {
        JETSCOPE_TRY(workLink());
        if (m_link.connection() != connection)
            return std::optional<Message>();
        if (std::optional<Message> message = m_link.next())
            return message;
        wait();
    }
}

/// How much of a file is on the board, as it answers; none: it was cut.
Result<std::optional<std::uint64_t>> BoardCommand::awaitSize(const std::string &path, std::uint32_t connection)
{
    JETSCOPE_TRY_ASSIGN(const std::optional<Message> answer, awaitMessage(connection));
    if (!answer)
        return std::optional<std::uint64_t>();
    const std::optional<FileEnd> end = contentOf<FileEnd>(*answer);
    if (answer->kind != MessageKind::FileEnd || !end || !end->error.empty())
        return sentence(path + " could not be sent to " + m_address.name() + ": "
                        + quotedRemark(end ? end->error : "it answers something else"));
    return std::optional(end->size);
}

/// Goes on behind what is there already. False: it was cut.
Result<bool> BoardCommand::sendFile(const CommandFile &file, const std::string &there, const Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileStream stream, openRegularFile(file.path));
    const std::uint32_t connection = m_link.connection();
    m_link.send(WriteFile{kFileId, there, 0});
    m_link.push();
    JETSCOPE_TRY_ASSIGN(const std::optional<std::uint64_t> size, awaitSize(file.path, connection));
    if (!size)
        return false;
    std::uint64_t sent = *size;
    std::fseek(stream.get(), static_cast<long>(sent), SEEK_SET);
    for (bool isWhole = false; !isWhole;) {
        JETSCOPE_TRY(workLink());
        while (m_link.next()) {} // Grants.
        if (m_link.connection() != connection)
            return false;
        if (!m_link.mayAddBulk()) {
            wait();
            continue;
        }
        FileBlock block{kFileId, sent, std::vector<std::byte>(kMaxFileBlock)};
        block.bytes.resize(std::fread(block.bytes.data(), 1, block.bytes.size(), stream.get()));
        isWhole = block.bytes.empty();
        sent += block.bytes.size();
        if (!isWhole)
            m_link.send(block);
        if (!progress(file.path, sent))
            return cancelledError();
    }
    m_link.send(FileEnd{kFileId, sent, ""});
    JETSCOPE_TRY_ASSIGN(const std::optional<std::uint64_t> whole, awaitSize(file.path, connection));
    return whole.has_value();
}

void BoardCommand::work(const std::function<void(CommandOutput::Stream, std::string_view)> &output)
{
    const auto pass = [&](CommandOutput::Stream stream, std::string_view text, bool isLast) {
        const std::string shown = named(static_cast<std::size_t>(stream), text, isLast);
        if (!shown.empty())
            output(stream, shown);
    };
    const Status works = workLink();
    if (works.ok() && m_link.connection() > 0 && m_link.connection() != m_runsOver)
        run();
    while (const std::optional<Message> message = m_end ? std::nullopt : m_link.next()) {
        if (message->kind == MessageKind::CommandOutput) {
            if (const auto part = contentOf<CommandOutput>(*message)) {
                m_taken += part->bytes.size();
                pass(part->stream, {reinterpret_cast<const char *>(part->bytes.data()), part->bytes.size()}, false);
            }
        } else if (message->kind == MessageKind::CommandEnd) {
            const std::optional<CommandEnd> end = contentOf<CommandEnd>(*message);
            if (end && end->error.empty())
                m_end = Result<int>(static_cast<int>(end->exitCode & 0xff));
            else
                m_end = Result<int>(sentence(m_address.name() + " could not run the command: "
                                             + quotedRemark(end ? end->error : "its answer is not understood")));
        }
    }
    if (!m_end && !works.ok())
        m_end = Result<int>(works.error());
    for (const CommandOutput::Stream stream : {CommandOutput::Stream::Output, CommandOutput::Stream::Error})
        if (m_end)
            pass(stream, {}, true);
    if (m_link.connection() > 0)
        m_link.push(); // What was taken is granted anew.
}

void BoardCommand::interrupt()
{
    m_isInterrupted = true;
    if (m_link.connection() == 0)
        return; // It is told with the next connection.
    m_link.send(CommandSignal{kCommandId, CommandSignal::Signal::Interrupt});
    m_link.push();
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
    std::uint64_t taken = 0;
    for (std::uint32_t connection = 0;;) {
        JETSCOPE_TRY(awaitConnection());
        if (connection != m_link.connection()) {
            connection = m_link.connection();
            m_link.send(ReadFile{kFileId, there, taken});
        }
        JETSCOPE_TRY_ASSIGN(const std::optional<Message> message, awaitMessage(connection));
        if (!message)
            continue; // It goes on over the next connection.
        if (const auto block =
                message->kind == MessageKind::FileBlock ? contentOf<FileBlock>(*message) : std::nullopt) {
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
        } else if (const auto end =
                       message->kind == MessageKind::FileEnd ? contentOf<FileEnd>(*message) : std::nullopt) {
            if (end->error == CommandFiles::kMissing && !(m_end && m_end->ok() && m_end->value() == 0))
                return {};
            if (!end->error.empty() || end->size != taken || !file)
                return failed(end->error.empty() ? "it is not whole" : end->error);
            return file->finish();
        }
    }
}

} // namespace jetscope

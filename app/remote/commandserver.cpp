// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandserver.h"

#include "app/commandline/console.h"
#include "app/remote/messagepipe.h"
#include "core/remote/reach/farend.h"
#include "core/system/regularfile.h"
#include "core/system/temporaryfolder.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace jetscope {

namespace {

/// A command whose laptop is gone ends as after Ctrl-C, with what it measured; then it is killed.
constexpr std::chrono::milliseconds kEndTime{35'000};
/// A program that was left behind may hold the output of a command open.
constexpr std::chrono::milliseconds kOutputTime{500};
constexpr std::size_t kOutputBytes = 16 * 1024;

int numberOf(CommandSignal::Signal signal)
{
    switch (signal) {
    case CommandSignal::Signal::Interrupt:
        return SIGINT;
    case CommandSignal::Signal::Terminate:
        return SIGTERM;
    case CommandSignal::Signal::Kill:
        return SIGKILL;
    }
    return SIGKILL;
}

Hello helloWith(const std::string &folder)
{
    Hello hello = ownHello();
    hello.features.push_back(std::string(kFolderFeature) + folder);
    return hello;
}

class CommandServer {
public:
    explicit CommandServer(const std::string &folder)
        : m_folder(folder), m_pipe(STDIN_FILENO, STDOUT_FILENO, helloWith(folder))
    {
    }

    void run()
    {
        while (!m_pipe.isOver()) {
            m_pipe.work();
            while (const std::optional<Message> message = m_pipe.next())
                take(*message);
            m_pipe.push(); // What waited for credit, before more is added.
            passOutput();
            passFile();
            m_pipe.push();
            if (!m_pipe.isOver())
                wait();
        }
        if (m_command)
            endCommand();
    }

private:
    void take(const Message &message)
    {
        takeOf<RunCommand>(message, &CommandServer::start);
        takeOf<CommandSignal>(message, &CommandServer::signal);
        takeOf<ReadFile>(message, &CommandServer::readFile);
        takeOf<WriteFile>(message, &CommandServer::writeFile);
        takeOf<FileBlock>(message, &CommandServer::takeBlock);
        takeOf<FileEnd>(message, &CommandServer::finishFile);
    }
    template <class T>
    void takeOf(const Message &message, void (CommandServer::*act)(const T &))
    {
        if (message.kind != T::kKind)
            return;
        if (const std::optional<T> content = contentOf<T>(message))
            (this->*act)(*content);
    }

    void start(const RunCommand &wish)
    {
        if (m_command)
            return m_pipe.send(CommandEnd{wish.id, 0, 0, "another command runs"});
        std::error_code unknown;
        std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe", unknown).string()};
        command.insert(command.end(), wish.arguments.begin(), wish.arguments.end());
        std::vector<std::string> environment;
        for (const auto &[name, value] : wish.environment)
            environment.push_back(name + "=" + value);
        Result<std::unique_ptr<FarEnd>> started = FarEnd::start(command, environment, FarEnd::Use::Command);
        if (!started.ok())
            return m_pipe.send(CommandEnd{wish.id, 0, 0, started.error().text});
        m_command = std::move(started).value();
        m_command->closeInput();
        m_id = wish.id;
        m_open = {true, true};
    }

    void signal(const CommandSignal &wish)
    {
        if (m_command && wish.id == m_id)
            m_command->signal(numberOf(wish.signal));
    }

    /// A file of the folder; empty for any other path.
    std::string fileAt(const std::string &path) const
    {
        const std::string prefix = m_folder + "/";
        const bool isInside = path.starts_with(prefix) && path.find('/', prefix.size()) == std::string::npos
            && isPlainLine(path) && path != prefix + "." && path != prefix + "..";
        return isInside ? path : std::string();
    }

    void readFile(const ReadFile &wish)
    {
        Result<FileStream> file = openRegularFile(fileAt(wish.path));
        std::error_code unknown;
        if (!std::filesystem::exists(fileAt(wish.path), unknown))
            return m_pipe.send(FileEnd{wish.id, 0, std::string(kMissingFile)});
        const std::uint64_t size = std::filesystem::file_size(wish.path, unknown);
        if (m_sent || !file.ok() || unknown)
            return m_pipe.send(FileEnd{wish.id, 0, file.ok() ? "it cannot be read" : file.error().text});
        m_sent = std::move(file).value();
        m_sentId = wish.id;
        m_sentSize = size;
        m_sentBytes = wish.fromByte;
        std::fseek(m_sent.get(), static_cast<long>(wish.fromByte), SEEK_SET);
    }

    void passFile()
    {
        while (m_sent && m_pipe.mayAddBulk()) {
            FileBlock block{m_sentId, m_sentBytes, std::vector<std::byte>(kMaxFileBlock)};
            block.bytes.resize(std::fread(block.bytes.data(), 1, block.bytes.size(), m_sent.get()));
            m_sentBytes += block.bytes.size();
            if (!block.bytes.empty()) {
                m_pipe.send(block);
                m_pipe.push();
                continue;
            }
            m_sent.reset();
            m_pipe.send(FileEnd{m_sentId, m_sentSize, m_sentBytes == m_sentSize ? "" : "it changed while it was read"});
        }
    }

    void writeFile(const WriteFile &wish)
    {
        const std::string path = fileAt(wish.path);
        m_taken.reset(path.empty() ? nullptr : std::fopen(path.c_str(), "wbxe"));
        m_takenBytes = 0;
        m_takenError = m_taken ? "" : "it cannot be written";
    }

    void takeBlock(const FileBlock &block)
    {
        if (!m_taken || block.fromByte != m_takenBytes)
            return;
        if (std::fwrite(block.bytes.data(), 1, block.bytes.size(), m_taken.get()) != block.bytes.size())
            m_takenError = std::strerror(errno);
        m_takenBytes += block.bytes.size();
    }

    void finishFile(const FileEnd &end)
    {
        std::FILE *const file = m_taken.release();
        if (file && std::fclose(file) != 0 && m_takenError.empty())
            m_takenError = std::strerror(errno);
        if (m_takenError.empty() && m_takenBytes != end.size)
            m_takenError = "it is not whole";
        m_pipe.send(FileEnd{end.id, m_takenBytes, m_takenError});
    }

    int outputOf(std::size_t stream) const { return stream == 0 ? m_command->output() : m_command->error(); }

    void passOutput()
    {
        for (std::size_t stream = 0; stream < m_open.size(); ++stream)
            while (m_command && m_open[stream] && m_pipe.mayAddBulk()) {
                std::vector<std::byte> bytes(kOutputBytes);
                const ssize_t count = read(outputOf(stream), bytes.data(), bytes.size());
                if (count < 0 && (errno == EAGAIN || errno == EINTR))
                    break;
                if (count <= 0) {
                    m_open[stream] = false;
                    break;
                }
                bytes.resize(static_cast<std::size_t>(count));
                m_pipe.send(CommandOutput{m_id, static_cast<CommandOutput::Stream>(stream), std::move(bytes)});
                m_pipe.push();
            }
        if (m_command && m_command->exitCode())
            tellEnd();
    }

    void tellEnd()
    {
        const auto now = std::chrono::steady_clock::now();
        if (!m_endedAt)
            m_endedAt = now;
        const bool isSilent = !m_open[0] && !m_open[1];
        if (!m_pipe.mayAddBulk() || (!isSilent && now - *m_endedAt < kOutputTime))
            return;
        m_pipe.send(CommandEnd{m_id, *m_command->exitCode(), 0, ""});
        m_command.reset();
        m_endedAt.reset();
    }

    void wait() const
    {
        const std::array<pollfd, 2> pipe = m_pipe.sources();
        const bool listens = m_command && m_pipe.mayAddBulk();
        std::array<pollfd, 4> sources{{pipe[0],
                                       pipe[1],
                                       {listens && m_open[0] ? outputOf(0) : -1, POLLIN, 0},
                                       {listens && m_open[1] ? outputOf(1) : -1, POLLIN, 0}}};
        // The end of a process has no descriptor here.
        poll(sources.data(), sources.size(), m_command && !m_open[0] && !m_open[1] ? 10 : m_command ? 100 : -1);
    }

    void endCommand()
    {
        m_command->signal(SIGTERM);
        const auto last = std::chrono::steady_clock::now() + kEndTime;
        std::array<char, 4096> lost;
        while (!m_command->waitForEnd(std::chrono::milliseconds(20)) && std::chrono::steady_clock::now() < last)
            for (std::size_t stream = 0; stream < m_open.size(); ++stream) // A full pipe would hold it up.
                while (read(outputOf(stream), lost.data(), lost.size()) > 0) {}
    }

    const std::string m_folder;
    MessagePipe m_pipe;
    std::unique_ptr<FarEnd> m_command;
    std::uint32_t m_id = 0;
    std::array<bool, 2> m_open{}; ///< Standard output and error.
    std::optional<std::chrono::steady_clock::time_point> m_endedAt;

    FileStream m_sent; ///< The file that is read, and its place.
    std::uint32_t m_sentId = 0;
    std::uint64_t m_sentSize = 0;
    std::uint64_t m_sentBytes = 0;

    FileStream m_taken; ///< The file that is written.
    std::uint64_t m_takenBytes = 0;
    std::string m_takenError;
};

} // namespace

int serveCommands()
{
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder.ok())
        return complain(folder.error(), Failed);
    CommandServer(folder.value().path()).run();
    return Good;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandserver.h"

#include "app/remote/commandfiles.h"
#include "app/remote/commandplace.h"
#include "app/remote/keptcommand.h"
#include "app/remote/messagepipe.h"
#include "core/system/temporaryfolder.h"
#include "core/time/clock.h"
#include "gpu/remote/detachedprocess.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>
#include <optional>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr int kLongestWaitMs = 1000;
constexpr int kRefusalMs = 1000;
constexpr std::size_t kLongestId = 32;
/// Two hours for a command that goes on, five minutes for one of which nothing is wanted any more.
constexpr int kAloneToRest = 24;
/// Nothing came for so long, although a laptop gives a sign of life every few seconds: that connection is gone.
constexpr std::chrono::seconds kLongestLaptopSilence{60};

Hello helloWith(const std::string &folder)
{
    Hello hello = ownHello();
    hello.features.push_back(std::string(kFolderFeature) + folder);
    return hello;
}

class CommandServer {
public:
    CommandServer(const OwnListener &listener, const std::string &folder, std::chrono::seconds longestAlone)
        : m_listener(listener), m_folder(folder), m_longestAlone(longestAlone)
    {
    }

    void run()
    {
        while (!m_isDismissed && (m_laptop || std::chrono::steady_clock::now() - m_aloneSince < longestAlone())) {
            if (wait())
                acceptLaptop();
            if (m_command)
                m_command->read();
            if (m_laptop)
                serveLaptop();
        }
        m_listener.hide();
        if (m_command)
            m_command->end();
    }

private:
    struct Laptop {
        Laptop(FileDescriptor its, SharedFolder &folder)
            : socket(std::move(its)), pipe(socket.get(), socket.get(), helloWith(folder.path())), files(folder, pipe)
        {
        }

        FileDescriptor socket;
        MessagePipe pipe;
        CommandFiles files;
        bool listens = false;     ///< To what the command prints.
        bool waitsForEnd = false; ///< The end is on its way.
    };

    /// Shorter once the laptop has all that there is.
    std::chrono::seconds longestAlone() const
    {
        return m_hasEnd && m_folder.isShared() ? m_longestAlone / kAloneToRest : m_longestAlone;
    }

    /// Whether somebody connects.
    bool wait() const
    {
        std::array<pollfd, 5> sources{
            {{m_listener.descriptor(), POLLIN, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}}};
        if (m_laptop)
            std::ranges::copy(m_laptop->pipe.sources(), sources.begin() + 1);
        if (m_command)
            std::ranges::copy(m_command->sources(), sources.begin() + 3);
        const int longest = m_command ? m_command->longestWaitMs() : -1;
        poll(sources.data(), sources.size(), longest < 0 ? kLongestWaitMs : longest);
        return sources[0].revents != 0;
    }

    void acceptLaptop()
    {
        FileDescriptor socket = m_listener.accept();
        if (socket.isOpen())
            m_laptop = std::make_unique<Laptop>(std::move(socket), m_folder);
    }

    void serveLaptop()
    {
        MessagePipe &pipe = m_laptop->pipe;
        pipe.work();
        while (const std::optional<Message> message = pipe.next())
            take(*message);
        pipe.push(); // What waited for credit, before more is added.
        if (m_laptop->listens)
            passOutput();
        m_laptop->files.pass();
        pipe.push();
        if (m_laptop->waitsForEnd && pipe.mayAddBulk()) { // Behind the end.
            m_laptop->waitsForEnd = false;
            pipe.send(Ping{nowNs()});
            pipe.push();
        }
        m_hasEnd = m_hasEnd || pipe.isAnswered();
        if (!pipe.isOver() && pipe.silence() < kLongestLaptopSilence)
            return;
        m_isDismissed = pipe.farGoodbye().has_value();
        m_laptop.reset();
        m_aloneSince = std::chrono::steady_clock::now();
    }

    void take(const Message &message)
    {
        CommandFiles &files = m_laptop->files;
        takeOf<RunCommand>(message, [this](const RunCommand &wish) { start(wish); });
        takeOf<CommandSignal>(message, [this](const CommandSignal &wish) {
            if (m_command && wish.id == m_command->id())
                m_command->signal(wish.signal);
        });
        takeOf<ReadFile>(message, [&](const ReadFile &wish) { files.read(wish); });
        takeOf<WriteFile>(message, [&](const WriteFile &wish) { files.write(wish); });
        takeOf<FileBlock>(message, [&](const FileBlock &block) { files.take(block); });
        takeOf<FileEnd>(message, [&](const FileEnd &end) { files.finish(end); });
    }
    template <class T, class Use>
    static void takeOf(const Message &message, Use use)
    {
        if (message.kind != T::kKind)
            return;
        if (const std::optional<T> content = contentOf<T>(message))
            use(*content);
    }

    void start(const RunCommand &wish)
    {
        if (m_command)
            return goOn(wish);
        Result<std::unique_ptr<KeptCommand>> started = KeptCommand::start(wish);
        if (!started.ok())
            return m_laptop->pipe.send(CommandEnd{wish.id, 0, 0, started.error().text});
        m_command = std::move(started).value();
        m_laptop->listens = true;
    }

    void goOn(const RunCommand &wish)
    {
        if (wish.id != m_command->id())
            return m_laptop->pipe.send(CommandEnd{wish.id, 0, 0, "another command runs"});
        m_laptop->listens = m_command->goBackTo(wish.taken);
        if (!m_laptop->listens)
            m_laptop->pipe.send(CommandEnd{wish.id, 0, 0, "what it printed meanwhile is not kept any more"});
    }

    void passOutput()
    {
        MessagePipe &pipe = m_laptop->pipe;
        while (pipe.mayAddBulk()) {
            const std::optional<CommandOutput> part = m_command->next();
            if (!part)
                break;
            pipe.send(*part);
            pipe.push();
        }
        if (!pipe.mayAddBulk() || !m_command->exitCode())
            return;
        pipe.send(CommandEnd{m_command->id(), *m_command->exitCode(), 0, ""});
        m_laptop->listens = false;
        m_laptop->waitsForEnd = true;
    }

    const OwnListener &m_listener;
    SharedFolder m_folder;
    const std::chrono::seconds m_longestAlone;
    std::unique_ptr<Laptop> m_laptop; ///< Null: it is away.
    std::chrono::steady_clock::time_point m_aloneSince = std::chrono::steady_clock::now();
    bool m_isDismissed = false;
    bool m_hasEnd = false;                  ///< The laptop has that of the command.
    std::unique_ptr<KeptCommand> m_command; ///< Null before it was started.
};

} // namespace

Result<std::string> commandSocketPath(const std::string &id)
{
    if (id.empty() || id.size() > kLongestId || id.find_first_not_of("0123456789abcdef") != std::string::npos)
        return sentence("the id of a command is at most " + std::to_string(kLongestId) + " digits of 0 to f");
    return ownSocketPath(CommandPlace::kPrefix + id);
}

Status runCommandServer(const std::string &path, std::chrono::seconds longestAlone)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    JETSCOPE_TRY_ASSIGN(const CommandPlace place, CommandPlace::take(path));
    JETSCOPE_TRY_ASSIGN(const OwnListener listener, OwnListener::at(path));
    JETSCOPE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create());
    CommandServer(listener, folder.path(), longestAlone).run();
    return {};
}

void refuseCommand()
{
    MessagePipe pipe(STDIN_FILENO, STDOUT_FILENO, ownHello());
    pipe.close(kRefusalMs, "the command is not there any more: give it again");
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivaprocess.h"

#include "core/system/module.h"
#include "gpu/stages/stagetrial.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookForChild{20};

} // namespace

NvivaTools &nvivaTools()
{
    static NvivaTools tools;
    return tools;
}

Result<std::string> findNvivaStandIns()
{
    constexpr const char *kFile = "libjetscope-nviva.so";
    const std::string path = nvivaTools().standIns.empty() ? findOwnLibrary(kFile) : nvivaTools().standIns;
    if (path.empty())
        return sentence(std::string(kFile) + " is missing; install Jetscope again");
    return path;
}

Result<std::unique_ptr<NvivaProcess>> NvivaProcess::start(const NvivaWords &words)
{
    const int memory = memfd_create("jetscope-nviva", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, kNvivaFrameOffset) != 0)
        return Error{"memfd_create", errno, std::strerror(errno)};
    std::unique_ptr<NvivaProcess> process(
        new NvivaProcess(memory, std::filesystem::path(words.library).filename().string()));
    if (!process->m_shared.map(memory, kNvivaFrameOffset))
        return Error{"mmap", errno, std::strerror(errno)};
    auto *const board = new (process->m_shared.memory()) NvivaBoard;
    board->asked = 1;
    std::vector<std::string> command = nvivaCommand(words);
    if (command.empty())
        return sentence("this program runs no nvivafilter libraries");
    JETSCOPE_TRY_ASSIGN(process->m_child, ChildProcess::start(command, memory));
    JETSCOPE_TRY(process->waitForAnswer(1));
    return process;
}

NvivaProcess::~NvivaProcess()
{
    m_child.reset();
    m_shared.unmap();
    close(m_memory);
}

Status NvivaProcess::resize(int width, int height)
{
    const std::size_t bytes = static_cast<std::size_t>(width) * 4 * static_cast<std::size_t>(height);
    if (ftruncate(m_memory, static_cast<off_t>(kNvivaFrameOffset + bytes)) != 0
        || !m_shared.map(m_memory, kNvivaFrameOffset + bytes))
        return Error{"mmap", errno, std::strerror(errno)};
    NvivaBoard &board = m_shared.board();
    board.width = width;
    board.height = height;
    board.bytes = m_shared.bytes();
    return {};
}

Result<const NvivaWork *> NvivaProcess::run()
{
    NvivaBoard &board = m_shared.board();
    board.asked.store(++m_requests, std::memory_order_release);
    wakeOther(board.asked);
    JETSCOPE_TRY(waitForAnswer(m_requests));
    return &board.work;
}

Status NvivaProcess::waitForAnswer(std::uint32_t request)
{
    const NvivaBoard &board = m_shared.board();
    const auto deadline = std::chrono::steady_clock::now() + nvivaTools().timeout;
    const std::string called = "the library \"" + m_name + "\" ";
    for (;;) {
        const std::uint32_t answered = board.answered.load(std::memory_order_acquire);
        if (answered == request)
            break;
        waitForChange(board.answered, answered, kLookForChild);
        if (m_child->hasEnded() && board.answered.load(std::memory_order_acquire) == answered)
            return sentence(called
                            + (m_child->exited() ? "ended its process"
                                                 : "crashed (" + std::string(strsignal(m_child->signal())) + ")"));
        if (std::chrono::steady_clock::now() >= deadline) {
            m_child->kill();
            return sentence(called + "did not return within " + std::to_string(nvivaTools().timeout.count()) + " ms");
        }
    }
    const std::string trouble = board.troubleText();
    return trouble.empty() ? Status() : sentence(called + "cannot be used: " + trouble);
}

} // namespace jetscope

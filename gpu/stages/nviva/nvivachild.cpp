// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivachild.h"

#include "core/result.h"
#include "core/time/clock.h"
#include "gpu/stages/nviva/nvivaabi.h"
#include "gpu/stages/nviva/nvivaboard.h"
#include "gpu/stages/nviva/nvivaframe.h"

#include <filesystem>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookForParent{500};
constexpr unsigned kMaxFrameSeconds = 60; ///< In case Jetscope is gone and cannot kill this process.

/// The functions of a library; it stays loaded.
Result<nviva_functions> functionsOf(const std::string &library, const std::string &standIns,
                                    const nviva_stand_ins &functions)
{
    void *const before = dlopen(standIns.c_str(), RTLD_NOW | RTLD_GLOBAL);
    const auto use =
        before ? reinterpret_cast<decltype(&jetscope_nviva_use)>(dlsym(before, "jetscope_nviva_use")) : nullptr;
    if (!use)
        return sentence("libjetscope-nviva.so cannot be loaded; install Jetscope again");
    use(&functions);
    void *const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        const char *const text = dlerror();
        return sentence(std::string("it cannot be loaded: ") + (text ? text : "no reason is known"));
    }
    const auto init = reinterpret_cast<void (*)(nviva_functions *)>(dlsym(loaded, "init"));
    if (!init)
        return sentence("it exports no function init, as libraries for nvivafilter do");
    nviva_functions made{};
    init(&made);
    if (!made.gpu && !made.pre && !made.post)
        return sentence("its init gives no function to call");
    return made;
}

/// Times a part of the work.
template <class Call>
void timed(NvivaWork::Part &part, const Call &call)
{
    part.fromNs = nowNs();
    call();
    part.untilNs = nowNs();
}

/// The library at work on the frames of the board.
class NvivaWorker {
public:
    NvivaWorker(const NvivaWords &words, const nviva_functions &functions) : m_functions(functions)
    {
        const auto isWanted = [&](char part) { return words.parts.find(part) != std::string::npos; };
        m_functions.gpu = isWanted('g') ? functions.gpu : nullptr;
        m_functions.pre = isWanted('b') ? functions.pre : nullptr;
        m_functions.post = isWanted('p') ? functions.post : nullptr;
    }

    Status run(NvivaMapping &shared)
    {
        NvivaBoard &board = shared.board();
        if (!m_functions.gpu && !m_functions.pre && !m_functions.post)
            return sentence("none of the functions that it has is to be called");
        NvivaFrame &frame = NvivaFrame::get();
        JETSCOPE_TRY(frame.resize(board.width, board.height));
        m_work = {};
        frame.begin(m_work);
        board.byEglImage = frame.isByEglImage() ? 1 : 0;
        callOnCpu(m_functions.pre, m_work.pre, shared);
        if (m_functions.gpu)
            JETSCOPE_TRY(callOnGpu(shared));
        callOnCpu(m_functions.post, m_work.post, shared);
        board.work = m_work;
        return {};
    }

private:
    void callOnCpu(nviva_cpu_process process, NvivaWork::Part &part, NvivaMapping &shared)
    {
        if (!process)
            return;
        const NvivaBoard &board = shared.board();
        void *plane = shared.frame();
        auto width = static_cast<unsigned>(board.width);
        auto height = static_cast<unsigned>(board.height);
        unsigned pitch = width * 4;
        unsigned bytes = pitch * height;
        nviva_format format = NVIVA_RGBA;
        timed(part, [&] { process(&plane, &bytes, &width, &height, &pitch, &format, 1, &m_user); });
    }

    Status callOnGpu(NvivaMapping &shared)
    {
        NvivaFrame &frame = NvivaFrame::get();
        Status copied;
        timed(m_work.copies[0], [&] { copied = frame.copy(shared.frame(), true); });
        JETSCOPE_TRY(copied);
        timed(m_work.gpu, [&] { m_functions.gpu(frame.image(), &m_user); });
        if (m_work.registrations == 0)
            return sentence("it did not ask for the frame by cuGraphicsEGLRegisterImage, which is the only way that "
                            "Jetscope gives it one");
        if (frame.isRegistered())
            return sentence("it did not give the frame back by cuGraphicsUnregisterResource");
        timed(m_work.copies[1], [&] { copied = frame.copy(shared.frame(), false); });
        return copied;
    }

    nviva_functions m_functions;
    NvivaWork m_work; ///< A library may have threads of its own, which call while the board is mapped anew.
    void *m_user = nullptr;
};

/// The answer to the first request is that the library is loaded.
Result<NvivaWorker> startWorker(const NvivaWords &words)
{
    JETSCOPE_TRY(NvivaFrame::get().openDevice(words));
    JETSCOPE_TRY_ASSIGN(const nviva_functions functions,
                        functionsOf(words.library, words.standIns, NvivaFrame::standIns()));
    return NvivaWorker(words, functions);
}

/// What a library prints goes nowhere, and a crash needs no core dump.
void becomeQuiet()
{
    const rlimit noCore{1, 1};
    setrlimit(RLIMIT_CORE, &noCore);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

void answer(NvivaBoard &board, std::uint32_t request, const Status &status)
{
    board.setTrouble(status.ok() ? "" : status.error().message());
    board.answered.store(request, std::memory_order_release);
    wakeOther(board.answered);
}

} // namespace

std::string trialOfNviva(const std::string &library, const std::string &standIns)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(library, error))
        return "there is no file \"" + library + "\"";
    const Result<nviva_functions> functions = functionsOf(library, standIns, NvivaFrame::standIns());
    return functions.ok() ? std::string() : functions.error().text;
}

int nvivaMain(const NvivaWords &words)
{
    becomeQuiet();
    NvivaMapping shared;
    if (!shared.map(kNvivaDescriptor, kNvivaFrameOffset))
        return 1;
    const pid_t parent = getppid();
    alarm(kMaxFrameSeconds);
    Result<NvivaWorker> worker = startWorker(words);
    std::uint32_t done = 1;
    answer(shared.board(), done, worker.ok() ? Status() : worker.error());
    alarm(0);
    while (worker.ok() && getppid() == parent) {
        waitForChange(shared.board().asked, done, kLookForParent);
        const std::uint32_t request = shared.board().asked.load(std::memory_order_acquire);
        if (request == done)
            continue;
        alarm(kMaxFrameSeconds);
        const std::size_t bytes = shared.board().bytes;
        if (bytes != shared.bytes()) {
            NvivaFrame::get().unpin();
            if (!shared.map(kNvivaDescriptor, bytes))
                return 1;
            NvivaFrame::get().pin(shared);
        }
        answer(shared.board(), request, worker.value().run(shared));
        alarm(0);
        done = request;
    }
    _exit(0); // What the library does when it is unloaded is not waited for.
}

} // namespace jetscope

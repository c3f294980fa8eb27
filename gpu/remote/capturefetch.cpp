// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturefetch.h"

#include "core/progress.h"
#include "core/system/newfile.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <filesystem>
#include <sys/statvfs.h>

namespace jetscope {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{100};
constexpr milliseconds kTellEvery{50};
constexpr std::chrono::seconds kRateOver{3};
constexpr int kMostRefusals = 3;

/// What a board says, on one line.
std::string saidBy(const std::string &text)
{
    return isPlainLine(text) && text.size() < 1000 ? text : "its answer is not understood";
}

std::string megabytes(std::uint64_t bytes)
{
    return std::to_string(bytes / 1'000'000) + " MB";
}

/// Blocks for an inbox that nobody looks into any more hold nobody up.
class Opened {
public:
    Opened(BoardLink &board, std::shared_ptr<FileInbox> inbox) : m_board(board), m_inbox(std::move(inbox)) {}
    ~Opened() { m_board.closeFile(*m_inbox); }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;

private:
    BoardLink &m_board;
    const std::shared_ptr<FileInbox> m_inbox;
};

} // namespace

CaptureFetch::CaptureFetch(BoardLink &board, std::string name, std::string path, const FetchWatch &watch)
    : m_board(board), m_name(std::move(name)), m_path(std::move(path)), m_watch(watch)
{
}

Status CaptureFetch::run()
{
    if (!isCaptureName(m_name))
        return noSuchCapture(m_name);
    for (;;) {
        // Also while it comes, another program may have taken the name.
        JETSCOPE_TRY(checkNewFile(m_path));
        JETSCOPE_TRY(checkNothingBeside(m_path));
        JETSCOPE_TRY(waitForBoard());
        JETSCOPE_TRY_ASSIGN(const std::optional<BoardCapture> capture, look());
        if (!capture)
            continue;
        JETSCOPE_TRY(openPart(*capture));
        JETSCOPE_TRY_ASSIGN(const bool isWhole, bring(*capture));
        if (isWhole)
            return {};
    }
}

Status CaptureFetch::waitForBoard()
{
    m_marks.clear();
    while (!m_board.waitUntilConnected(kLook))
        if (!tell(FetchProgress::Step::Away, m_board.state().away))
            return cancelledError();
    return {};
}

/// None if the connection was cut.
Result<std::optional<BoardCapture>> CaptureFetch::look()
{
    Ask ask;
    ask.question = Ask::Question::Captures;
    const std::uint32_t cuts = m_board.state().cuts;
    Result<Answer> answer = m_board.ask(std::move(ask));
    if (!answer.ok()) {
        const RemoteState state = m_board.state();
        if (state.cuts != cuts || !state.isConnected)
            return std::optional<BoardCapture>();
        return answer.error();
    }
    for (const BoardCapture &capture : answer.value().captures.captures)
        if (capture.name == m_name) {
            if (capture.grows)
                return sentence(m_name + " is still being recorded: end the recording first, then fetch it");
            if (!capture.trouble.empty())
                return sentence(m_name + " cannot be fetched: " + saidBy(capture.trouble));
            return std::optional(capture);
        }
    return noSuchCapture(m_name);
}

Status CaptureFetch::openPart(const BoardCapture &capture)
{
    m_size = capture.bytes;
    if (!m_file || m_version != capture.version) {
        const bool hadOther = m_file.has_value();
        m_file.reset();
        JETSCOPE_TRY_ASSIGN(ResumedFile file, ResumedFile::open(m_path, capture.version, [this](std::uint64_t bytes) {
                                return m_watch({FetchProgress::Step::Checking, bytes, m_size, 0, {}, {}});
                            }));
        if (hadOther || file.hasReplaced())
            say(m_name + " changed on the board: it is fetched from its beginning");
        else if (file.size() > 0)
            say("goes on behind the " + megabytes(file.size()) + " that are here already");
        m_file.emplace(std::move(file));
        m_version = capture.version;
    }
    if (m_file->size() > m_size)
        JETSCOPE_TRY(m_file->clear());
    return checkRoom(m_size - m_file->size());
}

Status CaptureFetch::checkRoom(std::uint64_t bytes) const
{
    const std::filesystem::path folder = std::filesystem::path(m_path).parent_path();
    struct statvfs disk {};
    if (::statvfs(folder.empty() ? "." : folder.c_str(), &disk) != 0)
        return {};
    const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (free >= bytes)
        return {};
    return sentence(m_path + " has too little room on this machine: " + megabytes(bytes) + " are to come, "
                    + megabytes(free) + " are free; free some space, or take another disk");
}

/// False: it must be looked at again, because the connection was cut or the file is another one.
Result<bool> CaptureFetch::bring(const BoardCapture &capture)
{
    const std::shared_ptr<FileInbox> inbox = m_board.readFile(m_name, m_version, m_file->size());
    if (!inbox)
        return false;
    const Opened opened(m_board, inbox);
    for (;;) {
        const FileInbox::Taken taken = inbox->take(kLook);
        if (taken.bytes.size() > m_size - m_file->size())
            return sentence("the board sent more of " + m_name + " than there is");
        JETSCOPE_TRY(m_file->append(taken.bytes));
        if (taken.end)
            return finish(*taken.end, capture);
        if (taken.isCut)
            return false;
        m_refusals = taken.bytes.empty() ? m_refusals : 0;
        if (!tell(m_file->size() == m_size ? FetchProgress::Step::Checking : FetchProgress::Step::Coming))
            return cancelledError();
    }
}

Result<bool> CaptureFetch::finish(const FileEnd &end, const BoardCapture &capture)
{
    if (!end.error.empty()) {
        if (++m_refusals >= kMostRefusals)
            return sentence(m_name + " could not be fetched: " + saidBy(end.error));
        return false;
    }
    if (end.size != capture.bytes || m_file->size() != end.size)
        return sentence("the board did not send all of " + m_name);
    if (end.sum == m_file->sum()) {
        JETSCOPE_TRY(m_file->publish());
        return true;
    }
    JETSCOPE_TRY(m_file->clear());
    if (++m_differences > 1)
        return sentence(m_name + " came twice with another checksum than it has on the board: check both disks");
    say("what came of " + m_name + " is not what lies on the board: it is fetched from its beginning");
    return false;
}

/// False: cancelled.
bool CaptureFetch::tell(FetchProgress::Step step, milliseconds away)
{
    const Clock::time_point now = Clock::now();
    if (now - m_toldAt < kTellEvery && m_said.empty())
        return true;
    m_toldAt = now;
    return m_watch({step, m_file ? m_file->size() : 0, m_size, step == FetchProgress::Step::Coming ? rate() : 0, away,
                    std::exchange(m_said, {})});
}

double CaptureFetch::rate()
{
    const Clock::time_point now = Clock::now();
    m_marks.emplace_back(now, m_file->size());
    while (m_marks.size() > 2 && now - m_marks.front().first > kRateOver)
        m_marks.pop_front();
    const double seconds = std::chrono::duration<double>(now - m_marks.front().first).count();
    const std::uint64_t bytes = m_file->size() - std::min(m_file->size(), m_marks.front().second);
    return seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
}

} // namespace jetscope

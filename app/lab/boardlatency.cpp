// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/labcommands.h"

#include "app/commandline/commandline.h"
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/progressline.h"
#include "app/lab/boardclock.h"
#include "app/lab/boardlines.h"
#include "app/lab/latencylimit.h"
#include "app/lab/latencyoutput.h"
#include "app/remote/boardrun.h"
#include "app/remote/boardtop.h"
#include "app/window.h"
#include "core/lab/sightingline.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/lab/latencyfeed.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <poll.h>

namespace jetscope {

namespace {

constexpr std::size_t kMostStamps = 1000;
constexpr int kLookAtWindowMs = 50;

/// Puts together what a board tells of its frames and what this machine's clock showed, all by the clock of this one.
class BoardFrames {
public:
    explicit BoardFrames(std::shared_ptr<const ShownTimes> clock) : m_meter(std::move(clock)) {}

    /// Takes what came from the board. Lines that it prints while its clock is not known are left out.
    void work(BoardCommand &command)
    {
        m_lines.work(command, [&](std::string_view line) { takeLine(line, command.clock()); });
    }

    LatencyReport report(const std::string &board) const
    {
        LatencyReport report;
        report.device = m_device;
        report.source = m_source;
        report.counts = m_meter.counts();
        report.figures = m_meter.figures();
        report.trouble = m_trouble;
        report.isMirrored = m_isMirrored;
        report.board = board;
        report.clockBoundMs = static_cast<double>(m_boundNs) / 1e6;
        if (report.figures)
            report.figures->boundMs += *report.clockBoundMs;
        return report;
    }
    const LatencyMeter &meter() const { return m_meter; }

private:
    void takeLine(std::string_view line, const std::optional<ClockOffset> &clock)
    {
        const auto word = [&](std::string_view head, std::string &to) {
            if (line.starts_with(head))
                to = cleanLine(line.substr(head.size()));
        };
        word("device ", m_device);
        word("source ", m_source);
        word("trouble ", m_trouble);
        m_isMirrored = m_isMirrored || line == "mirrored";
        if (!clock)
            return;
        if (std::optional<FrameSighting> sighting = sightingIn(line)) {
            sighting->stampNs = clock->hereNs(sighting->stampNs);
            sighting->arrivedNs = clock->hereNs(sighting->arrivedNs);
            if (isYetToCome(sighting->arrivedNs, *clock))
                return;
            m_boundNs = std::max(m_boundNs, clock->boundNs);
            m_meter.add(*sighting);
            m_stamps.emplace_back(sighting->number, sighting->stampNs);
            if (m_stamps.size() > kMostStamps)
                m_stamps.pop_front();
        } else if (std::optional<FinishedFrame> frame = finishedIn(line)) {
            const auto seen = std::find_if(m_stamps.rbegin(), m_stamps.rend(),
                                           [&](const auto &each) { return each.first == frame->number; });
            if (seen == m_stamps.rend())
                return;
            frame->startNs = clock->hereNs(frame->startNs);
            frame->completeNs = clock->hereNs(frame->completeNs);
            if (isYetToCome(frame->completeNs, *clock))
                return;
            m_meter.add(figuresOf(*frame, seen->second), frame->number);
        }
    }
    /// This machine has slept, and the offset of the clocks is that of before.
    static bool isYetToCome(std::int64_t hereNs, const ClockOffset &clock) { return hereNs > nowNs() + clock.boundNs; }
    /// What a board says of itself is shown in a line.
    static std::string cleanLine(std::string_view text)
    {
        std::string clean(text.substr(0, 200));
        std::replace_if(
            clean.begin(), clean.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
        return clean;
    }

    LatencyMeter m_meter;
    BoardLines m_lines;
    std::deque<std::pair<std::uint64_t, std::int64_t>> m_stamps; ///< Of the latest frames, by number.
    std::int64_t m_boundNs = 0;
    std::string m_device;
    std::string m_source;
    std::string m_trouble;
    bool m_isMirrored = false;
};

/// The command's exit code there, or why there is none.
Result<int> follow(BoardCommand &command, BoardFrames &frames, const Options &options, const Interrupt &interrupt,
                   const std::atomic<bool> &left)
{
    ProgressLine progress;
    const LatencyLimit limit(options);
    for (bool isInterrupted = false; !command.end();) {
        frames.work(command);
        if (command.end())
            break;
        if ((interrupt.requested() || left) && !std::exchange(isInterrupted, true))
            command.interrupt();
        const LatencyCounts &counts = frames.meter().counts();
        progress.show(limit.progress(counts.frames),
                      counted(counts.frames, "frame") + ", " + std::to_string(counts.known()) + " read", nowNs());
        std::array<pollfd, 3> sources = command.sources();
        poll(sources.data(), sources.size(), kLookAtWindowMs);
    }
    return *command.end();
}

int measureOnBoard(const Options &options, const std::vector<std::string> &words,
                   const std::shared_ptr<const ShownTimes> &clock, const std::atomic<bool> &left)
{
    const BoardAddress &board = options.hosts.front();
    const Interrupt interrupt;
    CommandPlan plan;
    for (const std::string &word : words)
        plan.arguments.push_back({word, -1});
    plan.arguments.insert(plan.arguments.begin() + 1, {"--sightings", -1}); // Behind "--" are no options.
    Result<std::unique_ptr<BoardCommand>> command =
        startOnBoard(board, std::move(plan), interrupt,
                     [&](const BoardCommand::Absence &) { return !interrupt.requested() && !left; });
    if (!command.ok())
        return complain(command.error(), Failed);
    BoardFrames frames(clock);
    const Result<int> ended = follow(*command.value(), frames, options, interrupt, left);
    command.value().reset();
    if (!ended.ok())
        return complain(ended.error(), Failed);
    const LatencyReport report = frames.report(board.name());
    if (ended.value() != Good && report.counts.frames == 0)
        return ended.value(); // It has said why.
    if (!report.figures)
        complain("no latency was measured: " + latencyVerdict(report));
    return finishWith(options.json ? jsonLine(latencyJson(report)) : latencyText(report),
                      report.figures ? Good : Failed);
}

} // namespace

int labLatencyOnBoard(int argc, char **argv, const Options &options)
{
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const Result<std::vector<GivenWord>> forBoard = wordsForBoard(words);
    if (!forBoard.ok())
        return complain(forBoard.error(), WrongUsage);
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    for (const GivenWord &word : forBoard.value()) {
        if (word.file)
            return complain(sentence("lab latency with --host writes no file: leave out " + quotedWords(word.text)),
                            WrongUsage);
        views.push_back(word.text);
        if (word.text != "--json" && word.text != "--progress")
            texts.push_back(word.text);
    }
    // With a host the values of options were not read.
    Result<Options> parsed = parseCommandLine(views);
    if (!parsed.ok())
        return complain(parsed.error(), WrongUsage);
    parsed.value().hosts = options.hosts;
    if (parsed.value().boardClock)
        return labLatencyOfBoardClock(parsed.value());
    // That clock is where its source is.
    if (ownClockOf(parsed.value().source.value_or("pattern:")))
        return runOnBoards(options, words);
    return showClock(argc, argv, [&](const std::shared_ptr<ShownLog> &log, const std::atomic<bool> &left) {
        return measureOnBoard(parsed.value(), texts, log, left);
    });
}

} // namespace jetscope

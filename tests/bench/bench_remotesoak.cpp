// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/figures/tracecost.h"
#include "core/stream/latespansource.h"
#include "tests/support/startserve.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

// bench_remotesoak PROGRAM LINKPROXY [SECONDS [CUT-SECONDS]] : `PROGRAM serve` records, and a laptop looks on over a
// link of 2 Mbit/s and 40 ms that is cut again and again. Fails if a frame, a span or an update is missing on the
// laptop or in the capture, or memory grows on either end.

using namespace jetscope;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint32_t kFramesPerSecond = 60;
constexpr Interval kAlways{-(std::int64_t{1} << 60), std::int64_t{1} << 60};

double residentMb(std::int64_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
    double all = 0;
    double resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

[[noreturn]] void fail(const std::string &text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
    std::_Exit(1);
}

template <class T>
T valueOf(Result<T> result)
{
    if (!result.ok())
        fail(result.error().message());
    return std::move(result).value();
}

/// A board of its own: a home that is removed.
class BoardHome {
public:
    ~BoardHome()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    std::string shell() const
    {
        return "export HOME=\"" + m_path + "\"; unset XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR; ";
    }

private:
    static std::string make()
    {
        std::string path = (std::filesystem::temp_directory_path() / "remotesoak-XXXXXX").string();
        return mkdtemp(path.data()) ? path : "";
    }
    const std::string m_path = make();
};

/// The spans of each frame, by their number.
using SpansOfFrames = std::vector<std::uint32_t>;

void count(SpansOfFrames &counts, std::uint32_t frame)
{
    if (frame < counts.size())
        ++counts[frame];
}

/// What the laptop has taken.
struct Seen {
    /// Its memory is all in use from the beginning.
    explicit Seen(std::chrono::seconds length)
        : spans(static_cast<std::size_t>(length.count() + 120) * kFramesPerSecond, 0)
    {
    }

    void take(const PipelineUpdate &update)
    {
        for (const FrameFigures &frame : update.figures) {
            for (std::uint32_t absent = last + 1; frames > 0 && absent < frame.frame; ++absent)
                gaps += TraceCostMeter::isWhole(absent) ? 1 : 0;
            last = frame.frame;
            ++frames;
        }
        take(update.spans);
        gaps += update.spansLost;
    }
    void take(const std::vector<Span> &some)
    {
        for (const Span &span : some)
            count(spans, span.frame);
        spanCount += some.size();
    }

    SpansOfFrames spans;
    std::uint64_t spanCount = 0;
    std::uint64_t frames = 0;
    std::uint64_t gaps = 0;
    std::uint32_t last = 0;
};

struct Compared {
    std::uint64_t frames = 0; ///< Of the capture, without those at its ends, which it may have in part.
    std::uint64_t others = 0; ///< Frames whose spans are not those that the laptop has.
};

Compared compare(const std::string &path, const Seen &seen)
{
    NoOpenProgress nobody;
    const OpenedTrace opened = valueOf(openTrace(path, nobody, std::uint64_t{1} << 32));
    SpansOfFrames recorded(seen.spans.size(), 0);
    for (const SpanTrack &track : opened.trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            count(recorded, track.at(i).frame);
    const FrameTable &frames = opened.trace.frames();
    if (frames.endIndex() - frames.firstIndex() < 8)
        fail("the capture is empty");
    Compared compared;
    const std::uint32_t end = frames.at(frames.endIndex() - 1).frame - 3;
    for (std::uint32_t frame = frames.at(frames.firstIndex()).frame + 4; frame < end; ++frame) {
        const bool isWhole = TraceCostMeter::isWhole(frame);
        compared.others += recorded[frame] != seen.spans[frame] || (isWhole && recorded[frame] == 0) ? 1 : 0;
        ++compared.frames;
    }
    return compared;
}

class Soak {
public:
    Soak(RemoteHost &host, PipelineControl &control, Seen &seen) : m_host(host), m_control(control), m_seen(seen) {}

    void runFor(std::chrono::seconds length)
    {
        const std::int64_t server = m_host.state().board.pid;
        for (const auto start = Clock::now(); Clock::now() - start < length;) {
            take();
            if (hereMb == 0 && Clock::now() - start > length / 4) {
                hereMb = residentMb(getpid());
                thereMb = residentMb(server);
            }
        }
        hereNowMb = residentMb(getpid());
        thereNowMb = residentMb(server);
    }

    /// What the link did not carry comes when nothing else does.
    bool fill()
    {
        m_control.setPaused(true);
        for (const auto giveUp = Clock::now() + 120s; Clock::now() < giveUp;) {
            take();
            const bool isPaused = m_control.status().state == PipelineState::Paused;
            if (isPaused && withoutSpans() == 0 && m_host.state().isConnected)
                return true;
        }
        return false;
    }

    /// The capture's path on the board.
    std::string stopRecording()
    {
        while (!m_host.stopRecording().ok()) // The link may be cut just now.
            take();
        lost = m_host.state().recording.lost;
        const CaptureList list = valueOf(m_host.captures());
        return list.captures.empty() ? std::string() : list.folder + "/" + list.captures.front().name;
    }

    double hereMb = 0; ///< After a quarter; the board's below.
    double thereMb = 0;
    double hereNowMb = 0;
    double thereNowMb = 0;
    std::uint64_t mostWithoutSpans = 0;
    std::uint64_t lost = 0; ///< By the recording.

private:
    void take()
    {
        std::this_thread::sleep_for(33ms);
        m_seen.take(m_control.drainUpdates());
        m_control.missing()->wantMissing(kAlways, 0);
        m_seen.take(m_control.missing()->takeMissing());
        mostWithoutSpans = std::max(mostWithoutSpans, withoutSpans());
    }
    std::uint64_t withoutSpans() const
    {
        return m_host.state().notSent.messages[static_cast<std::size_t>(MessageClass::Spans)];
    }

    RemoteHost &m_host;
    PipelineControl &m_control;
    Seen &m_seen;
};

unsigned long long wide(std::uint64_t value)
{
    return value;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        fail("bench_remotesoak PROGRAM LINKPROXY [SECONDS [CUT-SECONDS]]");
    const std::chrono::seconds length(argc > 3 ? std::atoi(argv[3]) : 1800);
    const int cutEvery = argc > 4 ? std::atoi(argv[4]) : 60;
    const BoardHome home;
    const std::string command = home.shell() + "exec \"" + argv[2] + "\" --delay 20 --bits 2000000 --cut-ms "
        + std::to_string(cutEvery * 1000) + " -- \"" + argv[1] + "\" serve --alone 60";
    const auto host = valueOf(RemoteHost::connect([&] { return testing::startCommand(command); }));
    SessionRequest request;
    request.source = "synthetic:?size=1280x720&fps=" + std::to_string(kFramesPerSecond);
    request.deviceId = "soft:orin";
    const auto control = valueOf(host->open(request));
    if (const Status started = host->startRecording("soak"); !started.ok())
        fail(started.error().message());
    Seen seen(length);
    Soak soak(*host, *control, seen);
    soak.runFor(length);
    const bool isFilled = soak.fill();
    const std::string path = soak.stopRecording();
    const RemoteState state = host->state();
    const Compared compared = compare(path, seen);
    std::printf(
        "laptop: %llu frames, %llu spans, %u cuts; missing: %llu frames, %llu updates; at most %llu updates without "
        "spans, in the end %s\n",
        wide(seen.frames), wide(seen.spanCount), state.cuts, wide(seen.gaps), wide(state.missedUpdates),
        wide(soak.mostWithoutSpans), isFilled ? "none" : "some");
    std::printf("capture: %llu frames, of which %llu have other spans than on the laptop; %llu values lost\n",
                wide(compared.frames), wide(compared.others), wide(soak.lost));
    std::printf("memory after a quarter and at the end: laptop %.1f and %.1f MB, board %.1f and %.1f MB\n", soak.hereMb,
                soak.hereNowMb, soak.thereMb, soak.thereNowMb);
    // The board keeps up to 32 MiB of the past, which may not be full after a quarter.
    const bool isFlat = soak.hereNowMb < soak.hereMb * 1.2 + 4 && soak.thereNowMb < soak.thereMb * 1.2 + 40;
    const bool isWhole = seen.gaps == 0 && state.missedUpdates == 0 && isFilled && compared.others == 0
        && compared.frames > 0 && soak.lost == 0;
    return isWhole && state.cuts > 0 && isFlat ? 0 : 1;
}

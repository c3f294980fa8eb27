// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/settingslist.h"
#include "core/attach/model/framewish.h"
#include "core/measure/sweep/sweepplan.h"
#include "core/measure/sweep/sweepresult.h"
#include "core/remote/reach/boardaddress.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

struct Scene;

/// Default source of every command without a window.
inline constexpr const char *kDefaultRunSource = "synthetic:?size=1280x720";
/// Default frame limit of `run`, because most sources are endless.
inline constexpr std::uint64_t kDefaultRunFrames = 300;

enum class Command {
    Window,
    Run,
    Sweep,
    Tune,
    Probe,
    Experiment,
    Compare,
    Report,
    Convert,
    Query,
    Doctor,
    Verify,
    Rules,
    Top,
    Attach,
    Captures,
    Serve,
    Fleet,
    Baseline,
    Lab
};

/// --at FRAME key=value,…: settings that change when that frame begins.
struct SettingsAt {
    std::uint32_t frame = 0;
    GivenSettings settings;
    std::optional<std::size_t> camera{}; ///< Which of several sources drives the pipeline from then on, from 0.
};

/// The options of `sweep` and `tune` that other commands do not have.
struct SweepOptions {
    SweepChoices choices;
    bool givesOther = false; ///< A list other than --filters was given.
    GivenSettings from;      ///< Of `tune`: the present choices.
    std::optional<std::string> outPath;
    bool resume = false;
    bool paced = false;
    bool progress = false; ///< JSON lines while it measures.
    std::optional<std::uint64_t> rounds;
    std::optional<std::uint64_t> seconds;
    std::optional<std::uint64_t> seed;
};

/// The options of `compare` that other commands do not have.
struct CompareOptions {
    std::vector<std::string> a; ///< Files; of two operands, too.
    std::vector<std::string> b;
    std::optional<double> failOnWorse; ///< Percent.
    bool anyway = false;               ///< Different work is compared, too.
};

/// The options of `attach` that other commands do not have.
struct AttachOptions {
    std::optional<std::string> jsonPath;
    std::optional<std::uint64_t> seconds; ///< Of recording; then it ends, and the program goes on.
    bool paused = false;                  ///< Recording begins when a signal asks for it.
    FrameWish frameWish;
    bool onlyProgram = false;                 ///< Do not record the programs that it starts.
    bool watchReads = false;                  ///< Watch the CPU's accesses to results of copies.
    bool noGpuTimes = false;                  ///< Do not use CUPTI.
    std::optional<std::string> hangPath;      ///< The capture of what came before a hang.
    std::optional<std::uint64_t> hangSeconds; ///< After which a wait for the GPU is one.
    std::optional<std::string> hangLibrary;   ///< The instrumented driver.
    std::optional<std::string> schedulerPath; ///< What jetscope-sched writes.
    bool probe = false;
};

/// The options of `top`.
struct TopOptions {
    std::optional<double> interval; ///< Seconds.
    std::optional<std::uint64_t> count;
    bool lines = false;
    /// Columns and rows of a screen that the machine at the other end of a connection shows.
    std::optional<std::pair<std::size_t, std::size_t>> screen;
};

/// The options of `verify`.
struct VerifyOptions {
    std::optional<std::string> outPath;
    std::optional<std::string> readPath;
    std::optional<std::string> loadable; ///< For the DLA.
};

/// The options of `captures`.
struct CapturesOptions {
    std::optional<std::string> fetch; ///< A name.
    std::optional<std::string> outPath;
    std::optional<std::string> remove; ///< A name.
};

/// What a fleet is told of runs, and what of it is compared.
struct FleetOptions {
    std::optional<std::string> folder; ///< Of `run`, `sweep` and `attach`: where runs are added.
    std::string board;
    std::string commit;
    std::string a; ///< Which runs, as FleetSelection reads it.
    std::string b;
    std::vector<std::string> metrics;
    std::optional<std::string> part; ///< Of `reduce`, as FleetPart reads it.
    std::string engine;              ///< "built-in" or "duckdb"; empty: DuckDB if it is there.
};

/// What a comparison gives to a CI.
struct GateOptions {
    std::optional<std::string> summaryPath;
    std::optional<std::string> junitPath;
    std::optional<std::string> benchmarkPath;
    std::optional<std::string> prometheusPath;
    std::optional<std::string> sarifPath;
    std::optional<std::string> against;   ///< "baseline:NAME"
    std::optional<std::string> accept;    ///< The reason.
    std::optional<std::string> baselines; ///< Their folder.

    /// Whether the exit code is to say what came out.
    bool isWanted() const
    {
        return summaryPath || junitPath || benchmarkPath || prometheusPath || sarifPath || against || accept;
    }
};

/// The options of `serve`.
struct ServeOptions {
    std::optional<std::uint64_t> alone; ///< Seconds.
    bool detached = false;
    std::optional<std::string> command; ///< The id of a command of a laptop.
    bool joins = false;                 ///< That command; it is not started.
};

/// The parsed command line, validated as far as possible without a device. Settings are stored as text because the
/// defaults of the others depend on the device (and, in the window, on the last session).
struct Options {
    Command command = Command::Window;
    bool help = false;
    bool version = false;
    bool buildId = false;
    bool manPage = false;
    bool reference = false;
    bool json = false;

    /// Choices for the pipeline of a board that the window shows: it parses them, as only it knows its stages.
    std::vector<std::pair<std::string, std::string>> boardSettings;

    /// Where the command is run. Then nothing else was parsed: what is legal depends on the board, which parses it.
    std::vector<BoardAddress> hosts;

    /// The arguments after the command: A and B of compare, IN and OUT of convert, FILE and SQL of query, the window's
    /// FILE, the ID of rules if given, and the command line of attach.
    std::vector<std::string> operands;

    std::optional<std::string> source;
    std::optional<std::string> deviceId;
    GivenSettings settings;
    std::optional<std::uint64_t> frames;

    std::vector<SettingsAt> at; ///< In frame order.
    bool checksum = false;
    bool hazards = false;
    const Scene *scene = nullptr; ///< The mistake to make; null for none.
    bool tryAdvice = false;
    std::optional<std::string> recordPath;

    SweepOptions sweep;
    CompareOptions compare;
    AttachOptions attach;
    TopOptions top;
    VerifyOptions verify;
    CapturesOptions captures;
    ServeOptions serve;
    FleetOptions fleet;
    GateOptions gate;

    std::optional<std::string> probePath; ///< --out of `probe`.
    std::optional<std::string> tablePath; ///< --from of `probe`.
    std::optional<std::uint64_t> seconds; ///< --time of `probe` and `experiment`.
    bool lists = false;                   ///< --list of `experiment`.
    bool sightings = false;               ///< Of `lab`, for the other machine of the two that measure together.
    bool boardClock = false;              ///< Of `lab latency` with --host.

    std::optional<std::string> reportPath; ///< --out of `report`.
    std::optional<Figure> metric;          ///< The metric that ranks the combinations of a sweep.

    std::optional<std::uint64_t> mostSpans; ///< Maximum in a trace; the newest are kept.

    std::optional<std::string> framesBy; ///< Name of the frames in a trace of another program.

    std::optional<std::string> logPath;       ///< A tegrastats log whose counters are added to a capture.
    std::optional<double> logOffsetSeconds;   ///< Moves that log.
    std::optional<double> logIntervalSeconds; ///< Between the lines of a log without time stamps.

    std::optional<std::string> sysroot; ///< The folder whose files are read in place of those of "/".

    std::optional<std::string> screenshotPath;
    std::optional<std::uint64_t> afterFrames;
};

} // namespace jetscope

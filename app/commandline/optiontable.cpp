// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/optiontable.h"

#include "app/commandline/optionsetters.h"
#include "app/commandline/optionvalues.h"
#include "app/commandline/textlayout.h"
#include "core/enumtable.h"
#include "gpu/device/backends.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr unsigned kWindow = bitOf(Command::Window);
constexpr unsigned kRun = bitOf(Command::Run);
constexpr unsigned kSweep = bitOf(Command::Sweep);
constexpr unsigned kTune = bitOf(Command::Tune);
constexpr unsigned kProbe = bitOf(Command::Probe);
constexpr unsigned kExperiment = bitOf(Command::Experiment);
constexpr unsigned kCompare = bitOf(Command::Compare);
constexpr unsigned kReport = bitOf(Command::Report);
constexpr unsigned kConvert = bitOf(Command::Convert);
constexpr unsigned kQuery = bitOf(Command::Query);
constexpr unsigned kDoctor = bitOf(Command::Doctor);
constexpr unsigned kVerify = bitOf(Command::Verify);
constexpr unsigned kRules = bitOf(Command::Rules);
constexpr unsigned kTop = bitOf(Command::Top);
constexpr unsigned kAttach = bitOf(Command::Attach);
constexpr unsigned kCaptures = bitOf(Command::Captures);
constexpr unsigned kServe = bitOf(Command::Serve);
constexpr unsigned kFleet = bitOf(Command::Fleet);
constexpr unsigned kBaseline = bitOf(Command::Baseline);
constexpr unsigned kLab = bitOf(Command::Lab);
constexpr unsigned kGate = kCompare | kFleet;
constexpr unsigned kMeasuring = kSweep | kTune;
constexpr unsigned kPipeline = kWindow | kRun | kMeasuring | kLab;
constexpr unsigned kHosted =
    kRun | kMeasuring | kProbe | kExperiment | kDoctor | kVerify | kRules | kTop | kAttach | kCaptures | kLab;
constexpr unsigned kAll = (1U << enumCount<Command>()) - 1;

std::string frameLimits()
{
    return std::to_string(kDefaultRunFrames) + " in run and lab, no end in the window";
}

std::string atKeys()
{
    return settingKeys(", ") + " and, of several sources, camera=N: the one that drives the pipeline";
}

/// What the command line says of the filters beyond the table of settings, which knows nothing of stages.
constexpr std::string_view kStagesHelp =
    "; stage:PATH?key=value&… runs the shared library of a stage of your own, cu:FILE.cu?NAME=VALUE&… your own CUDA "
    "kernel, nviva:PATH a library for nvivafilter, vpi:NAME?backend=pva&… an algorithm of NVIDIA's VPI, "
    "dla:FILE?dla=0&mode=standalone&… a loadable on a DLA";

// Options without a help text are accepted but hidden.
constexpr OptionSpec kOptions[] = {
    {"source", "URI", kPipeline | kDoctor | kProbe,
     "where frames come from: synthetic:?size=1280x720&fps=60, file:PATH (a video, a picture or a folder of pictures), "
     "v4l2:/dev/video0, rtsp://HOST/PATH, http://HOST/PATH (MJPEG), csi:0, gst:PIPELINE, pattern:?delay=50 (a clock "
     "as a camera would see it) or several:A | B (2 to 8 of these at once, each on a thread of its own; the first, or "
     "B "
     "in \"several:2 of A | B\", drives the pipeline); rate=real or rate=max sets "
     "the pace of the first two, loop=1 repeats them, preload=100 decodes so many pictures of a file before the first "
     "frame",
     nullptr, setText<&Options::source>},
    {"device", "ID", kPipeline | kRules | kProbe | kExperiment | kVerify,
     "the device that works on the frames (\"jetscope doctor\" lists those of this machine)", deviceIds,
     setText<&Options::deviceId>},
    {"frames", "N", kWindow | kRun | kLab, "stop after so many frames; if not given", frameLimits,
     setCount<&Options::frames>},
    {"at", "FRAME KEY=VALUE,…", kRun,
     "change settings when a frame (they count from 0) begins, with filters joined by +; may be repeated; the keys",
     atKeys, addChange},
    {"checksum", "", kRun, "SHA-256 over the output frames as OpenGL ES reads them", nullptr,
     setSwitch<&Options::checksum>},
    {"hazards", "", kRun,
     "report accesses that break the rules for shared memory, and how many rules were checked; an error makes the exit "
     "code 1",
     nullptr, setSwitch<&Options::hazards>},
    {"scene", "NAME", kRun,
     "make a classic mistake with shared memory, to see what it looks like: its choices replace those given",
     sceneNames, setScene},
    {"try", "", kRun,
     "after the run, try every choice that could take a piece off the critical path, in turns with the current "
     "choice, and print the results; some seconds each",
     nullptr, setSwitch<&Options::tryAdvice>},
    {"record", "FILE", kWindow | kRun | kAttach | kLab,
     "record every span, counter and switch from the start into a new capture file (.jscope)", nullptr,
     setText<&Options::recordPath>, nullptr, FileUse::Written},
    {"sizes", "LIST", kSweep, "frame sizes to measure, such as 640x480,1280x720 (default: the source's own)", nullptr,
     setSweepList},
    {"from", "KEY=VALUE,…", kTune, "the choices to begin with, such as memory=pinned,sync=event", nullptr, setFrom},
    {"from", "FILE", kProbe, "a table to explain, without measuring", nullptr, setText<&Options::tablePath>, nullptr,
     FileUse::Read},
    {"out", "FILE", kSweep | kReport | kProbe | kVerify | kCaptures | kFleet,
     "(sweep) new capture file (.jscope) for the results; (probe) new JSON file for the table; (report) new file that "
     "ends in .html, .md or .csv (default: "
     "the name of FILE with .html); (fleet report) new file of the page; (fleet spans) folder for the captures "
     "(default: they stay where they are); (verify) new JSON file for the rows; "
     "(captures) "
     "new file for what is fetched (default: its name, in this folder)",
     nullptr, setOutPath, nullptr, FileUse::Written},
    {"read", "FILE", kVerify, "show such a file, of any machine, without checking anything", nullptr,
     setText<&Options::verify, &VerifyOptions::readPath>, nullptr, FileUse::Read},
    {"loadable", "FILE", kVerify, "a loadable of TensorRT to run on the DLA", nullptr,
     setText<&Options::verify, &VerifyOptions::loadable>, nullptr, FileUse::Read},
    {"fetch", "NAME", kCaptures, "bring this capture from the board", nullptr,
     setText<&Options::captures, &CapturesOptions::fetch>},
    {"delete", "NAME", kCaptures, "remove this capture for good", nullptr,
     setText<&Options::captures, &CapturesOptions::remove>},
    {"metric", "NAME", kCompare | kReport,
     "figure of a sweep by which combinations are ranked or compared (default: period; latency if the source kept its "
     "rate)",
     metricNames, setMetric},
    {"resume", "", kSweep, "continue the sweep in FILE with the choices that it began with", nullptr,
     setSwitch<&Options::sweep, &SweepOptions::resume>},
    {"paced", "", kMeasuring, "let the source keep its rate (default: as fast as frames are taken)", nullptr,
     setSwitch<&Options::sweep, &SweepOptions::paced>},
    {"progress", "", kMeasuring | kProbe | kExperiment | kVerify | kLab,
     "with --json: also print one JSON object a line while it measures, with the progress and (tune) each step or "
     "(verify) each row",
     nullptr, setSwitch<&Options::sweep, &SweepOptions::progress>},
    {"rounds", "N", kSweep, "rounds over all choices, 4 to 1000 (default: 5)", nullptr,
     setSweepNumber<&SweepOptions::rounds, 4, 1000>},
    {"time", "SECONDS", kMeasuring | kProbe | kExperiment | kLab,
     "time for the measurements; a sweep, a probe and an experiment do 4 rounds at least, and say if they need longer "
     "(tune: 60; probe: as 15 rounds need; experiment: as 10 rounds need; lab: 20, latency 300 frames; 120 at most)",
     nullptr, setTime},
    {"seed", "N", kSweep, "order of the choices in the rounds (default: 1)", nullptr,
     setSweepNumber<&SweepOptions::seed, 0, 1'000'000>},
    {"list", "", kExperiment, "list the experiments", nullptr, setSwitch<&Options::lists>},
    {"a", "FILE …", kCompare, "captures of side A: several show how much runs of the same choice differ", nullptr,
     addFiles<&CompareOptions::a>},
    {"b", "FILE …", kCompare, "captures of side B", nullptr, addFiles<&CompareOptions::b>},
    {"a", "FIELD=VALUE,…", kFleet, "the old runs, such as commit=1.2", nullptr,
     setText<&Options::fleet, &FleetOptions::a>},
    {"b", "FIELD=VALUE,…", kFleet, "the new runs, such as commit=1.3", nullptr,
     setText<&Options::fleet, &FleetOptions::b>},
    {"metric", "NAME,…", kFleet, "figures to compare (default: those that \"jetscope compare\" compares)", nullptr,
     setFleetMetrics},
    {"engine", "NAME", kFleet, "what reads the folder: built-in or duckdb (default: DuckDB's library if it is there)",
     nullptr, setEngine},
    {"part", "I/N", kFleet, "(fleet reduce) the share of one of N workers, from 0/N on (default: all days)", nullptr,
     setText<&Options::fleet, &FleetOptions::part>},
    {"fleet", "DIR", kRun | kSweep | kAttach,
     "add the run, or each round of the sweep, to this folder of a fleet; a capture is made in DIR/captures unless "
     "--record names one",
     nullptr, setText<&Options::fleet, &FleetOptions::folder>},
    {"board", "NAME", kRun | kSweep | kAttach | kFleet,
     "name of the board in the fleet (default: a hash of its serial number, which the capture has)", nullptr,
     setText<&Options::fleet, &FleetOptions::board>},
    {"commit", "NAME", kRun | kSweep | kAttach | kFleet, "the build that ran, for the fleet", nullptr,
     setText<&Options::fleet, &FleetOptions::commit>},
    {"summary", "FILE", kGate, "write the result as Markdown, for the summary of a job", nullptr,
     setText<&Options::gate, &GateOptions::summaryPath>},
    {"junit", "FILE", kGate, "write a case for each figure as JUnit's XML; one without a verdict is skipped", nullptr,
     setText<&Options::gate, &GateOptions::junitPath>},
    {"benchmark", "FILE", kGate,
     "write the figures of B of which less is better as a JSON list of name, unit, value "
     "and range",
     nullptr, setText<&Options::gate, &GateOptions::benchmarkPath>},
    {"prom", "FILE", kGate, "write both sides and the verdicts for node_exporter's text files", nullptr,
     setText<&Options::gate, &GateOptions::prometheusPath>},
    {"sarif", "FILE", kCompare, "write the hazards of B as SARIF", nullptr,
     setText<&Options::gate, &GateOptions::sarifPath>},
    {"against", "baseline:NAME", kCompare, "take this baseline for A; the files are B", nullptr,
     setText<&Options::gate, &GateOptions::against>},
    {"accept", "REASON", kCompare,
     "with --against: if B is worse, keep the reason and make B the baseline; the exit code is then 0", nullptr,
     setText<&Options::gate, &GateOptions::accept>},
    {"baselines", "DIR", kCompare | kBaseline, "folder of the baselines (default: jetscope/baselines of this user)",
     nullptr, setText<&Options::gate, &GateOptions::baselines>},
    {"fail-on-worse", "PERCENT", kCompare,
     "exit with 1 if a figure of the frames, or a combination of a sweep, is worse in B beyond the noise and by at "
     "least PERCENT (overlap and headroom: percentage points); with 3 if there is no verdict",
     nullptr, setFailOnWorse},
    {"anyway", "", kCompare, "compare captures of different work, too, and say what differs", nullptr,
     setSwitch<&Options::compare, &CompareOptions::anyway>},
    {"most-spans", "N", kWindow | kConvert | kCompare,
     "keep the newest N spans of a trace and drop older ones, a million at a time: 2M to 1000M (default: 10M in the "
     "window and in compare unless changed, all in convert)",
     nullptr, setMostSpans},
    {"frames-by", "NAME", kWindow | kConvert | kCompare,
     "in a trace of another program, take the ranges or marks of this name for frames: \"step\" stands for \"step 1\", "
     "\"step 2\" and so on; \"site:2\" takes the second of the loops of calls that \"convert --json\" lists; if not "
     "given, steps of PyTorch, JAX and ONNX Runtime, those named frame, those that cover most of the time, swaps, or "
     "the best loop",
     nullptr, setText<&Options::framesBy>},
    {"with", "LOG", kConvert,
     "add the counters of a tegrastats log, aligned by its time stamps; without stamps its first line is placed at the "
     "beginning of IN",
     nullptr, setText<&Options::logPath>},
    {"with-offset", "SECONDS", kConvert, "move the log of --with to later times, or with a minus to earlier ones",
     nullptr, setLogOffset},
    {"log-interval", "SECONDS", kConvert,
     "time between the lines of a tegrastats log without time stamps (default: 1, that of tegrastats)", nullptr,
     setLogInterval},
    {"screenshot", "FILE", kWindow, "save the window as a new PNG file and exit", nullptr, setScreenshot},
    {"after-frames", "N", kWindow, "frames shown before the screenshot", nullptr, setCount<&Options::afterFrames>},
    {"interval", "SECONDS", kTop, "time between readings (default: 1)", nullptr, setInterval},
    {"count", "N", kTop, "end after so many readings", nullptr, setTopCount},
    {"alone", "SECONDS", kServe, "end when nobody has been connected for so long (default: 600)", nullptr,
     setSeconds<1, 86'400, &Options::serve, &ServeOptions::alone>},
    {"detached", "", kServe, "be the process that owns the pipeline; serve starts it so", nullptr,
     setSwitch<&Options::serve, &ServeOptions::detached>},
    {"lines", "", kTop, "print lines, even in a terminal", nullptr, setSwitch<&Options::top, &TopOptions::lines>},
    {"sysroot", "DIR", kTop | kDoctor | kVerify,
     "read the files of the kernel and of the system below this folder (default: /)", nullptr,
     setText<&Options::sysroot>},
    {"json", "",
     kTop | kRun | kMeasuring | kProbe | kExperiment | kReport | kCompare | kConvert | kQuery | kDoctor | kRules
         | kVerify | kCaptures | kFleet | kBaseline | kLab,
     "print one JSON object in place of the text", nullptr, setSwitch<&Options::json>},
    {"json", "FILE", kAttach, "write one JSON object into a new file when the program has ended", nullptr,
     setText<&Options::attach, &AttachOptions::jsonPath>, nullptr, FileUse::Written},
    {"frame", "WHAT", kAttach,
     "what a frame of the program is: swap, stream (hand-overs of an EGLStream, else of NvBuf buffers), nvtx:NAME "
     "(ranges or marks of NVTX; NAME* for all that begin so), call:NAME (a function that --probe lists), "
     "site:FILE:LINE or site:FILE+OFFSET (the calls at a place of the program), site:NUMBER (a loop of "
     "\"frame_candidates\" in --json), or auto: marked frames, else swaps, else as stream, else the best loop "
     "(default)",
     nullptr, setFrameWish},
    {"frames", "N", kAttach, "stop recording soon after so many frames; the program goes on", nullptr,
     setCount<&Options::frames>},
    {"duration", "SECONDS", kAttach, "stop recording after so much time of recording; the program goes on", nullptr,
     setSeconds<1, 1'000'000, &Options::attach, &AttachOptions::seconds>},
    {"paused", "", kAttach,
     "do not record before the first signal RTMIN+1 comes (\"kill -RTMIN+1 PID\", of Jetscope); the program starts at "
     "once",
     nullptr, setSwitch<&Options::attach, &AttachOptions::paused>},
    {"only-program", "", kAttach, "do not record the programs that it starts", nullptr,
     setSwitch<&Options::attach, &AttachOptions::onlyProgram>},
    {"watch-reads", "", kAttach,
     "also find where the CPU uses a result before it has waited for the asynchronous copy that brings it to pinned "
     "memory: the thread that submits the copy watches the first bytes of its four newest results (perf_event_open)",
     nullptr, setSwitch<&Options::attach, &AttachOptions::watchReads>},
    {"no-gpu-times", "", kAttach, "do not use CUPTI: GPU times are bounds from the calls", nullptr,
     setSwitch<&Options::attach, &AttachOptions::noGpuTimes>},
    {"hangs", "FILE", kAttach,
     "tell at once of a call that waits for the GPU and does not return, and write the seconds before it into this new "
     "capture; where the driver's instrumented library is (CUDA 12.9 and newer on a Jetson) it names the kernel",
     nullptr, setText<&Options::attach, &AttachOptions::hangPath>, nullptr, FileUse::Written},
    // Calls are complete two seconds behind the present.
    {"hang-after", "SECONDS", kAttach, "with --hangs: how long such a call takes at least (default: 10)", nullptr,
     setSeconds<3, 3600, &Options::attach, &AttachOptions::hangSeconds>},
    {"hang-library", "LIBRARY", kAttach,
     "with --hangs: the driver's instrumented library (default: where JetPack installs libcuda_instrumentation.so)",
     nullptr, setText<&Options::attach, &AttachOptions::hangLibrary>},
    {"scheduler", "FILE", kAttach,
     "also show when the program's threads ran and waited, and on a Jetson the work of its engines: FILE is what "
     "jetscope-sched writes, which only root may start; --probe prints the command",
     nullptr, setText<&Options::attach, &AttachOptions::schedulerPath>},
    {"probe", "", kAttach, "print what can be seen on this machine, and why not the rest", nullptr,
     setSwitch<&Options::attach, &AttachOptions::probe>},
    {"host", "[USER@]BOARD", kHosted | kWindow,
     "do it on this board, which ssh reaches as you would: the program for it is brought there if it has none of this "
     "build, files that options name are on this machine (top: may be repeated); the window connects with it",
     nullptr, addHost},
    {"board-clock", "", kLab,
     "latency with --host: the board's screen shows the clock, and the camera is on this machine", nullptr,
     setSwitch<&Options::boardClock>},
    {"help", "", kAll, "print this text", nullptr, setSwitch<&Options::help>},
    {"version", "", kAll, "print the version", nullptr, setSwitch<&Options::version>},
    {"build-id", "", kWindow, "", nullptr, setSwitch<&Options::buildId>}, // For the other end of a connection.
    {"command", "ID", kServe, "", nullptr,
     setText<&Options::serve, &ServeOptions::command>}, // For the other end of a connection.
    {"join", "", kServe, "", nullptr, setSwitch<&Options::serve, &ServeOptions::joins>},
    {"screen", "COLUMNSxROWS", kTop, "", nullptr, setScreen},                // For the other end of a connection.
    {"man", "", kWindow, "", nullptr, setSwitch<&Options::manPage>},         // For packaging/man.
    {"sightings", "", kLab, "", nullptr, setSwitch<&Options::sightings>},    // Between two machines.
    {"reference", "", kWindow, "", nullptr, setSwitch<&Options::reference>}, // For resources/docs.
};

/// The settings stand behind the source and the device.
std::vector<OptionSpec> allOptions()
{
    std::vector<OptionSpec> all;
    for (const OptionSpec &option : kOptions) {
        all.push_back(option);
        if (option.name != "device")
            continue;
        for (const SettingRow &row : settingTable())
            all.push_back({row.key, row.placeholder, kPipeline, row.help, nullptr, setPipelineSetting, &row});
    }
    return all;
}

} // namespace

std::string OptionSpec::legalValues() const
{
    return setting ? setting->valueNames() : values ? values() : std::string();
}

std::string OptionSpec::fullHelp() const
{
    const std::string more(setting && setting->kind == SettingRow::Kind::Names ? kStagesHelp : "");
    const std::string legal = legalValues();
    return std::string(help) + more + (legal.empty() ? "" : ": " + legal);
}

std::size_t OptionSpec::valueCount() const
{
    if (placeholder.empty())
        return 0;
    const auto words = 1 + static_cast<std::size_t>(std::count(placeholder.begin(), placeholder.end(), ' '));
    return words - (takesMore() ? 1 : 0);
}

bool OptionSpec::takesMore() const
{
    return placeholder.ends_with(" …");
}

bool OptionSpec::belongsTo(Command command) const
{
    return (commands & bitOf(command)) != 0;
}

std::span<const OptionSpec> optionTable()
{
    static const std::vector<OptionSpec> kOptionsAndSettings = allOptions();
    return kOptionsAndSettings;
}

const OptionSpec *findOption(std::string_view name, Command command)
{
    const OptionSpec *found = nullptr;
    for (const OptionSpec &option : optionTable())
        if (option.name == name && (!found || (!found->belongsTo(command) && option.belongsTo(command))))
            found = &option;
    return found;
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandtable.h"

#include "app/commandline/commands.h"
#include "app/commandline/textlayout.h"
#include "core/enumtable.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <array>
#include <limits>

namespace jetscope {

namespace {

constexpr const char *kDoctorNotes =
    "doctor reports whatever it finds; its exit code is 1 when the pipeline cannot run here at all.\n";
constexpr const char *kVerifyNotes =
    "Tries what Jetscope does on a board and what was only tested against documents and fakes so far: attributes and\n"
    "memory kinds against the tables of NVIDIA's notes, EGLSync, EGLStream, EGLImage, NvBufSurface, cameras, CUPTI, "
    "VPI,\n"
    "cuDLA, clocks and rails, the kernel's trace, and the bytes of the filters. Each check runs in a process of its "
    "own\n"
    "with a time limit: one that crashes or hangs is a failed row, and the next one runs. Takes some minutes.\n"
    "A row passed, failed (with the document and what came), or is not possible here (with the reason). The exit code "
    "is\n"
    "1 if a row failed.\n"
    "--out writes the rows into a file that --read shows on any machine. It holds model and releases of the board, "
    "names\n"
    "and versions of device and drivers, the day, and the rows; it holds no user, host, serial number, address or "
    "path\n"
    "of a home folder.\n"
    "Not tried on a Jetson: the first file from one says what holds.\n"
    "Example: jetscope verify --out board.json\n";
constexpr const char *kRulesNotes =
    "ID is that of a rule as in \"A1\". Without it all rules are listed, with it the rule is explained: its condition, "
    "what it\n"
    "requires, the smallest fix and the document that states it.\n"
    "--device adds whether Jetscope checks each rule on that device, or why not.\n"
    "Levels: error is documented to fail, luck works on some devices only, cost is slow, note explains.\n"
    "--json prints \"rules\"; with --device also \"device\", \"checked\", \"cannot_check\" and "
    "\"does_not_apply\".\n"
    "Example: jetscope rules A1 --device soft:orin\n";
constexpr const char *kTopNotes =
    "Power mode, clocks, loads, temperatures, rails, memory and fan, as far as they can be read without root; GPUs "
    "that\n"
    "the driver's NVML knows, too. In a terminal one screen that q or Ctrl-C ends; otherwise, and with --lines, one\n"
    "line for each reading. --json prints one object in a line for each reading, with \"values\" by name: each\n"
    "\"value\" or, where it is null, the \"reason\". NO_COLOR in the environment turns colours off.\n"
    "The paths of Jetsons follow documentation; they were not tried on a Jetson.\n"
    "Example: jetscope top --json --interval 0.5 --count 10\n";
constexpr const char *kAttachNotes =
    "Runs PROGRAM, which is neither changed nor rebuilt, and records its calls of EGL, GL and CUDA, frame by frame. "
    "Its\n"
    "standard files and its exit code are its own; Ctrl-C goes to it. The programs that it starts are recorded, too.\n"
    "When its first process has ended and others of it go on, such as a daemon, recording goes on until they have "
    "ended,\n"
    "have made no call for 5 seconds, or Ctrl-C.\n"
    "Recording stops and continues while the program runs: kill -RTMIN+2 PID stops it, kill -RTMIN+1 PID continues "
    "it,\n"
    "where PID is the process of Jetscope. What was not recorded is in no frame.\n"
    "Write -- before PROGRAM, or the options of Jetscope before it: what follows PROGRAM belongs to PROGRAM.\n"
    "A frame lasts from the return of one swap (eglSwapBuffers, glXSwapBuffers) to that of the next, if the program "
    "does\n"
    "not mark its frames with jetscope_mark.h and --frame does not name another call. Without any of these the loop is "
    "taken\n"
    "whose rounds make the same calls and cover most of the time; Jetscope says that this is a guess, how sure it is,\n"
    "and which loop comes next. Calls before the first frame belong to no frame.\n"
    "--record writes a capture (.jscope), which the window, query, compare and report read.\n"
    "--json writes \"program\", \"exit\", \"tiers\", \"refused\", \"frames\", \"frame_source\", \"fps\", "
    "\"period_ms\", \"overlap\",\n"
    "\"frame_candidates\", \"before_first_frame_s\", \"behind_last_frame_s\",\n"
    "\"headroom\", \"path\", \"findings\", \"checks\", \"calls\", \"lost\" and \"cost\". What is not known is "
    "null, with the reason.\n"
    "Programs that are linked statically, have more rights than the user or are for another processor are refused.\n"
    "Example: jetscope attach --record a.jscope --json a.json -- ./my_pipeline --camera 0\n";
constexpr const char *kCapturesNotes =
    "What Record in a window on a board writes lies on that board, in ~/.local/share/jetscope/captures. With --host\n"
    "this lists the captures of a board, deletes one, or fetches one: a fetch that was cut or cancelled goes on where\n"
    "it was when the same command is given again, and its SHA-256 is compared with that of the board at the end. A\n"
    "capture that is still being recorded can be fetched when the recording has ended.\n"
    "--json prints \"folder\", \"free_bytes\" and \"captures\"; with --fetch \"capture\", \"out\" and \"bytes\", with\n"
    "--delete \"deleted\".\n"
    "Not tried on a Jetson.\n"
    "Example: jetscope captures --host nano --fetch 2026-11-27_19-31-05_csi-0.jscope\n";
constexpr const char *kServeNotes =
    "For ssh: a laptop runs \"ssh BOARD jetscope serve\" and shows what the pipeline on the board does. The pipeline "
    "belongs\n"
    "to a process of its own, which goes on when the connection is cut, and which the next one finds again. It listens "
    "at a\n"
    "socket in ~/.cache/jetscope that only this user can open, never on a network. It ends when nobody has been "
    "connected for\n"
    "a time. What it speaks: resources/docs/remote.md. Not tried on a Jetson.\n"
    "Example: ssh nano jetscope serve\n";
constexpr const char *kWindowNotes =
    "FILE is a .jscope capture, a Chrome trace (JSON), an Nsight Systems export (SQLite) or a log of tegrastats.\n"
    "With --host it is a capture that lies on the board and stays there: what is in view is asked for.\n"
    "Options not given are taken from the last session, or else are the best device and the synthetic camera.\n"
    "--record starts a recording at once, like the button Record; at its end the window offers to open the file.\n";
constexpr const char *kRunNotes = "Defaults: the best device, source synthetic:?size=1280x720, memory pinned, "
                                  "output eglimage, the best safe sync\n"
                                  "that the device has, no CPU stage, 2 frames in flight, 1 stream. The source is read "
                                  "as fast as the pipeline takes it.\n"
                                  "Ctrl-C ends the run and prints the figures so far.\n"
                                  "Example: jetscope run --source file:clip.avi --device soft:orin --frames 200 --at "
                                  "100 memory=zero-copy,sync=event --json\n";

constexpr const char *kSweepNotes =
    "Measures every combination of the given choices that the device has, in rounds: each round visits all of them in\n"
    "another order, so that drift and disturbances hit all alike. At the start it says how many they are, and how "
    "long\n"
    "they take at least.\n"
    "Memory, output, sync and wait are open unless they are given: one value fixes it, several are the list, all is\n"
    "every value. Other choices have their default unless they are given. Work (--filters, --cpu-work, a CPU stage or\n"
    "none, --sizes) that is given is that of every combination; with a list of it, each work is ranked by itself.\n"
    "{lists}"
    "joined by commas, or all; chains of filters are separated by /. Unsafe choices (sync none) are measured only if\n"
    "named. A file as the source is repeated.\n"
    "Combinations are ranked by their period, and where the source keeps its rate (--paced, a camera, a stream) by "
    "their\n"
    "latency; report --metric ranks them by another figure.\n"
    "Every result is in FILE as soon as it is measured. Ctrl-C ends the sweep; --out FILE --resume continues it\n"
    "(with --filters, if it ran stages).\n"
    "Example: jetscope sweep --source synthetic: --sync all --memory pinned,zero-copy --wait auto --out "
    "a.jscope\n";
constexpr const char *kTuneNotes =
    "Searches from the present choices (--from, else the default) towards the best ones, by measuring a few of all\n"
    "combinations by turns, and says what was tried and what each choice brought. Ends when nothing beats the noise,\n"
    "or after --time.\n"
    "All combinations do the same work: --filters and --cpu-stage take one value, which the start has, too.\n"
    "Memory, output, sync and wait are open unless they are given: one value fixes it, several are the list, and\n"
    "--from must be among them.\n"
    "Combinations are ranked by their period, and where the source keeps its rate (--paced, a camera, a stream) by "
    "their\n"
    "latency. A * is shown to be the best of its race; what has no interval is no result.\n"
    "--json prints \"space\", \"from\", \"best\", \"improvement\", \"steps\", \"measured\", \"combinations\" and "
    "\"reason\".\n"
    "Example: jetscope tune --source v4l2:/dev/video0 --cpu-stage pipelined --time 30\n";
constexpr const char *kProbeNotes =
    "Measures what matters for the choice of a memory kind on this device: how fast CPU and GPU read and write each\n"
    "kind, copies by size, launches, waits, hand-overs and registrations. Takes a quarter of a minute on a GPU, at "
    "most\n"
    "a minute unless --time says otherwise or the 4 rounds that figures need take longer. The table is kept for the\n"
    "device, and doctor names it.\n"
    "--from explains such a table, also one that was published for another device.\n"
    "--source opens a source and ranks the memory kinds for its frames: their size, and whether CPU or DMA writes "
    "them.\n"
    "--json prints the table in that format, with \"findings\" and \"advice\".\n"
    "Example: jetscope probe --time 20 --out board.json\n";
constexpr const char *kExperimentNotes =
    "NAME is that of an experiment; without it, or with --list, all are listed with their questions. An experiment\n"
    "measures its variants by turns in rounds, prints them with their noise, and says what differs beyond noise.\n"
    "It exits with 2 if the device cannot do it, and says why. Ctrl-C ends it without a result.\n"
    "--json prints \"experiment\", \"question\", \"variants\" and \"conclusions\"; of the list \"experiments\".\n"
    "Example: jetscope experiment wait-policy\n";
constexpr const char *kCompareNotes =
    "A and B are two captures, traces of other programs, or files of two sweeps. B is compared with A: figures of\n"
    "the frames, pieces of the critical path, and spans by their names. Sweeps are compared combination by\n"
    "combination.\n"
    "A difference counts if its interval excludes zero, at an error of 1 % shared by the rows of a table. One\n"
    "capture a side shows the noise within a run only; several, given with --a and --b, also show the noise from\n"
    "run to run.\n"
    "Different work is refused: another source, frame size, filters or work of the CPU stage. --anyway compares it, "
    "and\n"
    "says what differs. There is no verdict if device or version differ, if settings changed within a capture, if\n"
    "clocks, a temperature, the power mode or what limits the clocks moved, or if other programs took unlike\n"
    "shares of the processors.\n"
    "The exit code is 0 for every comparison that was made, and 1 for none. With --fail-on-worse or --against it is a\n"
    "gate: 0 not worse, 1 worse, 3 no verdict, also where nothing could be compared.\n"
    "Example: jetscope compare --a old1.jscope old2.jscope old3.jscope --b new1.jscope new2.jscope new3.jscope\n";
constexpr const char *kFleetNotes =
    "fleet add DIR CAPTURE… adds runs to a folder, which is made if it is not there: one line of JSON for each metric, "
    "in\n"
    "packed files that Spark, DuckDB, Polars, ClickHouse and Dask read, too. The board is the hash that the capture "
    "has, or\n"
    "--board. Any number of programs may add at once.\n"
    "fleet compact DIR makes one file of the files of each day.\n"
    "fleet compare DIR --a commit=X --b commit=Y compares each board with itself, and the boards of a stratum (chip,\n"
    "JetPack, power mode, configuration) together: the median change, its 95 % interval, a sign test, and the rate of\n"
    "false alarms over all. A change counts at a rate below 1 % and if it is more than 1 %. Only runs with fixed "
    "clocks\n"
    "that nothing limited count; a stratum needs 8 boards with 2 runs of each build.\n"
    "fleet query DIR SQL prints what a SELECT finds in the table runs, an object of JSON a line; it needs DuckDB's "
    "library,\n"
    "with which compact also writes Parquet, and compare takes any number of rows.\n"
    "fleet report DIR --a … --b … --out FILE.html makes a page of a comparison.\n"
    "fleet spans DIR RUN… prints where the captures of runs are, or copies them to --out FOLDER; one that is missing "
    "or\n"
    "has changed since it was added is said, and the exit code is then 1. A RUN may be the beginning of a name.\n"
    "fleet reduce DIR --a … --b … --part I/N prints what compare reads of the share of one of N workers; the lines of\n"
    "all, one behind the other, are taken in place of DIR (\"-\": standard input). fleet sql prints the statements "
    "that\n"
    "do it, for an engine with a table of its own. Scripts for Dask and Spark come with the sources.\n"
    "fleet compare exits with 0 if nothing became worse, 1 if something did, and 3 if there is no verdict.\n"
    "--json prints of add \"added\", \"there\" and \"rows\", of compact \"folders\", \"files\", \"rows\", "
    "\"repeated\"\n"
    "and \"parquet\", of compare \"summary\", \"no_verdict\", \"results\" and \"notes\", of report \"out\",\n"
    "of spans \"captures\".\n"
    "Not tried on a Jetson.\n"
    "Example: jetscope fleet compare runs --a commit=1.2 --b commit=1.3 --summary summary.md\n";
constexpr const char *kBaselineNotes =
    "baseline set NAME CAPTURE… keeps copies of captures, with which \"jetscope compare --against baseline:NAME\" "
    "compares\n"
    "others. They replace those of before; reasons that were accepted stay.\n"
    "baseline list prints the names, baseline show NAME the captures and the reasons. --json prints \"baselines\".\n"
    "Example: jetscope baseline set main a1.jscope a2.jscope a3.jscope\n";
constexpr const char *kLabNotes =
    "WHAT is latency, stamps, cameras or clock.\n"
    "latency: how long a change on a screen takes until the pipeline's output shows it. The source sees a clock: a\n"
    "pattern of black and white cells that says the time, and of which Jetscope knows when it was on the screen. Each\n"
    "frame is read, and its way is told in parts that add up. A picture that cannot be read for certain is refused,\n"
    "with the reason. The clock covers the screen until a key is pressed. pattern: is a camera and a screen that do\n"
    "not exist, with a delay of your choice. After 4.1 s the clock begins anew: of a longer way whole turns are "
    "missing.\n"
    "stamps: which clock the time stamps of a source are of, and which moment of a frame, by what it says and by what\n"
    "its frames show; offset and drift against CLOCK_MONOTONIC with their bounds, jitter, odd stamps, and what\n"
    "contradicts what the source says.\n"
    "cameras SOURCE SOURCE …: reads 2 to 8 sources at once, each on a thread of its own, and pairs the frames of the\n"
    "same moment by their stamps: how far they are apart, which camera leaves the others, and whether its exposure,\n"
    "its driver or a queue is the cause. --record keeps a lane for each.\n"
    "With --host the camera is on that board and looks at the clock on this machine's screen: both clocks are joined,\n"
    "and how right that is, is in the bound. With --board-clock the board's screen shows the clock, through its X "
    "server,\n"
    "and the camera is here. stamps, cameras and clock run on the board.\n"
    "clock: only shows the clock, for a camera of your own, until a key is pressed or --time is over.\n"
    "The exit code is 1 if no frame could be read. Ctrl-C ends the measurement and prints what there is.\n"
    "--json prints \"latency_ms\", \"bound_ms\", \"around_p50\", \"around_p99\", \"read\" and \"refused\".\n"
    "Not tried with a camera in front of a screen.\n"
    "Example: jetscope lab latency --source \"pattern:?delay=50&blur=2&noise=0.1\"\n"
    "Example: jetscope lab cameras v4l2:/dev/video0 v4l2:/dev/video2 --time 20\n";
constexpr const char *kReportNotes =
    "FILE is a .jscope file of a sweep or of a run. The ending of --out selects the format:\n"
    ".html is one page for a browser or a printer, without network, scripts or further files;\n"
    ".md is Markdown for an issue; .csv is a table of the combinations of a sweep or of the frames of a run.\n"
    "A file is never replaced. --json prints \"in\" and \"out\".\n"
    "Example: jetscope report a.jscope --metric latency --out a.html\n";
constexpr const char *kConvertNotes =
    "IN is a .jscope capture, a Chrome trace (JSON), an Nsight Systems export (\"nsys export --type sqlite\") or a log "
    "of\n"
    "tegrastats, known by its content. The ending of OUT selects the format: .jscope a capture, .json a Chrome trace, "
    "which\n"
    "Perfetto, Tracy and chrome://tracing open, .csv a table of the frames. Several IN become a .tar for Perfetto (58 "
    "and\n"
    "newer): one time line by the time of day, for which the clocks of the boards must be right. OUT must not exist "
    "yet.\n"
    "Ctrl-C leaves no OUT behind.\n"
    "Time stamps of tegrastats are read as local time of this machine: TZ=UTC before the command reads them as UTC.\n"
    "Published logs of all releases were tested; no board was.\n"
    "--json prints \"in\", \"out\", \"spans\", \"frames\", \"counters\", \"left_out\" (spans dropped by "
    "--most-spans),\n"
    "\"notes\" and, for a trace of another program, \"account\": what became of each event of IN.\n"
    "Example: jetscope convert report.sqlite report.jscope\n"
    "Example: jetscope convert run.jscope both.jscope --with tegrastats.log\n";
constexpr const char *kQueryNotes =
    "FILE is a .jscope capture, SQL one SELECT; it can change nothing. Rows are lines of values separated by tabs, "
    "without a\n"
    "head; NULL is empty, tabs, line ends and control characters are written \\t, \\n, \\x1b. A value may "
    "have\n"
    "8 MiB. The tables are spans, frames, frame_numbers, frame_path, edges, counters, counter_intervals, switches, "
    "hazards,\n"
    "hazard_accesses, marks, lost_frames, notes, import_account, lanes, names, clocks and device.\n"
    "--json prints one object: \"columns\" with the names, \"rows\" with an array of values for each row, and "
    "\"complete\",\n"
    "which is false after an error or Ctrl-C. A blob is the text x'…'; a number without a JSON form is null.\n"
    "Example: jetscope query a.jscope \"SELECT name, count(*), sum(duration_ns) FROM spans GROUP BY name\"\n";

template <int (*command)(const Options &)>
int withoutWords(int, char **, const Options &options)
{
    return command(options);
}

constexpr auto kCommands = std::to_array<CommandRow>({
    {Command::Window, "", "[FILE]", "open the window, on a trace if one is given", kWindowNotes, windowCommand},
    {Command::Run, "run", "", "run the pipeline without a window and print its figures", kRunNotes,
     withoutWords<runCommand>},
    {Command::Sweep, "sweep", "", "measure every combination of choices, and say which is the best", kSweepNotes,
     withoutWords<sweepCommand>},
    {Command::Tune, "tune", "", "search for the best choices by measuring a few of them", kTuneNotes,
     withoutWords<tuneCommand>},
    {Command::Probe, "probe", "", "measure memory, copies and hand-overs of a device, and explain the figures",
     kProbeNotes, withoutWords<probeCommand>},
    {Command::Experiment, "experiment", "[NAME]", "answer a question about a device by a ready-made measurement",
     kExperimentNotes, withoutWords<experimentCommand>},
    {Command::Compare, "compare", "[A] [B]", "compare two captures or two sweeps, and say what differs", kCompareNotes,
     withoutWords<compareCommand>},
    {Command::Report, "report", "FILE", "make a page of a sweep or a capture that needs no other file", kReportNotes,
     withoutWords<reportCommand>},
    {Command::Convert, "convert", "IN … OUT", "turn a trace into another format", kConvertNotes,
     withoutWords<convertCommand>},
    {Command::Query, "query", "FILE SQL", "print what a SELECT finds in a capture", kQueryNotes,
     withoutWords<queryCommand>},
    {Command::Doctor, "doctor", "", "show what this machine supports, and why other things are unavailable",
     kDoctorNotes, withoutWords<doctorCommand>},
    {Command::Verify, "verify", "", "check here what documents say of boards, and say what does not hold", kVerifyNotes,
     withoutWords<verifyCommand>},
    {Command::Rules, "rules", "[ID]", "list the memory rules of CPU and GPU, or explain one", kRulesNotes,
     withoutWords<rulesCommand>},
    {Command::Top, "top", "", "show load, clocks, temperatures and power of this machine while it works", kTopNotes,
     withoutWords<topCommand>},
    {Command::Attach, "attach", "[PROGRAM …]", "run another program, and record its calls of EGL, GL and CUDA",
     kAttachNotes, withoutWords<attachCommand>},
    {Command::Captures, "captures", "", "list the captures of a board, fetch one, or delete one", kCapturesNotes,
     withoutWords<capturesCommand>},
    {Command::Serve, "serve", "", "speak to a laptop on standard input and output; ssh starts it", kServeNotes,
     withoutWords<serveCommand>},
    {Command::Fleet, "fleet", "ACTION DIR …", "collect runs of many boards, and say whether a build made them slower",
     kFleetNotes, withoutWords<fleetCommand>},
    {Command::Baseline, "baseline", "ACTION [NAME] …", "keep captures to compare later ones with", kBaselineNotes,
     withoutWords<baselineCommand>},
    {Command::Lab, "lab", "WHAT …", "measure what only a camera, a screen and the clock together can show", kLabNotes,
     labCommand},
});
static_assert(hasEveryRow(kCommands, &CommandRow::command));

} // namespace

std::string CommandRow::notes() const
{
    constexpr std::string_view kLists = "{lists}";
    constexpr std::size_t kNotesWidth = 118;
    std::string all(text);
    if (const std::size_t at = all.find(kLists); at != std::string::npos)
        all.replace(at, kLists.size(), hangingParagraph({}, sweptKeys(" and ", "--") + " take lists", 0, kNotesWidth));
    return all;
}

std::size_t CommandRow::mostOperands() const
{
    if (operands.empty())
        return 0;
    if (takesProgram() || takesMany())
        return std::numeric_limits<std::size_t>::max();
    return 1 + static_cast<std::size_t>(std::count(operands.begin(), operands.end(), ' '));
}

std::size_t CommandRow::fewestOperands() const
{
    if (takesProgram())
        return 0;
    const auto count = [this](char c) {
        return static_cast<std::size_t>(std::count(operands.begin(), operands.end(), c));
    };
    return operands.empty() ? 0 : 1 + count(' ') - count('[') - (takesMany() ? 1 : 0);
}

std::span<const CommandRow> commandTable()
{
    return kCommands;
}

const CommandRow &commandRow(Command command)
{
    return kCommands[static_cast<std::size_t>(command)];
}

std::string commandName(Command command)
{
    const std::string_view name = commandRow(command).name;
    return name.empty() ? "jetscope" : "jetscope " + std::string(name);
}

} // namespace jetscope

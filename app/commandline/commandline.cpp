// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"

#include "app/commandline/commandtable.h"
#include "app/commandline/optiontable.h"
#include "app/commandline/textlayout.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kLongestWord = 32; // Limits the size of the table.

/// Levenshtein distance: insertions, deletions and replacements.
std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
        }
    }
    return row[to.size()];
}

/// The word closest to a mistyped one by edit distance; empty if all are too different.
std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> words)
{
    std::string_view best;
    if (typed.size() > kLongestWord)
        return best;
    std::size_t fewest = std::max<std::size_t>(2, typed.size() / 3) + 1;
    for (std::string_view word : words) {
        const std::size_t edits = editDistance(typed, word);
        if (edits < fewest) {
            fewest = edits;
            best = word;
        }
    }
    return best;
}

struct GivenOption {
    const OptionSpec *spec;
    OptionValues values;
};

struct Words {
    std::vector<GivenOption> options;
    std::vector<std::string_view> others;
};

/// An unknown command may be a file to open in the window.
bool looksLikeFile(std::string_view word)
{
    return word.find_first_of("./") != std::string_view::npos;
}

Error unknownOption(std::string_view word, Command command)
{
    if (!word.starts_with("--") && looksLikeFile(word))
        return sentence(quotedWords(word) + " begins like an option: if it is a file, write "
                        + quotedWords("./" + std::string(word)) + ", or -- before it");
    const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
    const std::string_view name = word.substr(dashes, word.find('=') - dashes);
    std::vector<std::string_view> names;
    for (const OptionSpec &option : optionTable())
        if (!option.help.empty() && option.belongsTo(command))
            names.push_back(option.name);
    const std::string_view near = nearestWord(name, names);
    const std::string hint = near.empty() ? "" : "did you mean --" + std::string(near) + "? Else ";
    return sentence("unknown option " + quotedWords(word) + ": " + hint + "see \"jetscope --help\"");
}

Error missingValue(const OptionSpec &option)
{
    return sentence("--" + std::string(option.name) + " needs " + std::string(option.placeholder) + " behind it"
                    + (option.help.empty() ? "" : ": " + option.fullHelp()));
}

/// Removes one option and its values from `words`; the first word is "--name" or "--name=value".
Result<GivenOption> takeOption(std::span<const std::string_view> &words, Command command)
{
    const std::string_view word = words.front() == "-h" ? "--help" : words.front();
    words = words.subspan(1);
    const std::size_t equals = word.find('=');
    const OptionSpec *spec = word.starts_with("--") ? findOption(word.substr(2, equals - 2), command) : nullptr;
    if (!spec)
        return unknownOption(word, command);
    GivenOption given{spec, {}};
    if (equals != std::string_view::npos) {
        if (spec->valueCount() == 0)
            return sentence("--" + std::string(spec->name) + " takes no value: leave out "
                            + quotedWords(word.substr(equals)));
        given.values.push_back(word.substr(equals + 1));
    }
    const auto atOption = [&] { return words.empty() || words.front().starts_with("--"); };
    while (given.values.size() < spec->valueCount() || (spec->takesMore() && !atOption())) {
        if (atOption())
            return missingValue(*spec);
        given.values.push_back(words.front());
        words = words.subspan(1);
    }
    return given;
}

/// The command that the first word names, for options whose meaning depends on it.
Command commandAhead(std::span<const std::string_view> words)
{
    for (const CommandRow &row : commandTable())
        if (!words.empty() && !row.name.empty() && row.name == words.front())
            return row.command;
    return Command::Window;
}

Result<Words> sortWords(std::span<const std::string_view> words)
{
    const Command command = commandAhead(words);
    Words sorted;
    while (!words.empty()) {
        const std::string_view word = words.front();
        if (word == "--") { // All words after it are arguments, not options.
            sorted.others.insert(sorted.others.end(), words.begin() + 1, words.end());
            break;
        }
        if (word.size() < 2 || word.front() != '-') {
            sorted.others.push_back(word);
            words = words.subspan(1);
            if (sorted.others.size() < 2 || !commandRow(command).takesProgram())
                continue;
            sorted.others.insert(sorted.others.end(), words.begin(), words.end());
            break;
        }
        JETSCOPE_TRY_ASSIGN(GivenOption option, takeOption(words, command));
        sorted.options.push_back(option);
    }
    return sorted;
}

bool exists(std::string_view path)
{
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

Result<Command> commandOf(const std::vector<std::string_view> &words)
{
    if (words.empty())
        return Command::Window;
    if (looksLikeFile(words.front()))
        return Command::Window;
    std::string names;
    for (const CommandRow &row : commandTable()) {
        if (row.name.empty())
            continue;
        if (row.name == words.front())
            return row.command;
        const bool isLast = &row == &commandTable().back();
        names += (names.empty() ? "" : isLast ? " or " : ", ") + std::string(row.name);
    }
    if (exists(words.front()))
        return Command::Window;
    return sentence("there is no command " + quotedWords(words.front()) + " and no file of this name: the commands are "
                    + names + ", and none opens the window");
}

/// The arguments after the command, checked against its requirements.
Result<std::vector<std::string>> operandsOf(Command command, const std::vector<std::string_view> &words)
{
    const CommandRow &row = commandRow(command);
    const std::size_t wanted = row.fewestOperands();
    const std::size_t most = row.mostOperands();
    const std::size_t first = row.name.empty() ? 0 : 1;
    const std::size_t given = words.size() - first;
    if (given > most)
        return sentence(quotedWords(words[first + most]) + " is one word too many: give one command"
                        + (wanted > 0 ? ", " + std::string(row.operands) : "") + " and its options");
    if (given < wanted)
        return sentence("\"" + commandName(command) + "\" needs " + std::string(row.operands) + " behind it: see \""
                        + commandName(command) + " --help\"");
    std::vector<std::string> operands(words.end() - static_cast<std::ptrdiff_t>(given), words.end());
    if (!row.takesProgram() && std::find(operands.begin(), operands.end(), "") != operands.end())
        return sentence("one of the words behind \"" + commandName(command) + "\" is empty: give "
                        + (row.name.empty() ? "a file" : std::string(row.operands)) + ", or leave it out");
    return operands;
}

Error misplaced(const OptionSpec &option, Command command)
{
    std::string homes;
    for (const CommandRow &home : commandTable())
        if (option.belongsTo(home.command))
            homes += (homes.empty() ? "\"" : " and \"") + commandName(home.command) + "\"";
    return sentence("--" + std::string(option.name) + " has no meaning for \"" + commandName(command)
                    + "\"; it belongs to " + homes);
}

/// The other side is a baseline.
Status takeNewSide(Options &options)
{
    CompareOptions &compare = options.compare;
    if (!options.gate.against->starts_with("baseline:"))
        return sentence("--against cannot be " + quotedWords(*options.gate.against) + ": write baseline:NAME");
    if (!compare.a.empty())
        return sentence("--against names side A: leave --a out");
    if (!compare.b.empty() == !options.operands.empty())
        return sentence("--against compares captures with a baseline: give them alone, or behind --b");
    if (compare.b.empty())
        compare.b = options.operands;
    return {};
}

Status takeSides(Options &options)
{
    CompareOptions &compare = options.compare;
    if (options.gate.accept && !options.gate.against)
        return sentence("--accept keeps a reason with a baseline: add --against baseline:NAME");
    if (options.gate.against)
        return takeNewSide(options);
    const bool named = !compare.a.empty() || !compare.b.empty();
    if (named && !options.operands.empty())
        return sentence("files are given both alone and behind --a or --b: write \"jetscope compare A B\", or "
                        "\"jetscope compare --a A … --b B …\"");
    if (options.operands.size() == 2) {
        compare.a = {options.operands[0]};
        compare.b = {options.operands[1]};
    }
    if (compare.a.empty() || compare.b.empty())
        return sentence("a comparison needs two sides: write \"jetscope compare A B\", or \"jetscope compare --a A … "
                        "--b B …\" for several captures a side");
    return {};
}

/// Of two files with one name the second one written would be refused, after the work.
Status checkOutputs(const Options &options)
{
    const auto placeOf = [](const std::string &path) {
        std::error_code unknown;
        const std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
        return unknown ? std::filesystem::path(path).lexically_normal() : place;
    };
    if (!options.attach.hangPath && (options.attach.hangSeconds || options.attach.hangLibrary))
        return sentence("--hang-after and --hang-library say how hangs are looked for: add --hangs FILE");
    if (!options.recordPath)
        return {};
    for (const auto &[option, path] :
         {std::pair{"--json", &options.attach.jsonPath}, std::pair{"--hangs", &options.attach.hangPath},
          std::pair{"--screenshot", &options.screenshotPath}})
        if (*path && placeOf(**path) == placeOf(*options.recordPath))
            return sentence(std::string("--record and ") + option + " name the same file: give them two names");
    return {};
}

Status checkCaptures(const Options &options)
{
    const CapturesOptions &captures = options.captures;
    if (captures.fetch && captures.remove)
        return sentence("--fetch and --delete are given: fetch it first, then delete it");
    if (captures.fetch && options.hosts.empty())
        return sentence("--fetch brings a capture from a board: add --host BOARD");
    if (captures.outPath && !captures.fetch)
        return sentence("--out says where a capture is fetched to: add --fetch NAME");
    return {};
}

/// Without a CPU stage its work would be left out in silence, and what was asked for would not be measured.
Status checkCpuWork(const Options &options)
{
    const auto &lists = options.sweep.choices.lists;
    const bool isMeasured =
        options.command == Command::Run || options.command == Command::Sweep || options.command == Command::Tune;
    const bool hasStage = options.settings.over({}).cpuStage != CpuStagePlacement::Off || lists.contains("cpu-stage")
        || options.sweep.from.has("cpu-stage")
        || std::any_of(options.at.begin(), options.at.end(),
                       [](const SettingsAt &at) { return at.settings.has("cpu-stage"); });
    if (isMeasured && !hasStage && (options.settings.has("cpu-work") || lists.contains("cpu-work")))
        return sentence(
            "--cpu-work is what the CPU stage does, and there is none: add --cpu-stage serial or pipelined");
    return {};
}

Status checkTogether(const Options &options)
{
    JETSCOPE_TRY(checkOutputs(options));
    JETSCOPE_TRY(checkCpuWork(options));
    const bool forPipeline = options.source || options.deviceId || options.recordPath;
    if (options.command == Command::Window && !options.operands.empty() && forPipeline)
        return sentence("a file is shown in place of a pipeline: leave out " + quotedWords(options.operands[0])
                        + ", or --source, --device and --record");
    if (options.command == Command::Window && !options.hosts.empty()
        && (options.recordPath || options.framesBy || options.screenshotPath))
        return sentence("the window with --host shows a pipeline or a capture of that board: leave out --record, "
                        "--frames-by and --screenshot, and take them in the window");
    if (options.command == Command::Window && options.framesBy && options.operands.empty())
        return sentence("--frames-by names the frames of a trace of another program: give its file, too");
    if (options.afterFrames && !options.screenshotPath)
        return sentence("--after-frames says when to take a screenshot: add --screenshot FILE");
    if (options.afterFrames && !options.operands.empty())
        return sentence(
            "--after-frames counts the frames of a pipeline, and a file has none to wait for: leave it out");
    JETSCOPE_TRY(checkCaptures(options));
    if (options.command == Command::Sweep && !options.sweep.outPath)
        return sentence("a sweep needs a file for its results: add --out FILE.jscope");
    const SweepOptions &sweep = options.sweep;
    if (sweep.resume
        && (sweep.givesOther || options.deviceId || !options.settings.empty() || sweep.seed || sweep.paced))
        return sentence("--resume goes on with the choices in the file: give only --out, --rounds or --time beside "
                        "it, and --source and --filters where they allow what the file names");
    if (sweep.progress && !options.json)
        return sentence("--progress prints JSON lines before the result: add --json");
    const std::uint64_t frames = options.frames.value_or(kDefaultRunFrames);
    if (!options.at.empty() && options.at.back().frame >= frames)
        return sentence("--at " + std::to_string(options.at.back().frame) + " would never come: the run ends after "
                        + std::to_string(frames) + " frames, counted from 0; raise --frames or take an earlier frame");
    return {};
}

bool isHost(const GivenOption &given)
{
    return given.spec->name == "host";
}

/// --help and --version are answered here.
bool asksForText(const Words &words)
{
    return std::any_of(words.options.begin(), words.options.end(), [](const GivenOption &given) {
        return given.spec->name == "help" || given.spec->name == "version";
    });
}

} // namespace

Result<std::vector<GivenWord>> wordsForBoard(std::span<const std::string_view> words)
{
    JETSCOPE_TRY_ASSIGN(const Words sorted, sortWords(words));
    std::vector<GivenWord> all;
    if (!sorted.others.empty())
        all.push_back({std::string(sorted.others.front()), nullptr});
    for (const GivenOption &given : sorted.options) {
        if (isHost(given))
            continue;
        const std::string name = "--" + std::string(given.spec->name);
        if (given.values.size() == 1 && given.spec->file == FileUse::None) { // Its value may begin with "--".
            all.push_back({name + "=" + std::string(given.values[0]), nullptr});
            continue;
        }
        all.push_back({name, nullptr});
        for (const std::string_view value : given.values)
            all.push_back({std::string(value), given.spec->file == FileUse::None ? nullptr : given.spec});
    }
    if (sorted.others.size() > 1)
        all.push_back({"--", nullptr});
    for (std::size_t i = 1; i < sorted.others.size(); ++i)
        all.push_back({std::string(sorted.others[i]), nullptr});
    return all;
}

Result<Options> parseCommandLine(std::span<const std::string_view> words)
{
    JETSCOPE_TRY_ASSIGN(Words sorted, sortWords(words));
    JETSCOPE_TRY_ASSIGN(Command command, commandOf(sorted.others));
    Options options;
    options.command = command;
    // The window is here, only its pipeline is there; and captures come from there.
    const bool isForBoard = command != Command::Window && command != Command::Captures
        && std::any_of(sorted.options.begin(), sorted.options.end(), isHost) && !asksForText(sorted);
    // What the others mean may depend on the board.
    std::stable_partition(sorted.options.begin(), sorted.options.end(), isHost);
    for (const GivenOption &given : sorted.options) {
        if (!given.spec->belongsTo(options.command))
            return misplaced(*given.spec, options.command);
        if (!isForBoard || isHost(given))
            JETSCOPE_TRY(given.spec->apply(options, given.spec->name, given.values));
    }
    if (options.help || options.version || options.buildId || options.manPage || options.reference)
        return options;
    JETSCOPE_TRY_ASSIGN(options.operands, operandsOf(options.command, sorted.others));
    if (isForBoard)
        return options;
    if (options.command == Command::Compare)
        JETSCOPE_TRY(takeSides(options));
    JETSCOPE_TRY(checkTogether(options));
    return options;
}

} // namespace jetscope

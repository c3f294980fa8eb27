// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/trace/archiveoutput.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "core/board/boardfactrows.h"
#include "core/exchange/perfettoarchive.h"
#include "core/text/shorttext.h"
#include "core/tracefile/tracefile.h"

#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace jetscope {

namespace {

/// Captures of the same board are of one machine, which has the name of the first of their files. No other machine has
/// it: Perfetto takes machines of one name for the same.
class Machines {
public:
    std::string of(const std::string &path)
    {
        const std::string stem = std::filesystem::path(path).stem().string();
        const Result<std::string> board = captureFact(path, kBoardIdFact); // Traces of other programs have none.
        const std::string id = board.ok() && !board.value().empty() ? board.value() : "file " + path;
        const auto known = m_names.find(id);
        if (known != m_names.end())
            return known->second;
        std::string name = stem.empty() ? "capture" : stem;
        for (int i = 2; !m_taken.insert(name).second; ++i)
            name = stem + " (" + std::to_string(i) + ")";
        return m_names[id] = name;
    }
    std::size_t count() const { return m_names.size(); }

private:
    std::map<std::string, std::string> m_names; ///< By board.
    std::set<std::string> m_taken;
};

struct ArchiveCounts {
    std::size_t machines = 0;
    std::uint64_t spans = 0;
};

Result<ArchiveCounts> writeArchive(std::span<const std::string> inputs, const std::string &path, const Options &options,
                                   OpenProgress &progress)
{
    ArchiveCounts counts;
    Machines machines;
    JETSCOPE_TRY_ASSIGN(PerfettoArchive archive, PerfettoArchive::create(path));
    for (const std::string &input : inputs) {
        JETSCOPE_TRY_ASSIGN(const OpenedTrace opened,
                            openTrace(input, progress,
                                      options.mostSpans.value_or(std::numeric_limits<std::uint64_t>::max()),
                                      options.framesBy.value_or("")));
        JETSCOPE_TRY(
            archive.add(opened.trace, std::filesystem::path(input).stem().string(), machines.of(input), progress));
        counts.spans += opened.trace.spanCount();
    }
    JETSCOPE_TRY(archive.finish());
    counts.machines = machines.count();
    return counts;
}

} // namespace

int complainOrStop(const Error &error)
{
    if (wasCancelled(error))
        return complain(sentence("interrupted: nothing was written"), Failed);
    return complain(error, Failed);
}

int convertToArchive(const Options &options, OpenProgress &progress)
{
    const std::string &path = options.operands.back();
    const auto inputs = std::span(options.operands).first(options.operands.size() - 1);
    if (!path.ends_with(kArchiveEnding))
        return complain(
            sentence("several traces become one archive: the ending of " + quotedWords(path) + " is to be .tar"),
            WrongUsage);
    if (options.logPath || options.logOffsetSeconds || options.logIntervalSeconds)
        return complain(sentence("a log is added to one trace: convert each with its log first, into captures"),
                        WrongUsage);
    const Result<ArchiveCounts> written = writeArchive(inputs, path, options, progress);
    if (!written.ok())
        return complainOrStop(written.error());
    const auto [machines, spans] = written.value();
    if (options.json)
        return finishWith(jsonLine({{"in", JsonArray(inputs.begin(), inputs.end())},
                                    {"out", path},
                                    {"machines", machines},
                                    {"spans", spans}}),
                          Good);
    return finishWith(path + ": " + counted(inputs.size(), "trace") + " of " + counted(machines, "machine") + ", "
                          + counted(spans, "span") + "\n",
                      Good);
}

} // namespace jetscope

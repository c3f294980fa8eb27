// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tracenotes.h"

#include "core/system/database.h"
#include "core/system/newfile.h"
#include "core/system/regularfile.h"
#include "core/text/jsontext.h"
#include "core/text/shorttext.h"
#include "core/text/texthash.h"
#include "core/trace/timelimits.h"
#include "core/tracefile/capturekind.h"
#include "core/tracefile/tracefileschema.h"

#include <simdjson.h>

#include <filesystem>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotesFormat = "jetscope-notes-1";
constexpr std::size_t kMaxNotesBytes = std::size_t{32} << 20U;

bool isNote(std::int64_t startNs, std::int64_t endNs)
{
    return isTraceTime(startNs) && isTraceTime(endNs) && startNs <= endNs;
}

std::string textOfNotes(const std::string &trace, const std::vector<TraceNote> &notes)
{
    std::string text = "{\"format\":";
    appendJsonText(text, kNotesFormat);
    text += ",\"of\":";
    appendJsonText(text, trace);
    text += ",\"notes\":[";
    for (const TraceNote &note : notes) {
        text += &note == &notes.front() ? "\n{\"start_ns\":" : ",\n{\"start_ns\":";
        appendNumber(text, note.startNs);
        text += ",\"end_ns\":";
        appendNumber(text, note.endNs);
        text += ",\"text\":";
        appendJsonText(text, note.text);
        text += '}';
    }
    return text + "\n]}\n";
}

Result<std::vector<TraceNote>> parseNotes(const std::string &file, const std::string &text)
{
    const auto damaged = [&](const char *why) {
        return sentence(file + " holds no notes: " + why + "; move it away to begin anew");
    };
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    std::string_view format;
    simdjson::dom::array list;
    if (parser.parse(text).get(root) != simdjson::SUCCESS)
        return damaged("it is not JSON");
    if (root["format"].get(format) != simdjson::SUCCESS || format != kNotesFormat)
        return damaged("its format is another one");
    if (root["notes"].get(list) != simdjson::SUCCESS)
        return damaged("it has no list of them");
    std::vector<TraceNote> notes;
    for (const simdjson::dom::element each : list) {
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        std::string_view words;
        if (each["start_ns"].get(startNs) != simdjson::SUCCESS || each["end_ns"].get(endNs) != simdjson::SUCCESS
            || each["text"].get(words) != simdjson::SUCCESS || !isNote(startNs, endNs))
            return damaged("one of them has no time or text");
        if (notes.size() < kMaxTraceNotes)
            notes.push_back({startNs, endNs, std::string(shortText(words))});
    }
    return notes;
}

Status writeNotes(const std::string &file, const std::string &trace, const std::vector<TraceNote> &notes)
{
    return replaceFile(file, [&](const std::string &place) -> Status {
        JETSCOPE_TRY_ASSIGN(OutputFile out, OutputFile::create(place));
        out.write(textOfNotes(trace, notes));
        return out.finish();
    });
}

void removeQuietly(const std::string &file)
{
    std::error_code ignored;
    fs::remove(file, ignored);
}

bool notesExist(const std::string &file)
{
    std::error_code ignored;
    return fs::exists(file, ignored);
}

Status insertNotes(Database &database, const std::vector<TraceNote> &notes)
{
    JETSCOPE_TRY(database.run("CREATE TABLE IF NOT EXISTS notes" + std::string(kNoteColumns) + "; DELETE FROM notes"));
    JETSCOPE_TRY_ASSIGN(Statement insert, database.prepare("INSERT INTO notes VALUES(?,?,?)"));
    for (const TraceNote &note : notes) {
        insert.bind(1, note.startNs);
        insert.bind(2, note.endNs);
        insert.bind(3, std::string_view(note.text));
        if (!insert.run())
            return insert.status();
    }
    return {};
}

/// Whether the file is a capture, which then has the notes.
Result<bool> putIntoCapture(const std::string &trace, const std::vector<TraceNote> &notes)
{
    JETSCOPE_TRY_ASSIGN(const FileBeginning beginning, beginningOf(trace));
    JETSCOPE_TRY_ASSIGN(const bool capture, isCapture(trace, beginning));
    if (!capture)
        return false;
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(trace, Database::Access::ReadWrite));
    JETSCOPE_TRY(database.run("BEGIN IMMEDIATE"));
    JETSCOPE_TRY(insertNotes(database, notes));
    JETSCOPE_TRY(database.run("COMMIT"));
    return true;
}

} // namespace

std::string notesBeside(const std::string &trace)
{
    return trace + ".notes.json";
}

std::string notesIn(const std::string &folder, const std::string &trace)
{
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(fs::absolute(trace, ignored), ignored);
    return folder + "/" + whole.filename().string() + "-" + std::to_string(textHash(whole.string())) + ".notes.json";
}

Result<std::optional<std::vector<TraceNote>>> keptNotes(const std::string &trace, const std::string &folder)
{
    for (const std::string &file : {notesIn(folder, trace), notesBeside(trace)}) {
        if (!notesExist(file))
            continue;
        JETSCOPE_TRY_ASSIGN(const std::string text, readRegularFile(file, kMaxNotesBytes));
        JETSCOPE_TRY_ASSIGN(std::vector<TraceNote> notes, parseNotes(file, text));
        return std::optional(std::move(notes));
    }
    return std::optional<std::vector<TraceNote>>();
}

Result<std::string> keepNotes(const std::string &trace, const std::vector<TraceNote> &notes, const std::string &folder)
{
    const std::string beside = notesBeside(trace);
    const std::string elsewhere = notesIn(folder, trace);
    const Result<bool> inCapture = putIntoCapture(trace, notes);
    if (inCapture.ok() && inCapture.value()) {
        removeQuietly(beside);
        removeQuietly(elsewhere);
        return trace;
    }
    if (writeNotes(beside, trace, notes).ok()) {
        removeQuietly(elsewhere);
        return beside;
    }
    std::error_code made;
    fs::create_directories(folder, made);
    JETSCOPE_TRY(writeNotes(elsewhere, trace, notes));
    return elsewhere;
}

} // namespace jetscope

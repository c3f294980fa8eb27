// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"

#include "core/exchange/bytesource.h"
#include "core/exchange/countertable.h"
#include "core/exchange/importers.h"
#include "core/exchange/tegrastatsline.h"
#include "core/exchange/tegrastatsstamp.h"
#include "core/tracefile/capturekind.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>

namespace jetscope {

namespace {

/// A kind of file that Jetscope does not read, but knows by its first bytes: the error says what it is and what gives a
/// trace that can be read.
struct ForeignFormat {
    std::string_view name;   ///< "a Perfetto trace (protobuf)".
    std::string_view remedy; ///< What to do instead.
    /// Whether the first bytes of a file, unpacked, are of this kind.
    bool (*matches)(std::string_view beginning);
};

using namespace std::string_view_literals;

bool hasPart(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool hasAll(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return hasPart(text, part); });
}

/// The first character that is no space, after a mark of UTF-8.
char firstOf(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? '\0' : text[at];
}

/// JSON in whose beginning no event of a Chrome trace stands.
bool isOtherJson(std::string_view text, char bracket)
{
    return firstOf(text) == bracket && !hasPart(text, "\"traceEvents\"") && !hasPart(text, "\"ph\"");
}

// --- protobuf, which has no magic number: a message begins with a field's tag and length

/// The content of a length-delimited field 1 at the beginning, as far as it is there. A text that begins with an empty
/// line is none.
std::optional<std::string_view> firstMessage(std::string_view bytes)
{
    constexpr std::size_t kMaxLengthBytes = 5;
    const auto isBinary = [](unsigned char c) { return c < '\t'; };
    if (!bytes.starts_with('\x0a') || std::none_of(bytes.begin(), bytes.end(), isBinary))
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 1; i < bytes.size() && i <= kMaxLengthBytes; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        length |= std::size_t{byte & 0x7fU} << (7 * (i - 1));
        if ((byte & 0x80U) == 0)
            return bytes.substr(i + 1, length);
    }
    return std::nullopt;
}

/// Perfetto: fields 1 of packets, one behind the other, each with a field that every packet may have.
bool isPerfetto(std::string_view bytes)
{
    const auto first = firstMessage(bytes);
    if (!first || first->size() < 2)
        return false;
    const std::size_t next = static_cast<std::size_t>(first->data() - bytes.data()) + first->size();
    // Kernel events, process tree, user, clocks, time, sequence, event, texts, flags; all others have tags of two
    // bytes.
    constexpr std::string_view kTags = "\x0a\x12\x18\x32\x40\x50\x5a\x62\x68"sv;
    const bool plausible = static_cast<unsigned char>(first->front()) >= 0x80 || hasPart(kTags, first->substr(0, 1));
    return plausible && (next >= bytes.size() || bytes[next] == '\x0a');
}

/// pprof: field 1 is a pair of indices into the table of texts.
bool isPprof(std::string_view bytes)
{
    constexpr std::size_t kMaxBytes = 12;
    const auto first = firstMessage(bytes);
    return first && first->size() >= 2 && first->size() <= kMaxBytes
        && (first->front() == '\x08' || first->front() == '\x10');
}

/// XLA's XSpace: planes named after hosts and devices.
bool isXSpace(std::string_view bytes)
{
    return firstMessage(bytes) && (hasPart(bytes, "/host:") || hasPart(bytes, "/device:"));
}

bool isHtml(std::string_view text)
{
    return firstOf(text) == '<'
        && (hasPart(text, "<html") || hasPart(text, "<HTML") || hasPart(text, "<!DOCTYPE html")
            || hasPart(text, "<!doctype html"));
}

bool isPerfScript(std::string_view text)
{
    return hasAll(text, {" cycles", ": \n"}) || (hasPart(text, "cpu-clock:") && hasPart(text, "([kernel.kallsyms])"));
}

/// What a tool printed, and no log of tegrastats among whose lines it stands.
bool isPrinted(std::string_view text)
{
    return firstOf(text) != '{' && firstOf(text) != '[' && !looksLikeTegrastats(text);
}

/// Lines of "nsys export --type json", or of its older form with the name of a table in each.
bool isNsysJson(std::string_view text)
{
    const bool isEvent = hasPart(text, "\"CudaEvent\"") || hasPart(text, "\"NvtxEvent\"")
        || hasPart(text, "\"TraceProcessEvent\"") || hasPart(text, "\"SchedEvent\"") || hasPart(text, "\"OsrtEvent\"");
    return isOtherJson(text, '{') && (hasPart(text, "\"TableName\"") || (hasPart(text, "\"Type\"") && isEvent));
}

/// The beginning of a stream or report names the program that wrote it, behind at most a few bytes.
bool isNsysFile(std::string_view bytes, std::string_view kind)
{
    constexpr std::size_t kNameBytes = 64;
    const std::string_view name = bytes.substr(0, kNameBytes);
    return hasPart(name, kind) && (hasPart(name, "NVIDIA Nsight Systems ") || hasPart(name, "NVIDIA Tegra Profiler "));
}

constexpr std::string_view kExportNsys =
    "export the report with \"nsys export --type sqlite REPORT\" and give the .sqlite";
constexpr std::string_view kTakeCounters =
    "record with \"tegrastats --logfile FILE\", or with \"nvidia-smi --query-gpu=timestamp,utilization.gpu,memory.used "
    "--format=csv -l 1\"";

constexpr std::string_view kTakeTrace =
    "record it with Nsight Systems (nsys export --type sqlite), torch.profiler or Perfetto";
constexpr std::string_view kTraceconv = "convert it with \"traceconv json IN OUT.json\" of Perfetto and open OUT.json";

constexpr ForeignFormat kForeignFormats[] = {
    // trtexec; its times are read.
    {"the list of layers of trtexec (--exportLayerInfo), which has no times",
     "give what trtexec writes with --exportTimes, or record a trace with \"nsys profile trtexec …\"",
     [](std::string_view text) {
         return isOtherJson(text, '{') && hasPart(text, "\"Layers\"") && hasPart(text, "\"Bindings\"");
     }},
    {"the profile of layers of trtexec (--exportProfile), which has sums but no times of begin and end",
     "give what trtexec writes with --exportTimes, or record a trace with \"nsys profile trtexec …\"",
     [](std::string_view text) {
         return isOtherJson(text, '[') && hasAll(text, {"\"averageMs\"", "\"percentage\""});
     }},
    // Nsight Systems, but for its export as SQLite.
    {"a report of Nsight Systems", kExportNsys, [](std::string_view bytes) { return isNsysFile(bytes, " Report"); }},
    {"a stream of Nsight Systems (.qdstrm), of which no report was made",
     "make the report with QdstrmImporter of Nsight Systems, then export it with \"nsys export --type sqlite REPORT\"",
     [](std::string_view bytes) { return isNsysFile(bytes, " Stream"); }},
    {"an export of Nsight Systems as JSON", kExportNsys, isNsysJson},
    {"a table of HDF5", kExportNsys, [](std::string_view bytes) { return bytes.starts_with("\x89HDF\r\n\x1a\n"); }},
    {"a table of Apache Arrow", kExportNsys, [](std::string_view bytes) { return bytes.starts_with("ARROW1"sv); }},
    {"a table of Apache Parquet", kExportNsys, [](std::string_view bytes) { return bytes.starts_with("PAR1"); }},
    {"statistics of nsys stats, which have sums and no times", kExportNsys,
     [](std::string_view text) {
         return isPrinted(text) && hasAll(text, {"Time (%)", "Total Time (ns)"});
     }},
    // Logs of the machine.
    {"a log of docker as JSON", "take the lines with their times: docker logs -t CONTAINER > FILE",
     [](std::string_view text) {
         return isOtherJson(text, '{') && hasAll(text, {"{\"log\":", "\"stream\":"});
     }},
    {"a log of journald as JSON", "take it as text: journalctl -o short-iso-precise -u UNIT > FILE",
     [](std::string_view text) { return isOtherJson(text, '{') && hasPart(text, "\"__REALTIME_TIMESTAMP\""); }},
    {"what nvidia-smi dmon or pmon prints", kTakeCounters,
     [](std::string_view text) { return text.starts_with("# gpu ") || text.starts_with("#Date "); }},
    {"the table that nvidia-smi prints", kTakeCounters,
     [](std::string_view text) {
         return isPrinted(text) && hasAll(text, {"| NVIDIA-SMI ", "Driver Version:"});
     }},
    {"what top, vmstat, mpstat or free prints", kTakeCounters,
     [](std::string_view text) {
         const bool isKnown = text.starts_with("top - ") || text.starts_with("procs -----")
             || (text.starts_with("Linux ") && hasPart(text, " CPU)"))
             || (text.starts_with("       ") && hasAll(text, {" total ", " used ", " free "}));
         return isKnown && isPrinted(text);
     }},
    // JSON of other profilers.
    {"a profile of speedscope", kTakeTrace,
     [](std::string_view text) {
         return isOtherJson(text, '{') && hasPart(text, "speedscope.app/file-format-schema");
     }},
    {"a profile of Firefox", kTakeTrace,
     [](std::string_view text) {
         return isOtherJson(text, '{') && hasAll(text, {"\"meta\"", "\"interval\"", "\"processType\""});
     }},
    {"a trace of rocprofv3 in its own JSON",
     "record with --output-format pftrace and convert that with \"traceconv json IN OUT.json\" of Perfetto",
     [](std::string_view text) { return isOtherJson(text, '{') && hasPart(text, "\"rocprofiler-sdk-tool\""); }},
    {"a profile of V8 (.cpuprofile), which has samples and no spans", "record a trace of Chrome's performance panel",
     [](std::string_view text) {
         return isOtherJson(text, '{') && hasAll(text, {"\"nodes\"", "\"callFrame\""});
     }},
    // Text and HTML.
    {"a trace of Android (systrace) in HTML", kTraceconv,
     [](std::string_view text) {
         return isHtml(text)
             && (hasPart(text, "trace-viewer") || hasPart(text, "tracing") || hasPart(text, "systrace"));
     }},
    {"a page of HTML", "give the trace itself: perhaps the file is the page that offers it",
     [](std::string_view text) { return isHtml(text); }},
    {"a trace of the Linux kernel (ftrace) as text", kTraceconv,
     [](std::string_view text) { return text.starts_with("# tracer:") || text.starts_with("TRACE:\n"); }},
    {"the samples of \"perf script\", which have no spans", kTakeTrace, isPerfScript},
    // Binary files.
    {"a recording of perf, which has samples and no spans", kTakeTrace,
     [](std::string_view bytes) { return bytes.starts_with("PERFILE2") || bytes.starts_with("2ELIFREP"); }},
    {"a recording of trace-cmd", "record the same with Perfetto, then convert it with \"traceconv json IN OUT.json\"",
     [](std::string_view bytes) { return bytes.starts_with("\x17\x08\x44tracing"); }},
    {"a recording of Tracy, which only Tracy reads", kTakeTrace,
     [](std::string_view bytes) {
         return bytes.starts_with("tlZ\x04") || bytes.starts_with("tZst") || bytes.starts_with("tracy");
     }},
    {"an archive (zip)", "unpack it and give the trace in it",
     [](std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }},
    {"a profile of XLA (XSpace, .xplane.pb)", "give the file ….trace.json.gz beside it", isXSpace},
    {"a profile of pprof, which has sums and no times", kTakeTrace, isPprof},
    {"a trace of Perfetto (protobuf)", kTraceconv, isPerfetto},
};

/// Empty if the file is of no known foreign kind. A trace that can be read is never one.
const ForeignFormat *foreignFormatOf(std::string_view beginning)
{
    const auto *const found = std::find_if(std::begin(kForeignFormats), std::end(kForeignFormats),
                                           [&](const ForeignFormat &format) { return format.matches(beginning); });
    return found == std::end(kForeignFormats) ? nullptr : found;
}

/// "PATH is NAME, which Jetscope does not read: REMEDY".
Error refusal(const std::string &path, const ForeignFormat &format)
{
    return sentence(path + " is " + std::string(format.name) + ": " + std::string(format.remedy));
}

constexpr std::size_t kUnpackedBytes = 1 << 16;

/// The beginning of what a packed file holds; empty if it cannot be unpacked, which its reader reports.
std::string unpackedBeginning(const std::string &path)
{
    std::string bytes(kUnpackedBytes, '\0');
    Result<ByteSource> source = ByteSource::open(path);
    const Result<std::size_t> size = source.ok() ? source.value().read(bytes) : Result<std::size_t>(0);
    bytes.resize(size.ok() ? size.value() : 0);
    return bytes;
}

} // namespace

Result<FileKind> fileKindOf(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileBeginning beginning, beginningOf(path));
    std::string_view bytes = beginning.bytes;
    if (isDatabase(bytes)) {
        JETSCOPE_TRY_ASSIGN(const bool capture, isCapture(path, beginning));
        return capture ? FileKind::Capture : FileKind::OtherDatabase;
    }
    const bool isPacked = bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
    const std::string unpacked = isPacked ? unpackedBeginning(path) : std::string();
    const std::string_view content = isPacked ? std::string_view(unpacked) : bytes;
    if (const ForeignFormat *const foreign = foreignFormatOf(content))
        return refusal(path, *foreign);
    if (looksLikeTrtexecTimes(content))
        return FileKind::TrtexecTimes;
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    // A log whose lines begin with a time in brackets looks like a list.
    if (lineStampOf(bytes).kind != LineStamp::Kind::None && looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    if (first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '['))
        return FileKind::Json;
    if (isPacked)
        return FileKind::Json; // Compressed with gzip or zstd, which is only supported for JSON.
    if (looksLikeCounterTable(bytes))
        return FileKind::CounterTable;
    if (looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    return sentence(
        path
        + " is not a trace that Jetscope can read: give a .jscope capture, a Chrome trace (JSON), an Nsight "
          "Systems export made with \"nsys export --type sqlite\", a log of tegrastats or a table of jtop or "
          "nvidia-smi");
}

} // namespace jetscope

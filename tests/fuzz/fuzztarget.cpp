// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzztarget.h"

#include "core/exchange/opentrace.h"
#include "core/system/besidedatabase.h"
#include "core/verify/verifyjson.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>

namespace jetscope::test {

namespace {

class NobodyLooks : public OpenProgress {
public:
    bool advance(double) override { return true; }
};

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A file in /dev/shm that the destructor removes.
class MemoryFile {
public:
    MemoryFile() : m_path("/dev/shm/jetscope-fuzz-XXXXXX"), m_file(mkstemp(m_path.data()))
    {
        if (m_file < 0)
            fail("no file can be made in /dev/shm");
    }
    ~MemoryFile()
    {
        close(m_file);
        unlink(m_path.c_str());
        removeBeside();
    }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    void fill(const std::uint8_t *bytes, std::size_t size)
    {
        removeBeside(); // What reading one database leaves must not be read with the next.
        if (ftruncate(m_file, 0) != 0 || pwrite(m_file, bytes, size, 0) != static_cast<ssize_t>(size))
            fail("the file in /dev/shm cannot be written");
    }
    const std::string &path() const { return m_path; }

private:
    void removeBeside() const
    {
        for (const char *suffix : kBesideDatabase)
            unlink((m_path + suffix).c_str());
    }

    std::string m_path;
    int m_file;
};

} // namespace

void openBytes(const std::uint8_t *bytes, std::size_t size)
{
    static MemoryFile file;
    file.fill(bytes, size);
    NobodyLooks nobody;
    const Result<OpenedTrace> opened = openTrace(file.path(), nobody);
    if (!opened.ok()) {
        const std::string &text = opened.error().text;
        if (text.empty() || text.size() > 600 || text.find('\n') != std::string::npos)
            fail("an error is one sentence");
        return;
    }
    const Trace &trace = opened.value().trace;
    // A file's content is proportional to its size; a packed one may become 200 times as large.
    const std::string_view head(reinterpret_cast<const char *>(bytes), size);
    const bool isPacked = head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd");
    const std::size_t most = isPacked ? (64 << 20) + 200 * size : size;
    if (trace.spanCount() > most || trace.frames().endIndex() > most || trace.edges().size() > most
        || trace.memoryBytes() > (64 << 20) + 64 * most)
        fail("a small file became a large trace");
    for (const CounterTrack &counter : trace.counters())
        if (counter.info().name.empty() || counter.info().name.size() > most + 64)
            fail("a counter has no name of this file");
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            if (track.at(i).durationNs < 0 || track.at(i).name >= trace.names().size())
                fail("a span is none");
}

void openVerification(const std::uint8_t *bytes, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(bytes), size);
    const Result<VerifyReport> report = verifyReportOf(text);
    if (!report.ok()) {
        if (report.error().text.empty() || report.error().text.size() > 600)
            fail("an error is one sentence");
        return;
    }
    // What was read is written and read again as the same.
    const std::string written = verifyJson(report.value());
    const Result<VerifyReport> again = verifyReportOf(written);
    if (!again.ok() || verifyJson(again.value()) != written)
        fail("a report does not come back");
}

} // namespace jetscope::test

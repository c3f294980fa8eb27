// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Orders that programs make by documented means, each with the mistake beside it, by their calls.
#include "core/attach/model/workbounds.h"

#include "madeledger.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <functional>

using namespace jetscope;

class AttachOrderTest : public QObject {
    Q_OBJECT

private slots:
    void judgesSequences_data();
    void judgesSequences();
    void judgesFrames_data();
    void judgesFrames();
    void readsRowsOfImages_data();
    void readsRowsOfImages();
    void followsManyStreams();
    void followsManyProcesses();
    void survivesImpossibleStreams();
    void saysWhatItForgets();
    void namesMemory();
    void believesCallsThatOverlap_data();
    void believesCallsThatOverlap();
};

namespace {

using Calls = std::vector<AttachEvent>;

constexpr std::uint64_t kOther = 0x700000; // A non-blocking stream.
constexpr std::uint64_t kEvent = 0x30000, kSync = 0x40000, kFence = 0x48000;
constexpr std::uint64_t kPinned = 0xA0000, kPool = 0xB0000, kManaged = 0xC0000, kMore = 0x10800;
constexpr std::uint64_t kRgba = 0x1908 | 0x1401ULL << 32;

AttachEvent call(jsa_call function, std::array<std::uint64_t, JSA_ARGUMENTS> argument = {})
{
    return madeCall(function, 0, argument);
}
AttachEvent in(std::uint64_t stream)
{
    return call(JSA_CALL_cuMemcpyHtoDAsync_v2, {stream, 0x10000, kPinned, 64, JSA_COPY_TO_DEVICE});
}
AttachEvent out(std::uint64_t stream)
{
    return call(JSA_CALL_cuMemcpyDtoHAsync_v2, {stream, kPinned, 0x10000, 64, JSA_COPY_TO_HOST});
}
AttachEvent launch(std::uint64_t stream)
{
    return call(JSA_CALL_cuLaunchKernel, {stream, 1});
}
AttachEvent record(std::uint64_t stream)
{
    return call(JSA_CALL_cuEventRecord, {kEvent, stream});
}
AttachEvent waitFor(std::uint64_t stream)
{
    return call(JSA_CALL_cuStreamSynchronize, {stream});
}
AttachEvent unmap(std::uint64_t stream)
{
    return call(JSA_CALL_cuGraphicsUnmapResources, {1, stream});
}
const AttachEvent kFreePinned = call(JSA_CALL_cuMemFreeHost, {kPinned});
const AttachEvent kMakeEvent = call(JSA_CALL_cuEventCreate, {kEvent});
const AttachEvent kMakeSync = call(JSA_CALL_eglCreateSync, {kSync, 0x323B, kEvent});
const AttachEvent kGlWaits = call(JSA_CALL_eglWaitSync, {kSync});
const AttachEvent kFinish = call(JSA_CALL_glFinish);
const AttachEvent kGraph = call(JSA_CALL_cuGraphLaunch, {kFree});
const AttachEvent kSwap = call(JSA_CALL_eglSwapBuffers, {1});

/// A ledger with memory of each kind, and the calls of a frame in it, again and again.
MadeLedger ledgerOf(const Calls &calls, std::uint32_t frames = 1, std::optional<bool> concurrent = {})
{
    MadeLedger ledger;
    ledger.setConcurrentManagedAccess(concurrent);
    std::int64_t ns = 1000;
    const auto take = [&](AttachEvent event, std::uint32_t frame) {
        event.startNs = ns += 1000;
        event.endNs = event.startNs + 100;
        ledger.take(event, 1, 1, frame);
    };
    for (const AttachEvent &made :
         {call(JSA_CALL_cuStreamCreate, {kBlocking, 0}), call(JSA_CALL_cuStreamCreate, {kFree, 1}),
          call(JSA_CALL_cuStreamCreate, {kOther, 1}), call(JSA_CALL_cuMemAlloc_v2, {0x10000, 4096}),
          call(JSA_CALL_cuMemHostAlloc, {kPinned, 4096}), call(JSA_CALL_cuMemAllocAsync, {kPool, 4096})})
        take(made, 0);
    for (std::uint32_t frame = 0; frame < frames; ++frame)
        for (const AttachEvent &event : calls)
            take(event, frame);
    return ledger;
}

/// "seen hazard-B5"
QStringList foundIn(const CallLedger &ledger, std::uint32_t frames = 1)
{
    QStringList found;
    for (const WasteFinding &finding : ledger.findings(frames))
        found += QString::fromStdString(std::string(nameOf(finding.grade)) + " " + finding.what);
    return found;
}

std::string reasonOf(const CallLedger &ledger, const std::string &what)
{
    for (const WasteCheck &check : ledger.checks())
        if (check.what == what)
            return check.reason;
    return "there is no such check";
}

void addRow(const char *name, const Calls &calls, const char *found)
{
    QTest::newRow(name) << calls << QString(found);
}

} // namespace

/// What the program submits for itself is its newest work, not what the ledger does to keep the order (rule D1).
static void addSyncs()
{
    addRow("sync of the default stream", {record(0), kMakeSync}, "");
    addRow("sync of the default stream, behind others", {launch(kBlocking), record(0), kMakeSync}, "");
    addRow("sync, then work of the default stream", {record(kBlocking), launch(0), kMakeSync}, "");
    addRow("sync behind an unmapping", {record(kFree), unmap(kFree), kMakeSync}, "");
    addRow("late sync of the default stream", {record(0), launch(0), kMakeSync}, "seen hazard-D1");
    addRow("sync behind another record",
           {launch(kFree), record(kFree), call(JSA_CALL_cuEventRecord, {kEvent + 8, kFree}), kMakeSync}, "");
    addRow("sync of what is complete", {record(kFree), waitFor(kFree), launch(kFree), kMakeSync}, "");
    addRow("sync of a stream that is gone",
           {record(kFree), waitFor(kFree), call(JSA_CALL_cuStreamDestroy_v2, {kFree}),
            call(JSA_CALL_cuStreamCreate, {kFree + 8, 1}), launch(kFree + 8), kMakeSync},
           "");
    addRow("late sync", {record(kBlocking), launch(kBlocking), kMakeSync}, "seen hazard-D1");
}

/// GL waits for work of CUDA, and the CPU for GL.
static void addGl()
{
    const AttachEvent fence = call(JSA_CALL_glFenceSync, {kFence});
    const AttachEvent clientWait = call(JSA_CALL_glClientWaitSync, {kFence, 0, 0x911A}); // GL_ALREADY_SIGNALED
    const AttachEvent timeout = call(JSA_CALL_glClientWaitSync, {kFence, 0, 0x911B});
    const Calls sync{in(kFree), record(kFree), kMakeSync, kGlWaits};
    const auto after = [](Calls calls, const Calls &more) {
        calls.insert(calls.end(), more.begin(), more.end());
        return calls;
    };
    addRow("GL waits, glFinish", after(sync, {kFinish, kFreePinned}), "");
    addRow("GL waits, a fence", after(sync, {fence, clientWait, kFreePinned}), "");
    addRow("GL waits, a fence is asked", after(sync, {fence, call(JSA_CALL_glGetSynciv, {kFence}), kFreePinned}), "");
    addRow("GL waits, glReadPixels", after(sync, {call(JSA_CALL_glReadPixels, {1, 1, 0x8, kRgba}), kFreePinned}), "");
    addRow("GL waits, the CPU does not", after(sync, {kFreePinned}), "seen hazard-A11");
    addRow("GL waits, the CPU not long enough", after(sync, {fence, timeout, kFreePinned}), "seen hazard-A11");
    addRow("GL does not wait", {in(kFree), record(kFree), kMakeSync, kFinish, kFreePinned}, "seen hazard-A11");
    addRow("GL waits for what is before", {record(kFree), kMakeSync, kGlWaits, in(kFree), kFinish, kFreePinned},
           "seen hazard-A11");
    addRow("the sync is asked",
           {in(kFree), record(kFree), kMakeSync, call(JSA_CALL_eglGetSyncAttrib, {kSync}), kFreePinned}, "");
    addRow("unmapped, glFinish", {in(kFree), unmap(kFree), kFinish, kFreePinned}, "");
    addRow("unmapped in the default stream, glFinish", {in(kBlocking), unmap(0), kFinish, kFreePinned}, "");
    addRow("unmapped in another stream, glFinish", {in(kFree), unmap(kOther), kFinish, kFreePinned}, "seen hazard-A11");
    addRow("a frame of an EGLStream, glFinish",
           {in(kFree), call(JSA_CALL_cuEGLStreamProducerPresentFrame), kFinish, kFreePinned}, "");
    addRow("a frame of an EGLStream", {in(kFree), call(JSA_CALL_cuEGLStreamProducerPresentFrame), kFreePinned},
           "seen hazard-A11");
    addRow("a frame of an EGLStream, taken in another stream",
           {in(kFree), call(JSA_CALL_cuEGLStreamProducerPresentFrame), call(JSA_CALL_cuEGLStreamConsumerAcquireFrame),
            out(kOther)},
           "");
    addRow("unmapped, and nothing waits", {in(kFree), unmap(kFree), kFreePinned}, "seen hazard-A11");
    addRow("unmapped, mapped in another stream",
           {in(kFree), unmap(kFree), call(JSA_CALL_cuGraphicsMapResources, {1, kOther}), out(kOther)}, "");
    addRow("a stream waits for GL, which waits",
           after(sync,
                 {call(JSA_CALL_eglCreateSync, {kFence, 0x30F9}),
                  call(JSA_CALL_cuEventCreateFromEGLSync, {kEvent + 8, 0, kFence}),
                  call(JSA_CALL_cuStreamWaitEvent, {kOther, kEvent + 8}), out(kOther)}),
           "");
    addRow("a stream waits for GL, which does not",
           {in(kFree), call(JSA_CALL_eglCreateSync, {kFence, 0x30F9}),
            call(JSA_CALL_cuEventCreateFromEGLSync, {kEvent + 8, 0, kFence}),
            call(JSA_CALL_cuStreamWaitEvent, {kOther, kEvent + 8}), out(kOther)},
           "seen hazard-B5");
}

/// Events may be recorded, and waited for, by graphs and by functions that are not in the table.
static void addEventsOfOthers()
{
    const AttachEvent cpuWaits = call(JSA_CALL_cuEventSynchronize, {kEvent});
    const AttachEvent streamWaits = call(JSA_CALL_cuStreamWaitEvent, {kOther, kEvent});
    addRow("an event of a graph, the CPU", {kMakeEvent, out(kFree), kGraph, cpuWaits, kFreePinned}, "");
    addRow("an event of a graph, a stream", {kMakeEvent, in(kFree), kGraph, streamWaits, out(kOther)}, "");
    addRow("an event of a captured record",
           {in(kFree), record(kFree), call(JSA_CALL_cuStreamBeginCapture_v2, {kBlocking}), record(kBlocking),
            call(JSA_CALL_cuStreamEndCapture, {kBlocking}), in(kFree), kGraph, streamWaits, out(kOther)},
           "");
    addRow("an event that another process records", {out(kFree), cpuWaits, kFreePinned}, "");
    addRow("an event that is never recorded", {kMakeEvent, out(kFree), cpuWaits, kFreePinned}, "seen hazard-A11");
    addRow("an event recorded before", {kMakeEvent, record(kFree), in(kFree), streamWaits, out(kOther)},
           "seen hazard-B5");
    addRow("an event recorded before, and graphs",
           {kMakeEvent, record(kFree), in(kFree), kGraph, streamWaits, out(kOther)}, "possible hazard-B5");
    addRow("freed, and graphs", {out(kFree), kGraph, kFreePinned}, "possible hazard-A11");
    addRow("never recorded, and graphs", {kMakeEvent, kGraph, launch(kFree), kMakeSync, kGlWaits}, "");
    addRow("a semaphore of another API",
           {out(kFree), call(JSA_CALL_cuSignalExternalSemaphoresAsync, {kFree, 1}), kFreePinned}, "");
    addRow("an earlier semaphore",
           {call(JSA_CALL_cuSignalExternalSemaphoresAsync, {kFree, 1}), out(kFree), kFreePinned}, "seen hazard-A11");
    addRow("an event of a context",
           {kMakeEvent, out(kFree), call(JSA_CALL_cuCtxRecordEvent, {kEvent}), cpuWaits, kFreePinned}, "");
    addRow("a context waits",
           {out(kFree), record(kFree), call(JSA_CALL_cuCtxWaitEvent, {kEvent}),
            call(JSA_CALL_cuMemcpyHtoDAsync_v2, {kOther, 0x10000, 0x90000, 64, JSA_COPY_TO_DEVICE})},
           "");
    addRow(
        "EGL waits for an event of a graph",
        {kMakeEvent, out(kFree), call(JSA_CALL_cuCtxRecordEvent, {kEvent}), kMakeSync, kGlWaits, kFinish, kFreePinned},
        "");
}

/// "API synchronization behavior" of the driver's reference.
static void addBlockingCalls()
{
    const AttachEvent set = call(JSA_CALL_cuMemsetD8_v2, {0, kPinned, 64, 1});
    const AttachEvent setLater = call(JSA_CALL_cuMemsetD8Async, {kFree, kPinned, 64, 1});
    const auto pageable = [](jsa_call function, std::uint64_t stream) {
        return call(function, {stream, kMore, 0x90000, 64, JSA_COPY_TO_DEVICE});
    };
    addRow("set of pinned memory", {set, kFreePinned}, "");
    addRow("set of pinned memory, asynchronous", {setLater, kFreePinned}, "seen hazard-A11");
    addRow("set of device memory", {out(kBlocking), call(JSA_CALL_cuMemsetD8_v2, {0, kMore, 64, 1}), kFreePinned},
           "seen hazard-A11");
    addRow("blocking copy from pageable memory", {out(kBlocking), pageable(JSA_CALL_cuMemcpyHtoD_v2, 0), kFreePinned},
           "");
    addRow("the same beside a non-blocking stream", {out(kFree), pageable(JSA_CALL_cuMemcpyHtoD_v2, 0), kFreePinned},
           "seen hazard-A11");
    addRow("asynchronous copy from pageable memory",
           {out(kFree), pageable(JSA_CALL_cuMemcpyHtoDAsync_v2, kFree), kFreePinned}, "seen hazard-A11");
    const AttachEvent intoPool = call(JSA_CALL_cuMemcpyHtoDAsync_v2, {kFree, kPool, 0x90000, 64, JSA_COPY_TO_DEVICE});
    addRow("cuMemFree of device memory", {in(kFree), call(JSA_CALL_cuMemFree_v2, {0x10000}), kFreePinned}, "");
    addRow("cuMemFree of a pool's memory", {intoPool, call(JSA_CALL_cuMemFree_v2, {kPool})}, "seen hazard-A11");
    addRow("cuMemFree of a pool's memory, later", {intoPool, waitFor(kFree), call(JSA_CALL_cuMemFree_v2, {kPool})}, "");
    addRow("cuMemFree of a pool's memory beside a copy", {in(kFree), call(JSA_CALL_cuMemFree_v2, {kPool}), kFreePinned},
           "seen hazard-A11");
}

void AttachOrderTest::judgesSequences_data()
{
    QTest::addColumn<Calls>("calls");
    QTest::addColumn<QString>("found");
    addSyncs();
    addGl();
    addEventsOfOthers();
    addBlockingCalls();
}

void AttachOrderTest::judgesSequences()
{
    QFETCH(Calls, calls);
    QFETCH(QString, found);
    QCOMPARE(foundIn(ledgerOf(calls)).join(' '), found);
}

void AttachOrderTest::judgesFrames_data()
{
    QTest::addColumn<Calls>("calls");
    QTest::addColumn<QString>("known");
    QTest::addColumn<QString>("unknown");
    const auto row = [](const char *name, const Calls &calls, const char *known, const char *unknown) {
        QTest::newRow(name) << calls << QString(known) << QString(unknown);
    };
    const AttachEvent makeManaged = call(JSA_CALL_cuMemAllocManaged, {kManaged, 4096, 1});
    const AttachEvent makeOfHost = call(JSA_CALL_cuMemAllocManaged, {kManaged, 4096, 2});
    const AttachEvent setManaged = call(JSA_CALL_cuMemsetD8Async, {kFree, kManaged, 64, 1});
    row("unmapped, glFinish", {in(kFree), unmap(kFree), kFinish, kSwap}, "", "");
    row("unmapped", {in(kFree), unmap(kFree), kSwap}, "possible hazard-O1", "possible hazard-O1");
    // The CPU uses managed memory where no kernel is in flight: at the top, or at the end.
    row("waits first", {makeManaged, waitFor(kFree), launch(kFree), kSwap}, "", "");
    row("waits last", {makeManaged, launch(kFree), waitFor(kFree), kSwap}, "", "");
    row("never waits", {makeManaged, launch(kFree), kSwap}, "possible hazard-A1", "possible hazard-A1");
    row("memory of the host", {makeOfHost, setManaged}, "seen hazard-A5", "possible hazard-A5");
}

void AttachOrderTest::judgesFrames()
{
    constexpr std::uint32_t kFrames = 30;
    QFETCH(Calls, calls);
    QFETCH(QString, known);
    QFETCH(QString, unknown);
    QCOMPARE(foundIn(ledgerOf(calls, kFrames, false), kFrames).join(' '), known);
    QCOMPARE(foundIn(ledgerOf(calls, kFrames), kFrames).join(' '), unknown);
}

void AttachOrderTest::readsRowsOfImages_data()
{
    QTest::addColumn<Calls>("calls");
    QTest::addColumn<QString>("found");
    // A copy writes the right half of 16 rows of 128 bytes.
    AttachEvent half = call(JSA_CALL_cuMemcpy2DAsync_v2, {kFree, kPinned + 64, 0x10000, 1024, JSA_COPY_TO_HOST});
    half.operations = {{64, 16, 128, 128, JSA_COPY_TO_HOST}};
    const auto store = [](std::uint64_t parameter, std::uint64_t value) {
        return call(JSA_CALL_glPixelStorei, {parameter, value});
    };
    const auto upload = [](std::uint64_t address, std::uint64_t rows = 16) {
        return call(JSA_CALL_glTexSubImage2D, {16, rows, address, kRgba}); // 64 bytes a row.
    };
    const AttachEvent read = call(JSA_CALL_glReadPixels, {16, 16, kPinned, kRgba});
    const AttachEvent rowLength = store(0x0CF2, 32), packLength = store(0x0D02, 32);
    addRow("rows without gaps", {half, upload(kPinned)}, "seen hazard-O1");
    addRow("one row", {half, upload(kPinned, 1)}, "");
    addRow("one row and a byte", {half, upload(kPinned + 1, 1)}, "seen hazard-O1");
    addRow("the other half", {half, rowLength, upload(kPinned)}, "");
    addRow("the other half, one byte too far", {half, rowLength, upload(kPinned + 1)}, "possible hazard-O1");
    addRow("the same half", {half, rowLength, store(0x0CF4, 16), upload(kPinned)}, "possible hazard-O1");
    addRow("below", {half, rowLength, store(0x0CF3, 16), upload(kPinned)}, "");
    addRow("told back", {half, rowLength, store(0x0CF2, 0), upload(kPinned)}, "seen hazard-O1");
    addRow("of an unknown format", {half, rowLength, call(JSA_CALL_glTexSubImage2D, {128, 16, kPinned, 7})},
           "possible hazard-O1");
    addRow("aligned", {half, store(0x0CF5, 8), call(JSA_CALL_glTexSubImage2D, {1, 9, kPinned, kRgba})},
           "seen hazard-O1");
    addRow("not aligned", {half, store(0x0CF5, 4), call(JSA_CALL_glTexSubImage2D, {1, 9, kPinned, kRgba})}, "");
    addRow("too many", {half, store(0x0CF2, UINT32_MAX), store(0x0CF3, INT32_MAX), upload(kPinned)},
           "possible hazard-O1");
    addRow("written without gaps", {half, read}, "seen hazard-O1");
    addRow("the other half is written", {half, packLength, read}, "");
    addRow("told for reading only", {half, rowLength, read}, "seen hazard-O1");
    addRow("in another context",
           {half, call(JSA_CALL_eglMakeCurrent, {5}), rowLength, call(JSA_CALL_eglMakeCurrent, {6}), upload(kPinned)},
           "seen hazard-O1");
}

/// GL uses the bytes that glPixelStorei says, and is believed only where it says nothing.
void AttachOrderTest::readsRowsOfImages()
{
    judgesSequences();
}

/// Streams that are complete cost nothing, however many there are.
void AttachOrderTest::followsManyStreams()
{
    const auto isFollowed = [](const Calls &calls) {
        const MadeLedger ledger = ledgerOf(calls);
        return reasonOf(ledger, "hazard-B5").empty() && ledger.findings(1).empty();
    };
    const auto many = [](std::uint64_t flags, const std::function<Calls(std::uint64_t)> &work) {
        Calls calls;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const std::uint64_t stream = 0x1000000 + i * 16;
            calls.push_back(call(JSA_CALL_cuStreamCreate, {stream, flags}));
            for (const AttachEvent &event : work(stream))
                calls.push_back(event);
            calls.push_back(call(JSA_CALL_cuStreamDestroy_v2, {stream}));
        }
        return calls;
    };
    for (const std::uint64_t flags : {0, 1})
        QVERIFY(isFollowed(many(flags, [](std::uint64_t stream) { return Calls{in(stream), waitFor(stream)}; })));
    QVERIFY(isFollowed(many(0, [](std::uint64_t stream) { return Calls{in(stream), waitFor(0)}; })));
    QVERIFY(!isFollowed(many(1, [](std::uint64_t stream) { return Calls{launch(stream)}; })));
    // The default streams of threads that have ended.
    for (const bool waits : {true, false}) {
        MadeLedger ledger = twoStreams();
        for (std::int32_t tid = 2; tid < 1000; ++tid) {
            ledger.take(madeCall(JSA_CALL_cuLaunchKernel, tid * 1000, {2, 1}), 1, tid, 0);
            if (waits)
                ledger.take(madeCall(JSA_CALL_cuStreamSynchronize, tid * 1000 + 500, {2}), 1, tid, 0);
        }
        QCOMPARE(reasonOf(ledger, "hazard-B5").empty(), waits);
    }
}

/// Processes that have ended make room for others, and one with too many objects is given up alone.
void AttachOrderTest::followsManyProcesses()
{
    MadeLedger ledger = twoStreams();
    const auto makesMistake = [&](std::int32_t pid, std::int64_t ns) {
        ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, ns, {kPinned, 4096}), pid, pid, 0);
        ledger.take(madeCall(JSA_CALL_cuMemcpyDtoHAsync_v2, ns + 200, {kFree, kPinned, 64, 64, JSA_COPY_TO_HOST}), pid,
                    pid, 0);
        ledger.take(madeCall(JSA_CALL_cuMemFreeHost, ns + 400, {kPinned}), pid, pid, 0);
    };
    for (std::int32_t pid = 2; pid < 200; ++pid)
        makesMistake(pid, pid * 1000);
    QCOMPARE(ledger.findings(1).at(0).calls, std::uint64_t{198});
    QVERIFY(reasonOf(ledger, "hazard-A11").empty());
    for (std::int64_t i = 0; i < 1000; ++i)
        ledger.take(madeCall(JSA_CALL_cuLaunchKernel, 200'000 + i, {0x1000000 + static_cast<std::uint64_t>(i) * 16, 1}),
                    199, 199, 0);
    QVERIFY(reasonOf(ledger, "hazard-A11").find("too many") != std::string::npos);
    makesMistake(198, 300'000);
    makesMistake(199, 301'000); // It is not followed any more.
    QCOMPARE(ledger.findings(1).at(0).calls, std::uint64_t{199});
    makesMistake(2, 302'000); // Nor is one that was silent for long.
    QCOMPARE(ledger.findings(1).at(0).calls, std::uint64_t{199});
}

/// A program can say any number, also those that are used here for streams that are gone.
void AttachOrderTest::survivesImpossibleStreams()
{
    for (const std::uint64_t stream : {1ULL << 63 | 1, 1ULL << 63 | 2, ~0ULL}) {
        Judged<WorkBounds, true> bounds;
        std::vector<BoundedWork> work;
        const auto take = [&](AttachEvent event) {
            event.endNs = 5000;
            bounds.take(event, 1, 1, work);
        };
        take(launch(kFree));
        take(call(JSA_CALL_cuStreamDestroy_v2, {kFree}));
        for (int i = 0; i < 4000; ++i)
            take(launch(stream));
        take(call(JSA_CALL_cuStreamDestroy_v2, {stream}));
        bounds.cut(10'000, work);
        QCOMPARE(work.size(), std::size_t{1}); // Of the one that can be.
        QCOMPARE(work[0].stream, kFree);
        Calls calls{call(JSA_CALL_cuStreamWaitValue32_v2, {kOther, 0x20000, 1}),
                    call(JSA_CALL_cuStreamDestroy_v2, {kOther}), in(kFree)};
        calls.push_back(call(JSA_CALL_cuStreamWaitValue32_v2, {stream, 0x20000, 1}));
        calls.push_back(call(JSA_CALL_cuStreamDestroy_v2, {stream}));
        calls.push_back(out(stream));
        const MadeLedger ledger = ledgerOf(calls);
        QVERIFY(ledger.findings(1).empty());
        QVERIFY(!reasonOf(ledger, "hazard-B5").empty());
    }
}

/// Of a program that never waits not everything can be kept.
void AttachOrderTest::saysWhatItForgets()
{
    for (const bool waits : {true, false}) {
        Calls calls;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            calls.push_back(call(JSA_CALL_cuMemcpyHtoDAsync_v2, {kFree, 0x10000 + i, 0x90000, 1, JSA_COPY_TO_DEVICE}));
            if (waits && i % 500 == 0)
                calls.push_back(waitFor(kFree));
        }
        QCOMPARE(reasonOf(ledgerOf(calls), "hazard-B5").find("forgotten") == std::string::npos, waits);
    }
}

/// A name holds for a range of addresses, until the memory is freed.
void AttachOrderTest::namesMemory()
{
    const auto name = [](std::uint64_t address, std::uint64_t bytes, const char *text) {
        AttachEvent mark = call(JSA_CALL_MARK, {JSA_MARK_BUFFER, address, bytes});
        mark.text = text;
        return mark;
    };
    const AttachEvent again = call(JSA_CALL_cuMemHostAlloc, {kPinned, 4096});
    const auto textOf = [](const Calls &calls) { return ledgerOf(calls).findings(1).at(0).text; };
    const auto isNamed = [&](const Calls &calls, const char *words) {
        return textOf(calls).find(words) != std::string::npos;
    };
    QVERIFY(isNamed({name(kPinned, 64, "ring"), out(kFree), kFreePinned}, "4096 bytes, named \"ring\")"));
    QVERIFY(isNamed({name(kPinned, 64, "old"), name(kPinned, 64, "ring"), out(kFree), kFreePinned}, "named \"ring\")"));
    QVERIFY(isNamed({name(kPinned + 64, 64, "right"), name(kPinned, 64, "left"), out(kFree), kFreePinned},
                    "named \"left\", \"right\")"));
    QVERIFY(isNamed({name(kPinned - 64, 65, "around"), out(kFree), kFreePinned}, "named \"around\")"));
    QVERIFY(isNamed({name(kPinned, 64, "a\n\xff\"b\""), out(kFree), kFreePinned}, "named \"a??"));
    for (const Calls &calls : {Calls{name(kPinned - 64, 64, "below"), out(kFree), kFreePinned},
                               Calls{name(kPinned + 4096, 64, "above"), out(kFree), kFreePinned},
                               Calls{name(kPinned, 0, "nothing"), out(kFree), kFreePinned},
                               Calls{name(kPinned, 64, "ring"), name(kPinned, 64, ""), out(kFree), kFreePinned},
                               Calls{name(kPinned, 64, "ring"), kFreePinned, again, out(kFree), kFreePinned}})
        QVERIFY2(!isNamed(calls, "named"), textOf(calls).c_str());
    // Also before the first call of CUDA.
    MadeLedger ledger;
    ledger.take(name(kPinned, ~0ULL, "early"), 1, 1, 0);
    for (const AttachEvent &event : {again, out(kFree)})
        ledger.take(event, 1, 1, 0);
    AttachEvent freed = kFreePinned;
    freed.startNs = 10;
    ledger.take(freed, 1, 1, 0);
    QVERIFY(ledger.findings(1).at(0).text.find("early") != std::string::npos);
}

void AttachOrderTest::believesCallsThatOverlap_data()
{
    QTest::addColumn<int>("function");
    QTest::addColumn<qint64>("begunNs");
    QTest::addColumn<bool>("isFound");
    QTest::newRow("host function") << int(JSA_CALL_cuLaunchHostFunc) << qint64{102'000} << false;
    QTest::newRow("value") << int(JSA_CALL_cuStreamWriteValue32_v2) << qint64{102'000} << false;
    QTest::newRow("later") << int(JSA_CALL_cuLaunchHostFunc) << qint64{103'001} << true;
    QTest::newRow("event") << int(JSA_CALL_cuEventRecord) << qint64{102'000} << true;
}

/// A host function may run, and another thread go on, before the call that submits it has returned.
void AttachOrderTest::believesCallsThatOverlap()
{
    QFETCH(int, function);
    QFETCH(qint64, begunNs);
    QFETCH(bool, isFound);
    for (const std::int64_t laterNs : {std::int64_t{105'000}, std::int64_t{5'000'000'000}}) {
        MadeLedger ledger = ledgerOf({});
        AttachEvent copy = out(kFree), freed = kFreePinned;
        copy.endNs = 100'500;
        freed.startNs = 102'900;
        freed.endNs = 103'000;
        AttachEvent submitted = call(static_cast<jsa_call>(function), {kFree, kFree, 1});
        submitted.startNs = begunNs;
        submitted.endNs = 104'000;
        ledger.take(copy, 1, 1, 0);
        ledger.take(freed, 1, 2, 0);
        QCOMPARE(foundIn(ledger), QStringList("seen hazard-A11"));
        QCOMPARE(ledger.takeNewSites().size(), std::size_t{0}); // It has none.
        ledger.take(submitted, 1, 1, 0);
        ledger.take(madeCall(JSA_CALL_cuLaunchKernel, laterNs, {kFree}), 1, 1, 0);
        QCOMPARE(foundIn(ledger).size(), isFound ? 1 : 0);
    }
}

JETSCOPE_TEST(AttachOrderTest)
#include "tst_attachorder.moc"

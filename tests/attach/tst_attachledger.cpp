// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What order the calls of a program make, and which rules they break, without a program.
#include "core/attach/judge/callledger.h"
#include "core/attach/judge/wastefinder.h"
#include "core/attach/model/streamcaptures.h"
#include "core/attach/record/attachrecorder.h"

#include "madeledger.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <map>

using namespace jetscope;

class AttachLedgerTest : public QObject {
    Q_OBJECT

private slots:
    void judgesFailedCalls_data();
    void judgesFailedCalls();
    void ordersByTheDefaultStream();
    void ordersByValues_data();
    void ordersByValues();
    void ordersCallsOfThreads();
    void ignoresWhatIsCaptured();
    void endsCaptures_data();
    void endsCaptures();
    void aLittleThresholdKeepsNothing();
    void keepsProcessesApart();
    void keepsWhatAnotherThreadGotAgain();
    void followsDestroyedStreams();
};

void AttachLedgerTest::judgesFailedCalls_data()
{
    QTest::addColumn<int>("function");
    QTest::addColumn<int>("code");
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<QString>("found");
    const auto row = [](const char *name, jsa_call function, int code, quint64 bytes, const char *found) {
        QTest::newRow(name) << static_cast<int>(function) << code << bytes << found;
    };
    row("prefetch", JSA_CALL_cuMemPrefetchAsync, 101, 64, "hazard-A9");
    row("managed memory", JSA_CALL_cuMemAllocManaged, 801, 64, "hazard-A10");
    row("out of memory", JSA_CALL_cuMemAllocManaged, 2, 64, "");
    row("registration", JSA_CALL_cuMemHostRegister_v2, 801, 64, "hazard-A13");
    row("large registration", JSA_CALL_cuMemHostRegister_v2, 1, 8 << 20, "hazard-A14");
    row("registered before", JSA_CALL_cuMemHostRegister_v2, 712, 64, "");
    row("image", JSA_CALL_cuGraphicsEGLRegisterImage, 1, 0, "hazard-C2");
    row("not permitted", JSA_CALL_cuMemAlloc_v2, 800, 64, ""); // There was no host function.
}

void AttachLedgerTest::judgesFailedCalls()
{
    QFETCH(int, function);
    QFETCH(int, code);
    QFETCH(quint64, bytes);
    QFETCH(QString, found);
    MadeLedger ledger;
    AttachEvent failed = madeCall(static_cast<jsa_call>(function), 1000, {0x10000, bytes}, 5);
    failed.flags = static_cast<std::uint16_t>(JSA_FLAG_FAILED | code << JSA_CODE_SHIFT);
    ledger.take(failed, 1, 1, 0);
    const auto findings = ledger.findings(1);
    QCOMPARE(findings.size(), found.isEmpty() ? 0u : 1u);
    if (!found.isEmpty()) {
        QCOMPARE(QString::fromStdString(findings[0].what), found);
        QCOMPARE(findings[0].sites[0].address, 5u);
    }
}

/// The legacy default stream waits for all streams but non-blocking ones, and they for it.
void AttachLedgerTest::ordersByTheDefaultStream()
{
    for (const auto &[in, out, isOrdered] :
         {std::tuple{std::uint64_t{0}, kBlocking, true}, std::tuple{kBlocking, std::uint64_t{0}, true},
          std::tuple{std::uint64_t{0}, kFree, false}, std::tuple{kFree, std::uint64_t{0}, false},
          std::tuple{kBlocking, kFree, false}, std::tuple{kFree, kFree, true}}) {
        MadeLedger ledger = twoStreams();
        ledger.take(copyIn(in), 1, 1, 0);
        ledger.take(copyOut(out), 1, 1, 0);
        const auto found = ledger.findings(1);
        QCOMPARE(found.size(), isOrdered ? 0u : 1u);
        QVERIFY(isOrdered || (found[0].what == "hazard-B5" && found[0].grade == FindingGrade::Seen));
    }
    // A thread's own default stream is not the one of another thread.
    MadeLedger ledger = twoStreams();
    ledger.take(copyIn(2), 1, 7, 0);
    ledger.take(copyOut(2), 1, 8, 0);
    QCOMPARE(ledger.findings(1).size(), 1u);
}

void AttachLedgerTest::ordersByValues_data()
{
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("found");
    const auto row = [](const char *calls, const char *found) { QTest::newRow(calls) << calls << found; };
    // I and O: copies to and from the same memory; w: write a value, n: without a barrier; g, e, b, r: wait for at
    // least, equal, any bit, a missing bit; R and W: an event; s, S, C: the CPU waits for a stream, the event, all; M:
    // memset of the value; H: a host function; B and U: a batch of a barrier and a write, and one of an unknown kind; D
    // and N: the stream is destroyed, and made again. Then the stream; the default stream is d, c and e wait for it.
    row("Ia Ob", "hazard-B5");
    row("Ia wa1 Ob", "hazard-B5");
    row("Ia wa1 gb1 Ob", "");
    row("wa1 Ia wa2 gb2 Ob", "");
    row("wa1 Ia wa2 gb1 Ob", "hazard-B5"); // It is the value before.
    row("Ia wa5 eb5 Ob", "");
    row("Ia wa3 bb2 Ob", "");
    row("Ia wa0 rb1 Ob", "");
    // Without a barrier, only what the work before has written is not ordered, and a barrier may have come before.
    row("Ia na1 gb1 Ob", "not checked");
    row("Oa na1 gb1 Ib", "not checked");
    row("Ia Ba1 gb1 Ob", "not checked");
    row("gb1 Ob Ia na1 wf1 Ob", "not checked");
    row("na1 sa Ia gb1 Ob", "not checked");
    row("wa4294967295 Ia wa1 gb0 Ob", ""); // Counters overflow.
    row("Ia wa1 wa0 wa1 Ia wa1 eb1 Ob", "");
    // The wait comes first.
    row("gb1 Ob Ia wa1", "");
    row("gb1 Ob Ia wa1 gb1 Ob Ia", "hazard-B5");
    row("gb1 Rb Wf Of Ia wa1", "");
    row("gb1 Rb Ia wa1 Wf Of", "");
    row("Rb gb1 Ia wa1 Wf Of", "hazard-B5"); // The event is in front of the wait.
    row("gd1 Oc Ia wa1", "");
    row("gc1 Od Oe Ia wa1", "not checked"); // By way of the default stream.
    row("gc1 Od Ia wa1 Oe", "");
    row("gc1 wa1 Od Oe Ia", "hazard-B5");
    // What writes the value waits itself.
    row("gb1 wb2 Ob Ia wa1", "");
    row("eb1 wb5 gf5 Of Ia wa1", "");
    row("gf5 Of eb1 wb5 Ia wa1", "");
    row("eb1 wb5 Ia wa1 gf5 Of", "not checked"); // The value before may be of another round.
    row("eb1 wb5 gf5 Of Ia", "not checked");
    row("wa1 sa eb1 Ob Ia wa1", "not checked"); // It may have been reset.
    // What writes the value is not seen.
    row("gb1 Ob Ia", "not checked");
    row("Ia wa5 eb4 Ob", "not checked");
    row("Ia wa1 Ma1 gb1 Ob", "not checked");
    row("Ia Ua1 Ob", "hazard-B5");
    row("Ia Ub1 Ob", "not checked");
    row("wa1 sa If wf2 gb1 Ob", "not checked"); // It may have been reset before.
    row("wa1 sa Ia wa2 gb1 Ob", "hazard-B5");   // But not a counter.
    row("gb1 Ia Ma1 wf1 Ob", "not checked");    // The memset may have set it.
    row("Ia gb1 sb Of", "");                    // What the CPU knows then, it may know of all work.
    row("Ia gb1 Rb S Of", "");
    row("Ia gb1 Hb Of", "not checked");
    row("gb1 Hb Ia wa1 Of", "not checked");
    row("gb1 Hb wa1 Ia Of", "hazard-B5");
    row("gb1 sb Ob Ia", "hazard-B5");
    row("gb1 C Ob Ia", "hazard-B5");
    row("gb1 Rb S Ob Ia", "hazard-B5");
    // A stream may go before its work is complete, and another one may get its handle.
    row("Ia Da Ob", "hazard-B5");
    row("Ia Da Na Oa", "hazard-B5");
    row("Ia sa Da Na Oa", "");
    row("Ia Da C Na Oa", "");
    row("Ia Ra Da S Ob", "");
    row("Ic Dc Od", "");
    row("Ia gb1 Db Nb Ob", "hazard-B5");
    row("gb1 Rb Db Nb Wf Of Ia wa1", "");
    row("gb1 Rb Db Nb Wf Of Ia", "not checked");
}

void AttachLedgerTest::ordersByValues()
{
    QFETCH(QString, calls);
    QFETCH(QString, found);
    const std::map<char, std::uint64_t> streams = {{'a', kFree}, {'b', 0x700000}, {'c', kBlocking},
                                                   {'d', 0},     {'e', 0x900000}, {'f', 0x800000}};
    constexpr std::uint64_t kFlag = 0x20000, kEvent = 0x30000;
    MadeLedger ledger = twoStreams();
    for (const char name : {'b', 'f'})
        ledger.take(madeCall(JSA_CALL_cuStreamCreate, 200, {streams.at(name), 1}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamCreate, 200, {streams.at('e'), 0}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, 300, {kFlag, 4096}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 300, {0xA0000, 4096, 0}), 1, 1, 0); // Else the CPU waits for copies.
    for (const QString &call : calls.split(' ')) {
        const std::uint64_t stream = call.size() > 1 ? streams.at(call[1].toLatin1()) : 0;
        const std::uint64_t value = call.mid(2).toULongLong();
        const auto wait = [&](std::uint64_t flags) {
            return madeCall(JSA_CALL_cuStreamWaitValue32_v2, 400, {stream, kFlag, value, flags});
        };
        const auto batch = [&](const std::vector<AttachOperation> &operations) {
            AttachEvent event = madeCall(JSA_CALL_cuStreamBatchMemOp_v2, 400, {stream, operations.size()});
            event.operations = operations;
            return event;
        };
        const std::map<char, AttachEvent> events = {
            {'I', copyIn(stream)},
            {'O', copyOut(stream)},
            {'w', madeCall(JSA_CALL_cuStreamWriteValue32_v2, 400, {stream, kFlag, value, 0})},
            {'n', madeCall(JSA_CALL_cuStreamWriteValue32, 400, {stream, kFlag, value, 1})},
            {'g', wait(0)},
            {'e', wait(1 | 1U << 30)},
            {'b', wait(2)},
            {'r', wait(3)},
            {'R', madeCall(JSA_CALL_cuEventRecord, 400, {kEvent, stream})},
            {'W', madeCall(JSA_CALL_cuStreamWaitEvent, 400, {stream, kEvent})},
            {'s', madeCall(JSA_CALL_cuStreamSynchronize, 400, {stream})},
            {'S', madeCall(JSA_CALL_cuEventSynchronize, 400, {kEvent})},
            {'C', madeCall(JSA_CALL_cuCtxSynchronize, 400, {})},
            {'H', madeCall(JSA_CALL_cuLaunchHostFunc, 400, {stream})},
            {'B', batch({{6, 0, 0, 0, 0}, {2, kFlag, value, 1, 0}})},
            {'U', batch({{9, kFlag, value, 0, 0}})},
            {'D', madeCall(JSA_CALL_cuStreamDestroy_v2, 400, {stream})},
            {'N', madeCall(JSA_CALL_cuStreamCreate, 400, {stream, 1})},
            {'M', madeCall(JSA_CALL_cuMemsetD8Async, 400, {stream, kFlag, 4096, 1})},
        };
        ledger.take(events.at(call[0].toLatin1()), 1, 1, 0);
    }
    const auto findings = ledger.findings(1);
    const bool isHazard = found.startsWith("hazard");
    QCOMPARE(findings.size(), isHazard ? 1u : 0u);
    QVERIFY(!isHazard || (findings[0].what == found.toStdString() && findings[0].grade == FindingGrade::Seen));
    for (const WasteCheck &check : ledger.checks())
        QVERIFY(check.what != "hazard-B5" || found != "not checked" || !check.reason.empty());
}

/// A thread may get an address or a handle again before the call of another thread that gave it back has returned.
void AttachLedgerTest::ordersCallsOfThreads()
{
    const auto longCall = [](jsa_call function, std::uint64_t handle) {
        AttachEvent event = madeCall(function, 900, {handle});
        event.startNs = 310;
        return event;
    };
    MadeLedger ledger = twoStreams();
    ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 420, {0xA0000, 4096, 0}), 1, 2, 0);
    ledger.take(madeCall(JSA_CALL_cuEventCreate, 430, {0x30000}), 1, 2, 0);
    ledger.take(copyOut(kFree), 1, 2, 0);
    ledger.take(madeCall(JSA_CALL_cuEventRecord, 800, {0x30000, kFree}), 1, 2, 0);
    ledger.take(longCall(JSA_CALL_cuMemFreeHost, 0xA0000), 1, 1, 0);
    ledger.take(longCall(JSA_CALL_cuEventDestroy_v2, 0x30000), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamWaitEvent, 1000, {kBlocking, 0x30000}), 1, 2, 0);
    ledger.take(copyIn(kBlocking), 1, 2, 0);
    QVERIFY(ledger.findings(1).empty());
    ledger.take(madeCall(JSA_CALL_cuMemFreeHost, 1200, {0xA0000}), 1, 1, 0);
    QCOMPARE(ledger.findings(1).size(), 1u);
    // What sets a semaphore of another API is not known.
    MadeLedger other = twoStreams();
    other.take(copyIn(kFree), 1, 1, 0);
    other.take(madeCall(JSA_CALL_cuWaitExternalSemaphoresAsync, 400, {kBlocking, 1}), 1, 1, 0);
    other.take(copyOut(kBlocking), 1, 1, 0);
    QVERIFY(other.findings(1).empty());
}

/// Work of a graph is not executed when it is captured.
void AttachLedgerTest::ignoresWhatIsCaptured()
{
    MadeLedger ledger = twoStreams();
    ledger.take(madeCall(JSA_CALL_cuStreamBeginCapture_v2, 350, {kFree}), 1, 1, 0);
    ledger.take(copyIn(kFree), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamEndCapture, 450, {kFree}), 1, 1, 0);
    ledger.take(copyOut(kBlocking), 1, 1, 0);
    QVERIFY(ledger.findings(1).empty());
    // What the other streams do meanwhile is executed.
    ledger.take(copyIn(kBlocking), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamBeginCaptureToGraph, 350, {kFree}), 1, 1, 0);
    ledger.take(copyIn(kFree), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamEndCapture, 450, {kFree}), 1, 1, 0);
    QVERIFY(ledger.findings(1).empty());
    ledger.take(copyOut(kFree), 1, 1, 0);
    QCOMPARE(ledger.findings(1).size(), 1u);
}

void AttachLedgerTest::endsCaptures_data()
{
    QTest::addColumn<int>("function");
    QTest::addColumn<int>("code");
    QTest::addColumn<quint64>("stream");
    QTest::addColumn<bool>("isOver");
    const auto row = [](const char *name, jsa_call function, int code, std::uint64_t stream, bool isOver) {
        QTest::newRow(name) << int(function) << code << quint64(stream) << isOver;
    };
    row("ends", JSA_CALL_cuStreamEndCapture, 0, kFree, true);
    row("was made invalid", JSA_CALL_cuStreamEndCapture, 901, kFree, true);
    row("lacks a join", JSA_CALL_cuStreamEndCapture, 904, kFree, true);
    row("began in another stream", JSA_CALL_cuStreamEndCapture, 903, kFree, false);
    row("began in another thread", JSA_CALL_cuStreamEndCapture, 908, kFree, false);
    row("bad argument", JSA_CALL_cuStreamEndCapture, 1, kFree, false);
    row("another stream", JSA_CALL_cuStreamEndCapture, 901, kBlocking, false);
    row("waited for", JSA_CALL_cuStreamSynchronize, 0, kFree, true);
    row("cannot be waited for", JSA_CALL_cuStreamSynchronize, 900, kFree, false);
}

/// A call that ends a capture may fail, and end it all the same.
void AttachLedgerTest::endsCaptures()
{
    QFETCH(int, function);
    QFETCH(int, code);
    QFETCH(quint64, stream);
    QFETCH(bool, isOver);
    const auto event = [](jsa_call call, std::uint64_t first, std::uint64_t second) {
        return madeCall(call, 400, {first, second});
    };
    AttachEvent end = madeCall(static_cast<jsa_call>(function), 450, {stream});
    end.flags = code == 0 ? 0 : static_cast<std::uint16_t>(JSA_FLAG_FAILED | code << JSA_CODE_SHIFT);
    StreamCaptures captures;
    QVERIFY(captures.take(madeCall(JSA_CALL_cuStreamBeginCapture_v2, 350, {kFree}), 1, 1));
    QVERIFY(captures.take(copyIn(kFree), 1, 1));
    QVERIFY(!captures.take(copyIn(kFree), 2, 1)); // Of another process.
    QVERIFY(!captures.take(copyIn(0), 1, 1));
    // It takes in the streams that wait for its events.
    QVERIFY(!captures.take(event(JSA_CALL_cuStreamWaitEvent, 0x700000, 0x30000), 1, 1));
    QVERIFY(captures.take(event(JSA_CALL_cuEventRecord, 0x30000, kFree), 1, 1));
    QVERIFY(captures.take(event(JSA_CALL_cuStreamWaitEvent, 0x700000, 0x30000), 1, 1));
    QVERIFY(captures.take(copyIn(0x700000), 1, 1));
    captures.take(end, 1, 1);
    for (const std::uint64_t of : {kFree, std::uint64_t{0x700000}})
        QCOMPARE(captures.take(copyIn(of), 1, 1), !isOver);
    QCOMPARE(captures.take(event(JSA_CALL_cuStreamWaitEvent, 0x800000, 0x30000), 1, 1), !isOver);
    // What is captured wastes nothing, and no wait waits for it.
    Judged<WasteFinder> waste;
    for (std::uint32_t frame = 0; frame < 50; ++frame)
        for (const jsa_call part : {JSA_CALL_cuStreamBeginCapture_v2, JSA_CALL_cuMemcpyDtoHAsync_v2,
                                    JSA_CALL_cuLaunchKernel, JSA_CALL_cuStreamEndCapture, JSA_CALL_cuStreamSynchronize})
            waste.take(madeCall(part, frame * 1000, {kFree, 0xA0000, 0x10000, 64, JSA_COPY_TO_HOST}), 1, 1, frame);
    QVERIFY(waste.findings(50, 50'000).empty());
}

/// Of slow calls a threshold below what drivers reserve at once is none.
void AttachLedgerTest::aLittleThresholdKeepsNothing()
{
    const auto isFound = [](std::uint64_t threshold, std::int64_t callNs) {
        Judged<WasteFinder> waste;
        if (threshold > 0)
            waste.take(madeCall(JSA_CALL_cuMemPoolSetAttribute, 100, {threshold}), 1, 1, 0);
        for (std::uint32_t frame = 0; frame < 50; ++frame) {
            AttachEvent call = madeCall(JSA_CALL_cuMemAllocAsync, 1000 + frame * 1'000'000, {0x10000, 64});
            call.endNs = call.startNs + callNs;
            waste.take(call, 1, 1, frame);
        }
        return !waste.findings(50, 50'000'000).empty();
    };
    QVERIFY(isFound(0, 2'000) && isFound(0, 50'000));
    QVERIFY(isFound(5'500'000, 50'000) && !isFound(5'500'000, 2'000));
    QVERIFY(!isFound(std::uint64_t{64} << 20U, 50'000));
}

/// Streams and pools of one process have nothing to do with those of another one.
void AttachLedgerTest::keepsProcessesApart()
{
    for (const int other : {1, 2}) {
        Judged<WasteFinder> waste;
        waste.take(madeCall(JSA_CALL_cuStreamCreate, 100, {kBlocking, 0}), 1, 1, 0);
        waste.take(madeCall(JSA_CALL_cuMemPoolSetAttribute, 100, {1 << 20}), other, other, 0);
        MadeLedger ledger = twoStreams();
        for (std::uint32_t frame = 0; frame < 50; ++frame) {
            const std::int64_t ns = 1000 + frame * 1000;
            waste.take(madeCall(JSA_CALL_cuLaunchKernel, ns, {kBlocking}), 1, 1, frame);
            waste.take(madeCall(JSA_CALL_cuLaunchKernel, ns + 100, {0}), other, other, frame);
            waste.take(madeCall(JSA_CALL_cuMemAllocAsync, ns + 200, {0x10000, 64}), 1, 1, frame);
            ledger.take(madeCall(JSA_CALL_cuLaunchHostFunc, ns, {kFree}), other, other, frame);
            AttachEvent failed = madeCall(JSA_CALL_cuMemAlloc_v2, ns + 100, {});
            failed.flags = static_cast<std::uint16_t>(JSA_FLAG_FAILED | 800 << JSA_CODE_SHIFT);
            ledger.take(failed, 1, 1, frame);
        }
        const auto found = waste.findings(50, 500'000);
        QCOMPARE(found.size(), 1u);
        QCOMPARE(found[0].what, std::string(other == 1 ? "default-stream" : "pool-keeps-nothing"));
        QCOMPARE(ledger.findings(50).size(), other == 1 ? 1u : 0u); // Rule B1.
    }
    // The host function may run before its submission has returned.
    MadeLedger early = twoStreams();
    AttachEvent failed = madeCall(JSA_CALL_cuMemAlloc_v2, 500, {});
    failed.flags = static_cast<std::uint16_t>(JSA_FLAG_FAILED | 800 << JSA_CODE_SHIFT);
    early.take(failed, 1, 2, 0);
    early.take(madeCall(JSA_CALL_cuLaunchHostFunc, 550, {kFree}), 1, 1, 0);
    QCOMPARE(early.findings(1).size(), 1u);
}

/// A call may give back what another thread gets again before it returns.
void AttachLedgerTest::keepsWhatAnotherThreadGotAgain()
{
    Judged<WasteFinder> waste;
    const auto takeLate = [&](jsa_call function, std::uint64_t handle) {
        AttachEvent late = madeCall(function, 300, {handle});
        late.startNs = 50;
        waste.take(late, 1, 2, kNoFrame);
    };
    waste.take(madeCall(JSA_CALL_cuStreamCreate, 200, {9, 0}), 1, 1, kNoFrame);
    takeLate(JSA_CALL_cuStreamDestroy_v2, 9);
    waste.take(madeCall(JSA_CALL_cuMemHostAlloc, 200, {0x90000, 4096, 0}), 1, 1, kNoFrame);
    takeLate(JSA_CALL_cuMemFreeHost, 0x90000);
    for (std::uint32_t frame = 0; frame < 50; ++frame) {
        const std::int64_t ns = frame * 1000 + 500;
        waste.take(madeCall(JSA_CALL_cuLaunchKernel, ns, {9}), 1, 1, frame);
        waste.take(madeCall(JSA_CALL_cuMemcpyHtoDAsync_v2, ns + 200, {0, 0x10000, 0x90000, 64, JSA_COPY_TO_DEVICE}), 1,
                   1, frame);
    }
    const auto found = waste.findings(50, 50'000);
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].what, std::string("default-stream"));
    // It is counted, too.
    AttachRecorder recorder({});
    AttachEvent late = madeCall(JSA_CALL_cuStreamDestroy_v2, 300, {9});
    late.startNs = 50;
    recorder.add({madeCall(JSA_CALL_cuStreamCreate, 200, {9, 0}), late}, {{1, 1, "a", "program"}}, 1000);
    recorder.finish();
    const TraceUpdate update = recorder.take();
    QCOMPARE(update.counters.size(), 1u);
    QCOMPARE(update.samples.back().value, 1.0);
}

/// A stream that is destroyed goes on with its work.
void AttachLedgerTest::followsDestroyedStreams()
{
    for (const bool waits : {false, true}) {
        MadeLedger ledger = twoStreams();
        ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 300, {0xA0000, 4096, 0}), 1, 1, 0);
        ledger.take(copyOut(kFree), 1, 1, 0);
        if (waits)
            ledger.take(madeCall(JSA_CALL_cuStreamSynchronize, 550, {kFree}), 1, 1, 0);
        ledger.take(madeCall(JSA_CALL_cuStreamDestroy_v2, 600, {kFree}), 1, 1, 0);
        ledger.take(madeCall(JSA_CALL_cuMemFreeHost, 700, {0xA0000}), 1, 1, 0);
        const auto found = ledger.findings(1);
        QCOMPARE(found.size(), waits ? 0u : 1u);
        QVERIFY(waits || (found[0].what == "hazard-A11" && found[0].grade == FindingGrade::Seen));
    }
    // A program that never waits makes too many of them to follow.
    MadeLedger ledger = twoStreams();
    for (int i = 0; i < 1000; ++i) {
        ledger.take(madeCall(JSA_CALL_cuStreamCreate, 1000 * i, {0x700000, 1}), 1, 1, 0);
        ledger.take(copyIn(0x700000), 1, 1, 0);
        ledger.take(madeCall(JSA_CALL_cuStreamDestroy_v2, 1000 * i + 500, {0x700000}), 1, 1, 0);
    }
    QVERIFY(ledger.checks()[0].reason.find("too many") != std::string::npos);
}

JETSCOPE_TEST(AttachLedgerTest)
#include "tst_attachledger.moc"

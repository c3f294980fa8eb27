// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is derived from calls without a program: memory and objects in use, places of code, copies through the host.
#include "core/attach/attachrecorder.h"
#include "core/attach/calltable.h"

#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <random>

using namespace jetscope;

namespace {

AttachEvent madeCall(jsa_call function, std::int64_t endNs, std::array<std::uint64_t, JSA_ARGUMENTS> argument,
                     std::uint64_t site = 0)
{
    AttachEvent made;
    made.startNs = endNs - 100;
    made.endNs = endNs;
    made.call = static_cast<std::uint16_t>(function);
    made.argument = argument;
    made.site = site;
    return made;
}

/// The last value of each counter, by name.
std::map<std::string, double> lastValues(ResourceMeter &meter)
{
    std::map<std::string, double> values;
    for (const CounterSample &sample : meter.takeSamples())
        values[meter.counters()[sample.counter].name] = sample.value;
    return values;
}

} // namespace

class AttachModelTest : public QObject {
    Q_OBJECT

private slots:
    void readsMappings();
    void readsHostileMappings();
    void findsPlacesOfProcesses();
    void addsUpMemory();
    void findsGrowingObjects();
    void findsCopiesThroughTheHost();
    void judgesFailedCalls_data();
    void judgesFailedCalls();
    void ordersByTheDefaultStream();
    void ordersByValues_data();
    void ordersByValues();
    void ordersCallsOfThreads();
    void ignoresWhatIsCaptured();
    void isBoundedAndNeverSure();
    void boundsWhatWasteCanBring();
};

void AttachModelTest::readsMappings()
{
    const auto mappings = parseMappings("00400000-00401000 r--p 00000000 08:01 17   /usr/bin/a b\n"
                                        "00401000-00403000 r-xp 00001000 08:01 17   /usr/bin/a b\n"
                                        "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
                                        "7f0000002000-7f0000004000 rwxp 00005000 08:01 18 /lib/c.so (deleted)\n");
    QCOMPARE(mappings.size(), 2u);
    QCOMPARE(mappings[0].place, (CodePlace{"/usr/bin/a b", 0x1000}));
    QCOMPARE(mappings[0].start, 0x401000u);
    QCOMPARE(mappings[1].place, (CodePlace{"/lib/c.so (deleted)", 0x5000}));
}

void AttachModelTest::readsHostileMappings()
{
    for (const char *text : {"", "\n\n", "-", "x-y r-xp 0 0 0 /a", "2-1 r-xp 0 08:01 1 /a", "1-2", "1-2 ", "1-2 r-x",
                             "1-2 r-xp", "1-2 r-xp zz 08:01 1 /a", "ffffffffffffffffff-1 r-xp 0 0 0 /a"})
        QVERIFY2(parseMappings(text).empty(), text);
    std::string many;
    for (int i = 0; i < 50'000; ++i)
        many += "1000-2000 r-xp 0 08:01 1 /a\n";
    QVERIFY(parseMappings(many).size() <= 20'000);
}

void AttachModelTest::findsPlacesOfProcesses()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("7"));
    const auto write = [&](const char *text) {
        QFile file(folder.filePath("7/maps"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("1000-2000 r-xp 00000400 08:01 1 /bin/a\n");
    ModuleTable table(folder.path().toStdString());
    table.see(7, 0x1010, 0);
    QCOMPARE(table.find(7, 0x1010), std::optional(CodePlace{"/bin/a", 0x410}));
    QVERIFY(!table.find(8, 0x1010));
    table.see(9, 0x1010, 0); // There is no such process.
    QVERIFY(!table.find(9, 0x1010));
    write("1000-2000 r-xp 00000400 08:01 1 /bin/a\n3000-4000 r-xp 0 08:01 2 /lib/plugin.so\n");
    table.see(7, 0x3001, 1'000); // Too soon to look again.
    QVERIFY(!table.find(7, 0x3001));
    table.see(7, 0x3001, 1'000'000'000);
    QCOMPARE(table.find(7, 0x3001), std::optional(CodePlace{"/lib/plugin.so", 1}));
}

void AttachModelTest::addsUpMemory()
{
    ResourceMeter meter;
    meter.take(madeCall(JSA_CALL_cuMemAlloc_v2, 1000, {0x10000, 4096}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemAlloc_v2, 2000, {0x20000, 100}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemAlloc_v2, 2500, {0x20000, 50}), 2, 0); // Another process.
    meter.take(madeCall(JSA_CALL_cuMemHostAlloc, 3000, {0x30000, 7}), 1, 0);
    QCOMPARE(lastValues(meter), (std::map<std::string, double>{{"device memory", 4246}, {"pinned memory", 7}}));
    meter.take(madeCall(JSA_CALL_cuMemFree_v2, 4000, {0x10000}), 1, 1);
    meter.take(madeCall(JSA_CALL_cuMemFree_v2, 4000, {0x77777}), 1, 1); // Unknown.
    QCOMPARE(lastValues(meter), (std::map<std::string, double>{{"device memory", 150}}));
    AttachEvent failed = madeCall(JSA_CALL_cuMemAlloc_v2, 5000, {0x40000, 1});
    failed.flags = JSA_FLAG_FAILED;
    meter.take(failed, 1, 1);
    QVERIFY(meter.takeSamples().empty());
    // Its end was lost.
    meter.take(madeCall(JSA_CALL_cuMemAlloc_v2, 6000, {0x20000, 30}), 1, 1);
    QCOMPARE(lastValues(meter)["device memory"], 80.0);
}

void AttachModelTest::findsGrowingObjects()
{
    ResourceMeter grows;
    ResourceMeter stays;
    for (std::uint32_t frame = 0; frame < 100; ++frame) {
        for (ResourceMeter *meter : {&grows, &stays})
            meter->take(madeCall(JSA_CALL_glFenceSync, frame * 1000, {frame + 1}), 1, frame);
        stays.take(madeCall(JSA_CALL_glDeleteSync, frame * 1000 + 500, {frame + 1}), 1, frame);
    }
    QVERIFY(stays.growing(100).empty());
    const auto found = grows.growing(100);
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].what, std::string_view("fences"));
    QCOMPARE(found[0].more, 90u);
}

void AttachModelTest::findsCopiesThroughTheHost()
{
    WasteFinder waste;
    WasteFinder apart;
    for (std::uint32_t frame = 0; frame < 50; ++frame) {
        const std::int64_t ns = frame * 10'000 + 1000;
        const AttachEvent out = madeCall(JSA_CALL_cuMemcpyDtoH_v2, ns, {0, 0x50000, 0x9000, 64, JSA_COPY_TO_HOST}, 5);
        const AttachEvent in = madeCall(JSA_CALL_glTexSubImage2D, ns + 500, {8, 8, 0x50010, 0, 0}, 6);
        waste.take(out, 1, 1, frame);
        waste.take(in, 1, 1, frame);
        apart.take(out, 1, 1, frame);
        apart.take(in, 2, 2, frame); // Another process's memory.
        apart.take(madeCall(JSA_CALL_glTexSubImage2D, ns + 700, {8, 8, 0x50040, 0, 0}), 1, 1, frame); // Behind it.
    }
    QVERIFY(apart.findings(50, 500'000).empty());
    const auto found = waste.findings(50, 500'000);
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].what, std::string("host-round-trip"));
    QCOMPARE(found[0].grade, FindingGrade::Possible);
    QCOMPARE(found[0].calls, 40u);
    QCOMPARE(found[0].sites.size(), 1u);
    QCOMPARE(found[0].sites[0].address, 6u);
    QCOMPARE(found[0].sites[0].calls, 40u);
}

void AttachModelTest::judgesFailedCalls_data()
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

void AttachModelTest::judgesFailedCalls()
{
    QFETCH(int, function);
    QFETCH(int, code);
    QFETCH(quint64, bytes);
    QFETCH(QString, found);
    CallLedger ledger;
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

namespace {

constexpr std::uint64_t kBlocking = 0x500000;
constexpr std::uint64_t kFree = 0x600000;

/// Two streams, and 4096 bytes of device memory.
CallLedger twoStreams()
{
    CallLedger ledger;
    ledger.take(madeCall(JSA_CALL_cuStreamCreate, 100, {kBlocking, 0}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamCreate, 200, {kFree, 1}), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, 300, {0x10000, 4096}), 1, 1, 0);
    return ledger;
}

AttachEvent copyIn(std::uint64_t stream)
{
    return madeCall(JSA_CALL_cuMemcpyHtoDAsync_v2, 400, {stream, 0x10000, 0x90000, 64, JSA_COPY_TO_DEVICE});
}

AttachEvent copyOut(std::uint64_t stream)
{
    return madeCall(JSA_CALL_cuMemcpyDtoHAsync_v2, 500, {stream, 0xA0000, 0x10000, 64, JSA_COPY_TO_HOST});
}

} // namespace

/// The legacy default stream waits for all streams but non-blocking ones, and they for it.
void AttachModelTest::ordersByTheDefaultStream()
{
    for (const auto &[in, out, isOrdered] :
         {std::tuple{std::uint64_t{0}, kBlocking, true}, std::tuple{kBlocking, std::uint64_t{0}, true},
          std::tuple{std::uint64_t{0}, kFree, false}, std::tuple{kFree, std::uint64_t{0}, false},
          std::tuple{kBlocking, kFree, false}, std::tuple{kFree, kFree, true}}) {
        CallLedger ledger = twoStreams();
        ledger.take(copyIn(in), 1, 1, 0);
        ledger.take(copyOut(out), 1, 1, 0);
        const auto found = ledger.findings(1);
        QCOMPARE(found.size(), isOrdered ? 0u : 1u);
        QVERIFY(isOrdered || (found[0].what == "hazard-B5" && found[0].grade == FindingGrade::Seen));
    }
    // A thread's own default stream is not the one of another thread.
    CallLedger ledger = twoStreams();
    ledger.take(copyIn(2), 1, 7, 0);
    ledger.take(copyOut(2), 1, 8, 0);
    QCOMPARE(ledger.findings(1).size(), 1u);
}

void AttachModelTest::ordersByValues_data()
{
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("found");
    const auto row = [](const char *calls, const char *found) { QTest::newRow(calls) << calls << found; };
    // I and O: copies to and from the same memory; w: write a value, n: without a barrier; g, e, b, r: wait for at
    // least, equal, any bit, a missing bit; R and W: an event; s, S, C: the CPU waits for a stream, the event, all; M:
    // memset of the value; H: a host function; B and U: a batch of a barrier and a write, and one of an unknown kind.
    // Then the stream; the default stream is d, c and e wait for it.
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
}

void AttachModelTest::ordersByValues()
{
    QFETCH(QString, calls);
    QFETCH(QString, found);
    const std::map<char, std::uint64_t> streams = {{'a', kFree}, {'b', 0x700000}, {'c', kBlocking},
                                                   {'d', 0},     {'e', 0x900000}, {'f', 0x800000}};
    constexpr std::uint64_t kFlag = 0x20000, kEvent = 0x30000;
    CallLedger ledger = twoStreams();
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
            {'M', madeCall(JSA_CALL_cuMemsetD8Async, 400, {stream, kFlag, 4096})},
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
void AttachModelTest::ordersCallsOfThreads()
{
    const auto longCall = [](jsa_call function, std::uint64_t handle) {
        AttachEvent event = madeCall(function, 900, {handle});
        event.startNs = 310;
        return event;
    };
    CallLedger ledger = twoStreams();
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
    CallLedger other = twoStreams();
    other.take(copyIn(kFree), 1, 1, 0);
    other.take(madeCall(JSA_CALL_cuWaitExternalSemaphoresAsync, 400, {kBlocking, 1}), 1, 1, 0);
    other.take(copyOut(kBlocking), 1, 1, 0);
    QVERIFY(other.findings(1).empty());
}

/// Work of a graph is not executed when it is captured.
void AttachModelTest::ignoresWhatIsCaptured()
{
    CallLedger ledger = twoStreams();
    ledger.take(madeCall(JSA_CALL_cuStreamBeginCapture_v2, 350, {kFree}), 1, 1, 0);
    ledger.take(copyIn(kFree), 1, 1, 0);
    ledger.take(madeCall(JSA_CALL_cuStreamEndCapture, 450, {kFree}), 1, 1, 0);
    ledger.take(copyOut(kBlocking), 1, 1, 0);
    QVERIFY(ledger.findings(1).empty());
}

/// Programs can write any arguments into the records.
void AttachModelTest::isBoundedAndNeverSure()
{
    std::mt19937_64 random(1);
    const std::uint64_t values[] = {0, 1, 2, 3, 0x1000, 0x1800, 0x2000, UINT64_MAX, UINT64_MAX - 4095, 1ULL << 63};
    CallLedger ledger;
    WasteFinder waste;
    std::int64_t ns = 1000;
    for (int i = 0; i < 200'000; ++i, ns += 10) {
        AttachEvent event;
        event.call = static_cast<std::uint16_t>(1 + random() % (JSA_CALL_COUNT - 1));
        event.flags = static_cast<std::uint16_t>(random() % 16 == 0 ? random() : 0);
        event.startNs = ns;
        event.endNs = ns + 5;
        for (std::uint64_t &argument : event.argument)
            argument = random() % 8 == 0 ? random() : values[random() % std::size(values)];
        event.argument[4] = random() % 4;
        if (attachCall(event.call)->work == JSA_WORK_VALUES)
            for (AttachOperation &operation : event.operations = std::vector<AttachOperation>(random() % 4))
                for (std::uint64_t &word : operation)
                    word = values[random() % std::size(values)];
        const auto pid = static_cast<std::int32_t>(random() % 3);
        ledger.take(event, pid, pid, static_cast<std::uint32_t>(i / 100));
        waste.take(event, pid, pid, static_cast<std::uint32_t>(i / 100));
    }
    ledger.setLost(1);
    for (const WasteFinding &finding : ledger.findings(2000))
        QCOMPARE(finding.grade, FindingGrade::Unknown);
    for (int pid = 0; pid < 1000; ++pid)
        ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, ns, {0x1000, 64}), pid, pid, 0);
    const auto checks = ledger.checks();
    QVERIFY(checks[0].reason.find("too many") != std::string::npos);
}

void AttachModelTest::boundsWhatWasteCanBring()
{
    WasteFinder waste;
    for (std::uint32_t frame = 0; frame < 110; ++frame)
        waste.take(madeCall(JSA_CALL_glFinish, frame * 1000 + 500, {}), 1, 1, frame); // 100 of 1000 ns.
    const auto found = waste.findings(110, 110'000);
    QCOMPARE(found.size(), 1u);
    QVERIFY(found[0].mostShare && std::abs(*found[0].mostShare - 0.1) < 1e-9);
    QVERIFY(found[0].text.find("10 % of the period at most") != std::string::npos);
    const auto shorter = waste.findings(110, 1000);
    QCOMPARE(*shorter[0].mostShare, 1.0); // Never more than the whole.
}

JETSCOPE_TEST(AttachModelTest)
#include "tst_attachmodel.moc"

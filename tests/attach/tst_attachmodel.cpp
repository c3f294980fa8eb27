// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is derived from calls without a program: memory and objects in use, places of code, copies through the host.
#include "core/attach/attachrecorder.h"

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

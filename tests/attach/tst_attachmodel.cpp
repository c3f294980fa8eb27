// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is derived from calls without a program: memory and objects in use, places of code, copies through the host.
#include "core/attach/attachrecorder.h"
#include "core/attach/calltable.h"
#include "core/attach/copyrows.h"
#include "gpu/attach/callsites.h"

#include "madecall.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <random>

using namespace jetscope;

namespace {

/// The last value of each counter, by name.
std::map<std::string, double> lastValues(ResourceMeter &meter)
{
    std::map<std::string, double> values;
    for (const CounterSample &sample : meter.takeSamples())
        values[meter.counters()[sample.counter].name] = sample.value;
    return values;
}

/// Counts as a function of the runtime by its name.
extern "C" __attribute__((noinline, visibility("default"))) int cudaStandinOfTests(int value)
{
    return value * 3;
}

} // namespace

class AttachModelTest : public QObject {
    Q_OBJECT

private slots:
    void readsMappings();
    void readsHostileMappings();
    void findsPlacesOfProcesses();
    void survivesAnyStack();
    void addsUpMemory();
    void findsGrowingObjects();
    void findsCopiesThroughTheHost();
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

/// Numbers of the program, also addresses of real code in an order that no program has.
void AttachModelTest::survivesAnyStack()
{
    QFile maps("/proc/self/maps");
    QVERIFY(maps.open(QIODevice::ReadOnly));
    const auto mappings = std::make_shared<const std::vector<CodeMapping>>(parseMappings(maps.readAll().toStdString()));
    std::mt19937_64 random(1);
    const auto code = [&] {
        const CodeMapping &any = (*mappings)[random() % mappings->size()];
        return any.start + random() % (any.end - any.start);
    };
    CallSite site;
    site.address = reinterpret_cast<std::uint64_t>(&cudaStandinOfTests) + 1;
    site.place = placeIn(*mappings, site.address).value();
    site.mappings = mappings;
    CallSites names;
    const std::string direct = names.describe(site.place);
    for (int i = 0; i < 300; ++i) {
        CallStack stack;
        stack.address = i % 3 == 0 ? site.address : i % 3 == 1 ? code() : random();
        stack.stackPointer = random() % 2 == 0 ? UINT64_MAX - random() % 512 : random() & ~std::uint64_t{7};
        stack.framePointer = random() % 2 == 0 ? stack.stackPointer + random() % 512 : random();
        for (int k = 0; k < 200; ++k)
            stack.words.push_back(random() % 4 == 0       ? random()
                                      : random() % 4 == 0 ? stack.stackPointer + random() % 1600
                                                          : code());
        site.stacks.assign(1, stack);
        QVERIFY(QString::fromStdString(names.describe(site)).endsWith(QString::fromStdString(direct)));
    }
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
    // Memory of another API that is given back.
    ResourceMeter external;
    for (std::uint64_t frame = 0; frame < 100; ++frame) {
        const auto ns = static_cast<std::int64_t>(frame * 1000);
        const auto number = static_cast<std::uint32_t>(frame);
        external.take(madeCall(JSA_CALL_cuImportExternalMemory, ns, {frame + 1}), 1, number);
        external.take(madeCall(JSA_CALL_cuDestroyExternalMemory, ns + 500, {frame + 1}), 1, number);
    }
    QVERIFY(external.growing(100).empty());
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

/// Programs can write any arguments into the records.
void AttachModelTest::isBoundedAndNeverSure()
{
    std::mt19937_64 random(1);
    const std::uint64_t values[] = {0, 1, 2, 3, 0x1000, 0x1800, 0x2000, UINT64_MAX, UINT64_MAX - 4095, 1ULL << 63};
    CallLedger ledger;
    WasteFinder waste;
    WorkBounds bounds;
    std::vector<BoundedWork> bounded;
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
        if (attachCall(event.call)->work == JSA_WORK_VALUES || isCopyInRows(*attachCall(event.call)))
            for (AttachOperation &operation : event.operations = std::vector<AttachOperation>(random() % 4))
                for (std::uint64_t &word : operation)
                    word = values[random() % std::size(values)];
        const auto pid = static_cast<std::int32_t>(random() % 3);
        ledger.take(event, pid, pid, static_cast<std::uint32_t>(i / 100));
        waste.take(event, pid, pid, static_cast<std::uint32_t>(i / 100));
        bounds.take(event, pid, pid, bounded);
        if (i % 100 == 0)
            bounds.cut(ns, bounded);
        for (const BoundedWork &work : std::exchange(bounded, {}))
            QVERIFY(work.time.startNs < work.time.endNs);
    }
    ledger.setUnseen({1, 0});
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

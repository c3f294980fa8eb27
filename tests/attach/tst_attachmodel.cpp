// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is derived from calls without a program: memory and objects in use, places of code, copies through the host.
#include "core/attach/format/calltable.h"
#include "core/attach/read/copyrows.h"
#include "core/attach/record/attachrecorder.h"
#include "gpu/attach/host/callsites.h"

#include "madeledger.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>
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
    void tellsHostMemoryApart();
    void addsUpArrays_data();
    void addsUpArrays();
    void saysThatASizeIsNotKnown();
    void followsMemoryThatTheProgramMaps();
    void findsGrowingObjects();
    void knowsWhatUsesEvents_data();
    void knowsWhatUsesEvents();
    void judgesNothingAcrossAPause();
    void findsCopiesThroughTheHost();
    void isBoundedAndNeverSure();
    void boundsWhatWasteCanBring();
    void givesFramesThatComeLaterALane_data();
    void givesFramesThatComeLaterALane();
    void measuresWaitsOfTheDefaultStream_data();
    void measuresWaitsOfTheDefaultStream();
    void pricesTheDefaultStream();
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
    QVERIFY(QDir(folder.path()).mkpath("10/maps")); // Can be opened and not read, as of a process that has just ended.
    table.see(10, 0x1010, 0);
    QVERIFY(!table.find(10, 0x1010));
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
        const std::string said = names.describe(site);
        QVERIFY2(said == direct || said.find(", through ") != std::string::npos, said.c_str());
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

void AttachModelTest::tellsHostMemoryApart()
{
    ResourceMeter meter;
    meter.take(madeCall(JSA_CALL_cuMemHostAlloc, 1000, {0x10000, 1, 1 | 4}), 1, 0); // Portable, write-combined.
    meter.take(madeCall(JSA_CALL_cuMemHostAlloc, 2000, {0x20000, 20, 2 | 4}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemAllocHost_v2, 3000, {0x30000, 300}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemHostRegister_v2, 4000, {0x40000, 4000, 8}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemHostRegister_v2, 5000, {0x50000, 50000, 2 | 8}), 1, 0);
    QCOMPARE(lastValues(meter),
             (std::map<std::string, double>{
                 {"pinned memory", 301}, {"zero-copy memory", 50020}, {"registered host memory", 4000}}));
    meter.take(madeCall(JSA_CALL_cuMemFreeHost, 6000, {0x20000}), 1, 0);
    meter.take(madeCall(JSA_CALL_cuMemHostUnregister, 7000, {0x50000}), 1, 0);
    QCOMPARE(lastValues(meter), (std::map<std::string, double>{{"zero-copy memory", 0}}));
}

namespace {

AttachEvent madeArray(std::uint64_t handle, std::array<std::uint64_t, 3> size, std::uint64_t format,
                      std::uint64_t channels, std::uint64_t levels = 1, std::uint64_t flags = 0)
{
    return madeCall(JSA_CALL_cuMipmappedArrayCreate, 1000,
                    {handle, size[0] | size[1] << 32, size[2] | (levels | flags << 8) << 32, format | channels << 32});
}

} // namespace

void AttachModelTest::addsUpArrays_data()
{
    QTest::addColumn<AttachEvent>("array");
    QTest::addColumn<double>("bytes");
    const auto row = [](const char *name, const AttachEvent &array, double bytes) {
        QTest::newRow(name) << array << bytes;
    };
    row("RGBA", madeArray(1, {640, 480, 0}, 0x01, 4), 640 * 480 * 4);
    row("of one dimension", madeArray(1, {100, 0, 0}, 0x0a, 1), 400);
    row("half floats", madeArray(1, {10, 10, 10}, 0x10, 2), 4000);
    row("NV12", madeArray(1, {640, 480, 0}, 0xb0, 3), 640 * 480 * 3 / 2);
    row("P010", madeArray(1, {640, 480, 0}, 0x9f, 3), 640 * 480 * 3);
    row("normalized", madeArray(1, {8, 8, 0}, 0xc5, 4), 8 * 8 * 8);
    row("BC1, whole blocks", madeArray(1, {5, 5, 0}, 0x91, 4), 4 * 8);
    row("BC7", madeArray(1, {8, 8, 0}, 0x9d, 4), 4 * 16);
    row("mipmaps of a box", madeArray(1, {4, 4, 4}, 0x08, 1, 3), 64 + 8 + 1);
    row("mipmaps of layers", madeArray(1, {4, 4, 6}, 0x08, 1, 3, 0x01), (16 + 4 + 1) * 6);
    row("mipmaps of a cube", madeArray(1, {4, 4, 6}, 0x08, 1, 3, 0x04 | 0x02), (16 + 4 + 1) * 6);
    row("sparse", madeArray(1, {640, 480, 0}, 0x01, 4, 1, 0x40), 0);
    row("mapped later", madeArray(1, {640, 480, 0}, 0x01, 4, 1, 0x80), 0);
}

void AttachModelTest::addsUpArrays()
{
    QFETCH(AttachEvent, array);
    QFETCH(double, bytes);
    ResourceMeter meter;
    meter.take(array, 1, 0);
    QCOMPARE(lastValues(meter), (std::map<std::string, double>{{"CUDA arrays", bytes}}));
    meter.take(madeCall(JSA_CALL_cuMipmappedArrayDestroy, 2000, {1}), 1, 0);
    QCOMPARE(lastValues(meter)["CUDA arrays"], 0.0);
}

void AttachModelTest::saysThatASizeIsNotKnown()
{
    for (const AttachEvent &array : {madeArray(2, {8, 8, 0}, 0x77, 4), madeArray(2, {UINT32_MAX, 8, 8}, 0x01, 4),
                                     madeArray(2, {8, 8, 0}, 0x01, UINT32_MAX)}) {
        ResourceMeter meter;
        meter.take(madeArray(1, {8, 8, 0}, 0x01, 4), 1, 0);
        meter.take(array, 1, 0);
        QVERIFY(std::isnan(lastValues(meter)["CUDA arrays"]));
        meter.take(madeArray(3, {8, 8, 0}, 0x01, 4), 1, 0);
        meter.take(madeCall(JSA_CALL_cuArrayDestroy, 2000, {1}), 1, 0);
        QVERIFY(lastValues(meter).empty());
    }
}

/// It stays in use until it is released and mapped nowhere.
void AttachModelTest::followsMemoryThatTheProgramMaps()
{
    constexpr const char *kName = "memory mapped by the program";
    ResourceMeter meter;
    const auto take = [&](jsa_call call, std::array<std::uint64_t, JSA_ARGUMENTS> argument, std::int32_t process = 1) {
        meter.take(madeCall(call, 1000, argument), process, 0);
    };
    take(JSA_CALL_cuMemCreate, {7, 100});
    take(JSA_CALL_cuMemCreate, {8, 20});
    take(JSA_CALL_cuMemCreate, {7, 3}, 2);
    take(JSA_CALL_cuMemMap, {0x1000, 0x1000, 7});
    take(JSA_CALL_cuMemMap, {0x2000, 0x1000, 8});
    take(JSA_CALL_cuMemMap, {0x9000, 0x1000, 7}); // At a second place.
    take(JSA_CALL_cuMemRelease, {7});
    QCOMPARE(lastValues(meter), (std::map<std::string, double>{{kName, 123}}));
    take(JSA_CALL_cuMemUnmap, {0x1000, 0x2000}); // Of 8 the handle is left, and of 7 the second place.
    QVERIFY(lastValues(meter).empty());
    take(JSA_CALL_cuMemRelease, {8});
    QCOMPARE(lastValues(meter)[kName], 103.0);
    take(JSA_CALL_cuMemUnmap, {0x9000, 0x1000}, 2); // Another process's address.
    QVERIFY(lastValues(meter).empty());
    take(JSA_CALL_cuMemUnmap, {0x9000, 0x1000});
    QCOMPARE(lastValues(meter)[kName], 3.0);
    take(JSA_CALL_cuMemRelease, {7}, 2);
    take(JSA_CALL_cuMemRelease, {7}, 2);
    take(JSA_CALL_cuMemUnmap, {0, UINT64_MAX});
    QCOMPARE(lastValues(meter)[kName], 0.0);
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

void AttachModelTest::knowsWhatUsesEvents_data()
{
    QTest::addColumn<AttachEvent>("use");
    QTest::addColumn<bool>("isUsed");
    const auto row = [](const char *name, const AttachEvent &use, bool isUsed) {
        QTest::newRow(name) << use << isUsed;
    };
    const auto failed = [](AttachEvent event) {
        event.flags = JSA_FLAG_FAILED | 600 << JSA_CODE_SHIFT;
        return event;
    };
    row("nothing", madeCall(JSA_CALL_glFlush, 500, {7, 7, 7}), false);
    row("another event", madeCall(JSA_CALL_cuEventSynchronize, 500, {8}), false);
    row("a stream of that number", madeCall(JSA_CALL_cuStreamWaitEvent, 500, {7, 8}), false);
    row("a stream", madeCall(JSA_CALL_cuStreamWaitEvent, 500, {1, 7}), true);
    row("a captured stream", madeCall(JSA_CALL_cuStreamWaitEvent, 500, {99, 7}), true);
    row("the CPU", madeCall(JSA_CALL_cuEventSynchronize, 500, {7}), true);
    row("a question", madeCall(JSA_CALL_cuEventQuery, 500, {7}), true);
    row("a question too early", failed(madeCall(JSA_CALL_cuEventQuery, 500, {7})), true);
    row("a fence", madeCall(JSA_CALL_eglCreateSync, 500, {0x7100, 0x323b, 7}), true);
    row("the begin of a time", madeCall(JSA_CALL_cuEventElapsedTime, 500, {7, 8}), true);
    row("the end of a time", madeCall(JSA_CALL_cuEventElapsedTime_v2, 500, {8, 7}), true);
    row("a graph, of which it is not seen", madeCall(JSA_CALL_cuGraphLaunch, 500, {1}), true);
}

void AttachModelTest::knowsWhatUsesEvents()
{
    QFETCH(AttachEvent, use);
    QFETCH(bool, isUsed);
    Judged<WasteFinder> waste;
    Judged<WasteFinder> others; // Events that another process may use, or that were made before.
    waste.take(madeCall(JSA_CALL_cuEventCreate, 100, {7, 2}), 1, 1, kNoFrame);
    others.take(madeCall(JSA_CALL_cuEventCreate, 100, {7, 2 | 4}), 1, 1, kNoFrame);
    waste.take(madeCall(JSA_CALL_cuStreamBeginCapture_v2, 150, {99, 0}), 1, 1, kNoFrame);
    for (std::uint32_t frame = 0; frame < 50; ++frame) {
        for (const std::uint64_t event : {7, 6}) {
            const AttachEvent record = madeCall(JSA_CALL_cuEventRecord, frame * 1000 + 400, {event, 1}, 5);
            (event == 7 ? waste : others).take(record, 1, 1, frame);
            others.take(record, 1, 1, frame);
        }
        if (frame == 1) // Once is enough.
            waste.take(use, 1, 1, frame);
    }
    QVERIFY(others.findings(50, 50'000).empty());
    const auto found = waste.findings(50, 50'000);
    QCOMPARE(found.size(), isUsed ? 0u : 1u);
    if (!isUsed)
        QVERIFY(found[0].what == "event-never-awaited" && found[0].calls == 39u && found[0].sites[0].address == 5u);
    const auto checks = waste.checks(50);
    const auto check = std::find_if(checks.begin(), checks.end(),
                                    [](const WasteCheck &each) { return each.what == "event-never-awaited"; });
    QCOMPARE(check->reason.empty(), use.call != JSA_CALL_cuGraphLaunch);
}

/// In a pause events may be awaited, and captures end.
void AttachModelTest::judgesNothingAcrossAPause()
{
    Judged<WasteFinder> waste;
    waste.take(madeCall(JSA_CALL_cuEventCreate, 100, {7, 2}), 1, 1, kNoFrame);
    waste.take(madeCall(JSA_CALL_cuEventRecord, 20'000, {7, 1}), 1, 1, 20);
    waste.take(madeCall(JSA_CALL_cuStreamBeginCapture_v2, 20'100, {9, 0}), 1, 1, 20);
    waste.interrupt();
    waste.take(madeCall(JSA_CALL_cuEventDestroy_v2, 20'500, {7}), 1, 1, kNoFrame);
    waste.interrupt();
    QVERIFY(waste.findings(50, 50'000).empty());
    waste.take(madeCall(JSA_CALL_cuEventCreate, 21'000, {7, 2}), 1, 1, 21);
    for (std::uint32_t frame = 21; frame < 50; ++frame)
        waste.take(madeCall(JSA_CALL_cuEventRecord, frame * 1000 + 400, {7, 9}, 5), 1, 1, frame);
    const auto found = waste.findings(50, 50'000);
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].what, std::string("event-never-awaited"));
}

void AttachModelTest::findsCopiesThroughTheHost()
{
    Judged<WasteFinder> waste;
    Judged<WasteFinder> apart;
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
    MadeLedger ledger;
    Judged<WasteFinder> waste;
    ResourceMeter meter;
    Judged<WorkBounds, true> bounds;
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
        meter.take(event, pid, static_cast<std::uint32_t>(i / 100));
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
    Judged<WasteFinder> waste;
    for (std::uint32_t frame = 0; frame < 110; ++frame)
        waste.take(madeCall(JSA_CALL_glFinish, frame * 1000 + 500, {}), 1, 1, frame); // 100 of 1000 ns.
    const auto found = waste.findings(110, 110'000);
    QCOMPARE(found.size(), 1u);
    QVERIFY(found[0].mostShare && std::abs(*found[0].mostShare - 0.1) < 1e-9);
    QVERIFY(found[0].text.find("10 % of the period at most") != std::string::npos);
    const auto shorter = waste.findings(110, 1000);
    QCOMPARE(*shorter[0].mostShare, 1.0); // Never more than the whole.
}

namespace {

constexpr std::uint32_t kFrame = 20; // Behind those of setting up.

DefaultStreamWaits::Work work(StreamRole role, std::uint32_t stream, std::int64_t submittedNs, std::int64_t startNs,
                              std::int64_t endNs)
{
    return {1, 1, stream, role, kFrame, submittedNs, startNs, endNs};
}

} // namespace

void AttachModelTest::measuresWaitsOfTheDefaultStream_data()
{
    using Works = std::vector<DefaultStreamWaits::Work>;
    QTest::addColumn<Works>("works");
    QTest::addColumn<qint64>("waitedNs");
    const auto row = [](const char *name, const Works &works, qint64 waitedNs) {
        QTest::newRow(name) << works << waitedNs;
    };
    const auto legacy = [](auto... times) { return work(StreamRole::Legacy, 7, times...); };
    const auto blocking = [](auto... times) { return work(StreamRole::Blocking, 13, times...); };
    const auto free = [](auto... times) { return work(StreamRole::Free, 14, times...); };
    row("behind the default stream", {legacy(0, 10, 100), blocking(30, 100, 120)}, 70);
    row("the default stream behind others", {blocking(0, 10, 100), legacy(30, 100, 120)}, 70);
    row("delivered later", {blocking(30, 100, 120), legacy(0, 10, 100)}, 70);
    row("not at once", {legacy(0, 10, 60), blocking(30, 100, 120)}, 30);
    row("behind its own stream", {blocking(0, 10, 90), legacy(5, 90, 100), blocking(6, 100, 110)}, 80 + 10);
    row("submitted behind it", {legacy(0, 10, 100), blocking(150, 160, 170)}, 0);
    row("other work was submitted later", {legacy(40, 50, 100), blocking(30, 100, 120)}, 0);
    row("a stream that waits for nothing", {legacy(0, 10, 100), free(30, 100, 120)}, 0);
    row("the same stream", {legacy(0, 10, 100), legacy(30, 100, 120)}, 0);
    auto other = blocking(30, 100, 120);
    other.context = 2;
    row("another context", {legacy(0, 10, 100), other}, 0);
    auto second = work(StreamRole::Blocking, 15, 0, 20, 90);
    row("two at the same time count once", {blocking(0, 10, 80), second, legacy(30, 100, 120)}, 60);
    auto early = blocking(30, 100, 120);
    early.frame = 3;
    row("while the program sets up", {legacy(0, 10, 100), early}, 0);
}

void AttachModelTest::measuresWaitsOfTheDefaultStream()
{
    QFETCH(std::vector<DefaultStreamWaits::Work>, works);
    QFETCH(qint64, waitedNs);
    DefaultStreamWaits waits;
    for (const DefaultStreamWaits::Work &one : works)
        waits.add(one);
    waits.settle(50);
    waits.settle(1000);
    QCOMPARE(waits.waitedNs(), waitedNs);
}

void AttachModelTest::pricesTheDefaultStream()
{
    Judged<WasteFinder> waste;
    DefaultStreamWaits waits;
    waste.take(madeCall(JSA_CALL_cuStreamCreate, 1, {9, 0}), 1, 1, kNoFrame);
    for (std::uint32_t frame = 0; frame < 110; ++frame) {
        const std::int64_t ns = frame * 1000;
        for (const std::uint64_t stream : {0, 9}) {
            const AttachEvent launch = madeCall(JSA_CALL_cuLaunchKernel, ns + 200, {stream, 1});
            waste.take(launch, 1, 1, frame);
            const std::int64_t startNs = stream == 0 ? ns + 300 : ns + 700;
            waits.add({1, 1, static_cast<std::uint32_t>(stream), waste.model().roleOf(1, stream), frame, launch.endNs,
                       startNs, ns + 700});
        }
    }
    waits.settle(200'000);
    const auto unpriced = waste.findings(110, 110'000);
    QVERIFY(unpriced.size() == 1 && !unpriced[0].msPerFrame && !unpriced[0].mostShare);
    const auto found = waste.findings(110, 110'000, waits);
    QCOMPARE(found.size(), 1u);
    QVERIFY(std::abs(*found[0].msPerFrame - 400e-6) < 1e-9); // 300 to 700 of each period.
    QVERIFY(std::abs(*found[0].mostShare - 0.4) < 1e-9);
    QVERIFY2(found[0].text.find("waited for the other") != std::string::npos, found[0].text.c_str());
}

void AttachModelTest::givesFramesThatComeLaterALane_data()
{
    QTest::addColumn<int>("call");
    QTest::newRow("hand-overs") << int(JSA_CALL_cuEGLStreamConsumerReleaseFrame);
    QTest::newRow("buffers") << int(JSA_CALL_NvBufSurfTransform);
    QTest::newRow("swaps") << int(JSA_CALL_eglSwapBuffers);
}

/// A camera starts after a second, when a thread that warms up was taken for the one that makes the frames.
void AttachModelTest::givesFramesThatComeLaterALane()
{
    QFETCH(int, call);
    constexpr std::int64_t kStep = 10'000'000;
    const std::vector<AttachThread> threads = {{1, 1, "warm-up", "program"}, {1, 2, "camera", "program"}};
    AttachRecorder recorder({});
    for (int i = 1; i <= 400; ++i) {
        AttachEvent event = madeCall(JSA_CALL_cuStreamSynchronize, i * kStep, {1});
        std::vector<AttachEvent> events = {event, event};
        events[1] = madeCall(JSA_CALL_cuMemAlloc_v2, i * kStep + 1000, {0x1000, 16});
        if (i > 200)
            events[0] = madeCall(static_cast<jsa_call>(call), i * kStep, {7, 1});
        events[0].thread = i > 200 ? 1 : 0;
        events[1].thread = 1;
        recorder.add(std::move(events), threads, i * kStep + 1000);
    }
    recorder.finish();
    QVERIFY2(recorder.frames() >= 195 && recorder.frames() <= 201, QByteArray::number(qulonglong(recorder.frames())));
    const auto lanes = recorder.take().lanes;
    const auto count = [&](const char *name, LaneRole role) {
        return std::count_if(lanes.begin(), lanes.end(),
                             [&](const LaneInfo &lane) { return lane.name == name && lane.role == role; });
    };
    QCOMPARE(count("camera", LaneRole::CpuStage), 1);
    QCOMPARE(count("camera", LaneRole::Pipeline), 1);
}

JETSCOPE_TEST(AttachModelTest)
#include "tst_attachmodel.moc"

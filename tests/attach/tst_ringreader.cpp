// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/read/callstack.h"
#include "core/attach/read/copyrows.h"
#include "core/attach/read/ringreader.h"
#include "core/time/clock.h"
#include "core/time/cpucounter.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <cstring>
#include <random>
#include <unistd.h>

using namespace jetscope;

/// The collector's side, with this test in place of the inspected program.
class RingReaderTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readsRecords();
    void joinsTextOfSeveralRecords();
    void joinsStacks();
    void keepsPartsOfCallsApart();
    void takesRowsOfCopies();
    void takesReads();
    void countsLostCalls();
    void leavesTextOfLostCallsOut();
    void readsSubmissions();
    void countsCallsOfThreadsWithoutARing();
    void freesRingsOfEndedThreads();
    void replacesRingsAfterExec();
    void readsMaps();
    void holdsBackWhileACallIsOpen();
    void namesCallsThatDidNotReturn();
    void readsHardwareTimesBesideCalls();
    void countsImpossibleRecords_data();
    void countsImpossibleRecords();
    void survivesAnyContent();
    void convertsTimesInOrder();

private:
    jsa_ring &open(std::uint32_t index, std::uint32_t owner, std::int32_t tid = gettid());
    jsa_record &push(std::uint32_t index, std::uint16_t call);
    std::vector<AttachEvent> drain();

    std::optional<AttachMemory> m_memory;
    std::optional<RingReader> m_reader;
};

void RingReaderTest::init()
{
    m_reader.reset();
    m_memory.reset();
    Result<AttachMemory> memory = AttachMemory::create(0);
    QVERIFY(memory.ok());
    m_memory.emplace(std::move(memory).value());
    m_reader.emplace(*m_memory);
}

jsa_ring &RingReaderTest::open(std::uint32_t index, std::uint32_t owner, std::int32_t tid)
{
    jsa_ring &ring = m_memory->ring(index);
    ring.owner = owner;
    ring.pid = getpid();
    ring.tid = tid;
    std::strcpy(ring.thread_name, "a thread");
    std::strcpy(ring.process_name, "a process");
    ring.ready = 1;
    m_memory->session().rings_used = std::max(m_memory->session().rings_used, index + 1);
    return ring;
}

jsa_record &RingReaderTest::push(std::uint32_t index, std::uint16_t call)
{
    jsa_ring &ring = m_memory->ring(index);
    auto &record = const_cast<jsa_record &>(m_memory->records(index)[ring.head % JSA_RING_RECORDS]);
    record = {};
    record.begin = record.end = m_memory->session().clock == JSA_CLOCK_COUNTER
        ? readCpuCounter()
        : static_cast<std::uint64_t>(QDeadlineTimer::current().deadlineNSecs());
    record.call = call;
    ++ring.head;
    return record;
}

std::vector<AttachEvent> RingReaderTest::drain()
{
    std::vector<AttachEvent> events;
    m_reader->finish(events);
    return events;
}

void RingReaderTest::readsRecords()
{
    open(0, 1);
    push(0, JSA_CALL_glFinish).argument[0] = 5;
    push(0, JSA_CALL_eglSwapBuffers).flags = JSA_FLAG_FAILED;
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 2u);
    QCOMPARE(events[0].call, JSA_CALL_glFinish);
    QCOMPARE(events[0].argument[0], 5u);
    QVERIFY(!events[0].failed() && events[1].failed());
    QVERIFY(events[0].endNs <= events[1].endNs);
    QCOMPARE(m_reader->threads().size(), 1u);
    QCOMPARE(m_reader->threads()[0].name, std::string("a thread"));
    QCOMPARE(m_reader->threads()[0].process, std::string("a process"));
    QCOMPARE(m_memory->ring(0).tail, 2u);
    QVERIFY(drain().empty());
}

void RingReaderTest::joinsTextOfSeveralRecords()
{
    open(0, 1);
    const std::string name(70, 'n');
    std::memcpy(push(0, JSA_CALL_TEXT).argument, name.data(), JSA_TEXT_BYTES);
    std::memcpy(push(0, JSA_CALL_TEXT).argument, name.data() + JSA_TEXT_BYTES, name.size() - JSA_TEXT_BYTES);
    push(0, JSA_CALL_cuModuleGetFunction);
    push(0, JSA_CALL_glFinish);
    const AttachOperation operation{1, 2, 3, 4, 5};
    std::copy(operation.begin(), operation.end(), push(0, JSA_CALL_DATA).argument);
    push(0, JSA_CALL_cuStreamBatchMemOp_v2);
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 3u);
    QCOMPARE(events[0].text, name);
    QVERIFY(events[1].text.empty());
    QVERIFY(events[2].text.empty() && events[2].operations == std::vector<AttachOperation>{operation});
    QCOMPARE(m_reader->damaged(), 0u);
}

void RingReaderTest::joinsStacks()
{
    open(0, 1);
    for (std::uint64_t part = 0; part < 2; ++part)
        for (std::uint64_t i = 0; i < JSA_ARGUMENTS; ++i)
            push(0, JSA_CALL_STACK).argument[i] = 0; // Of a call that was lost.
    push(0, JSA_CALL_glFinish).lost = 1;
    for (std::uint64_t part = 0; part < 2; ++part) {
        jsa_record &record = push(0, JSA_CALL_STACK);
        for (std::uint64_t i = 0; i < JSA_ARGUMENTS; ++i)
            record.argument[i] = 0x1000 + part * 0x50 + i * 0x10;
    }
    push(0, JSA_CALL_glFinish);
    for (int i = 0; i < 1000; ++i) // More than the library writes.
        push(0, JSA_CALL_STACK);
    push(0, JSA_CALL_glFinish);
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 3u);
    QVERIFY(events[0].stack.empty());
    const auto stack = callStackOf(events[1].stack);
    QVERIFY(stack && stack->address == 0x1000 && stack->stackPointer == 0x1010 && stack->framePointer == 0x1020);
    QCOMPARE(stack->words.size(), 7u);
    QCOMPARE(stack->at(0x1010), std::optional<std::uint64_t>(0x1030));
    QCOMPARE(stack->at(0x1010 + 6 * 8), std::optional<std::uint64_t>(0x1090));
    for (const std::uint64_t outside : {0x1008U, 0x1014U, 0x1010U + 7 * 8U})
        QVERIFY(!stack->at(outside));
    QVERIFY(!stack->at(UINT64_MAX) && !callStackOf(std::vector<std::uint64_t>(3)));
    QVERIFY(events[2].stack.size() <= JSA_STACK_HEAD + JSA_STACK_WORDS + JSA_ARGUMENTS);
}

/// A name is no operations, and the other way round, whatever the program writes.
void RingReaderTest::keepsPartsOfCallsApart()
{
    open(0, 1);
    const auto pushName = [this] { std::strcpy(reinterpret_cast<char *>(push(0, JSA_CALL_TEXT).argument), "a name"); };
    pushName();
    push(0, JSA_CALL_cuStreamBatchMemOp_v2).argument[1] = 1;
    push(0, JSA_CALL_DATA).argument[0] = 'n';
    push(0, JSA_CALL_cuModuleGetFunction);
    push(0, JSA_CALL_DATA);
    pushName();
    push(0, JSA_CALL_glFinish);
    pushName();
    push(0, JSA_CALL_DATA);
    push(0, JSA_CALL_cuModuleGetFunction);
    for (unsigned i = 0; i < 2 * JSA_MOST_OPERATIONS; ++i)
        push(0, JSA_CALL_DATA).argument[0] = i;
    push(0, JSA_CALL_cuStreamBatchMemOp_v2);
    push(0, JSA_CALL_DATA);
    push(0, JSA_CALL_cuStreamBatchMemOp_v2).lost = 1; // The part was that of a lost call.
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 6u);
    QCOMPARE(m_reader->damaged(), 4u);
    for (const std::size_t i : {0, 1, 2})
        QVERIFY(events[i].text.empty() && events[i].operations.empty());
    QVERIFY(events[3].text == "a name" && events[3].operations.empty());
    QCOMPARE(events[4].operations.size(), std::size_t{JSA_MOST_OPERATIONS});
    QCOMPARE(events[4].operations.back()[0], std::uint64_t{JSA_MOST_OPERATIONS - 1});
    QVERIFY(events[5].operations.empty());
}

/// The direction of such a copy is in the record before.
void RingReaderTest::takesRowsOfCopies()
{
    open(0, 1);
    const auto pushRows = [this](std::uint64_t direction) {
        const AttachOperation rows{64, 32, 128, 256, direction};
        std::copy(rows.begin(), rows.end(), push(0, JSA_CALL_DATA).argument);
    };
    pushRows(JSA_COPY_TO_HOST);
    push(0, JSA_CALL_cuMemcpy2DAsync_v2).argument[3] = 2048;
    push(0, JSA_CALL_cuMemcpy2D_v2).argument[3] = 2048; // Without one.
    pushRows(99);
    push(0, JSA_CALL_cuMemcpy3D_v2);
    pushRows(JSA_COPY_TO_HOST); // Has none.
    push(0, JSA_CALL_cuMemcpyAsync).argument[3] = 10;
    push(0, JSA_CALL_cuMemsetD2D8Async).argument[3] = 7ULL | 512ULL << 32;
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 5u);
    const std::uint64_t directions[] = {JSA_COPY_TO_HOST, JSA_COPY_UNKNOWN, JSA_COPY_UNKNOWN, JSA_COPY_UNKNOWN};
    for (std::size_t i = 0; i < std::size(directions); ++i)
        QCOMPARE(events[i].argument[4], directions[i]);
    QCOMPARE(m_reader->damaged(), 1u);
    const auto is = [](const CopyRows &rows, const CopyRows &expected) {
        return std::tie(rows.bytes, rows.rows, rows.toPitch, rows.fromPitch, rows.isAll)
            == std::tie(expected.bytes, expected.rows, expected.toPitch, expected.fromPitch, expected.isAll);
    };
    QVERIFY(is(copyRowsOf(events[0]), {64, 32, 128, 256, true}));
    QVERIFY(is(copyRowsOf(events[1]), {0, 0, 0, 0, false}));
    QVERIFY(is(copyRowsOf(events[3]), {10, 1, 0, 0, true}));
    QVERIFY(is(copyRowsOf(events[4]), {0, 7, 512, 0, true}));
}

/// A read is reported when it is known, with the time from which it was watched.
void RingReaderTest::takesReads()
{
    open(0, 1);
    push(0, JSA_CALL_glFinish);
    const std::uint64_t since = push(0, JSA_CALL_glFinish).begin;
    jsa_record &read = push(0, JSA_CALL_READ);
    read.begin = since;
    read.argument[0] = 5;
    read.argument[1] = 60'000;
    read.argument[2] = ~std::uint64_t{0}; // No time of the program's is believed.
    read.argument[4] = 7;
    push(0, JSA_CALL_DATA); // No read has such a part.
    push(0, JSA_CALL_READ).begin = since;
    push(0, JSA_CALL_READ).begin = ~std::uint64_t{0};
    push(0, JSA_CALL_READ).begin = 1;
    m_memory->session().watches = m_memory->session().watches_refused = m_memory->session().watch_error = ~0u;
    m_memory->session().options = JSA_OPTION_WATCH_READS;
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 4u);
    QCOMPARE(events[2].call, JSA_CALL_READ);
    QCOMPARE(events[2].startNs, events[2].endNs);
    QCOMPARE(static_cast<std::int64_t>(events[2].argument[2]), events[1].startNs);
    QCOMPARE(events[2].site, 7u);
    QVERIFY(events[3].operations.empty());
    QCOMPARE(m_reader->damaged(), 3u);
    const WatchedResults watched = m_reader->watchedResults();
    QVERIFY(watched.asked && watched.watched == ~0u);
    QVERIFY(watched.refusal().find("4294967295 of 8589934590 results") == 0);
}

void RingReaderTest::countsLostCalls()
{
    open(0, 1).lost = 7;
    push(0, JSA_CALL_glFinish).lost = 7;
    m_memory->ring(0).counts[JSA_CALL_glFinish] = 8;
    QCOMPARE(drain()[0].lost, 7u);
    QCOMPARE(m_reader->lost(), 7u);
    QCOMPARE(m_reader->counts()[JSA_CALL_glFinish], 8u);
    const AttachCallCounts counts = m_reader->threadCounts().at(0);
    QCOMPARE(counts.counted, 8u);
    QCOMPARE(counts.recorded, 1u);
    QCOMPARE(counts.lost, 7u);
}

/// A name was written, then the ring was full: the next record is of another call.
void RingReaderTest::leavesTextOfLostCallsOut()
{
    open(0, 1);
    std::strcpy(reinterpret_cast<char *>(push(0, JSA_CALL_TEXT).argument), "of a lost call");
    push(0, JSA_CALL_cuModuleGetFunction).lost = 1;
    jsa_record &text = push(0, JSA_CALL_TEXT);
    std::strcpy(reinterpret_cast<char *>(text.argument), "its own");
    text.lost = 2;
    push(0, JSA_CALL_cuModuleGetFunction);
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 2u);
    QCOMPARE(events[0].text, std::string());
    QCOMPARE(events[0].lost, 1u);
    QCOMPARE(events[1].text, std::string("its own"));
    QCOMPARE(events[1].lost, 2u);
}

/// The id has the place of the number of lost calls.
void RingReaderTest::readsSubmissions()
{
    open(0, 1);
    std::copy_n("part", 4, reinterpret_cast<char *>(push(0, JSA_CALL_TEXT).argument));
    jsa_record &made = push(0, JSA_CALL_cuModuleGetFunction);
    made.submission = 9;
    made.flags = JSA_FLAG_SUBMISSION | JSA_FLAG_PER_THREAD;
    push(0, JSA_CALL_cuLaunchKernel).lost = 3;
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 2u);
    QCOMPARE(events[0].submission, 9u);
    QCOMPARE(events[0].lost, 0u);
    QCOMPARE(events[0].text, std::string("part"));
    QCOMPARE(events[0].flags, JSA_FLAG_PER_THREAD);
    QCOMPARE(events[1].submission, 0u);
    QCOMPARE(events[1].lost, 3u);
    QCOMPARE(m_reader->gpuCounts().recorded[JSA_GPU_CALL], 1u);
}

void RingReaderTest::countsCallsOfThreadsWithoutARing()
{
    m_memory->session().counts[JSA_CALL_glDrawArrays] = 5;
    open(0, 1).counts[JSA_CALL_glDrawArrays] = 2;
    drain();
    QCOMPARE(m_reader->counts()[JSA_CALL_glDrawArrays], 7u);
}

void RingReaderTest::freesRingsOfEndedThreads()
{
    std::int32_t ended = 0;
    std::thread([&] { ended = gettid(); }).join();
    jsa_ring &ring = open(0, 1, ended);
    ring.lost = 3;
    ring.counts[JSA_CALL_glDrawArrays] = 11;
    ring.counts[JSA_CALL_glFinish] = 4;
    push(0, JSA_CALL_glFinish);
    std::size_t events = 0;
    QVERIFY(QTest::qWaitFor([&] {
        events += drain().size();
        return ring.owner == 0;
    }));
    QCOMPARE(events, 1u);
    QCOMPARE(ring.head, 0u);
    QCOMPARE(m_reader->lost(), 3u); // Not forgotten with the ring.
    QCOMPARE(m_reader->counts()[JSA_CALL_glDrawArrays], 11u);
    open(0, 2);
    push(0, JSA_CALL_glFlush);
    QCOMPARE(drain()[0].thread, 1u);
    QCOMPARE(m_reader->threadCounts().at(0).counted, 4u);
    QCOMPARE(m_reader->threadCounts().at(1).recorded, 1u);
}

void RingReaderTest::replacesRingsAfterExec()
{
    const jsa_ring &before = open(0, 1);
    drain();
    open(1, 2);
    QVERIFY(QTest::qWaitFor([&] {
        drain();
        return before.owner == 0;
    }));
    QCOMPARE(m_memory->ring(1).owner, 2u);
}

void RingReaderTest::readsMaps()
{
    jsa_ring &ring = open(1, 1);
    ring.kind = JSA_RING_MAPS;
    const std::string text = "1000-2000 r-xp 0 08:01 1 /bin/a\n";
    std::memcpy(const_cast<jsa_record *>(m_memory->records(1)), text.data(), text.size());
    ring.head = text.size();
    QVERIFY(drain().empty());
    const std::vector<AttachMaps> maps = m_reader->takeMaps();
    QCOMPARE(maps.size(), 1u);
    QCOMPARE(maps[0].pid, getpid());
    QCOMPARE(maps[0].text, text);
    QVERIFY(m_reader->threads().empty() && m_reader->takeMaps().empty());
    QCOMPARE(ring.owner, 0u); // Free for another one.
    open(1, 2).kind = JSA_RING_MAPS;
    ring.head = JSA_RING_BYTES;
    drain();
    QVERIFY(m_reader->takeMaps().empty());
    QCOMPARE(m_reader->damaged(), 1u);
}

void RingReaderTest::holdsBackWhileACallIsOpen()
{
    jsa_ring &ring = open(0, 1);
    const jsa_record done = push(0, JSA_CALL_glFinish);
    ring.open_begin = done.end;
    ring.open_call = JSA_CALL_glFinish;
    std::vector<AttachEvent> events;
    const std::int64_t held = m_reader->drain(events);
    QVERIFY(held <= events.at(0).endNs);
    ring.open_call = 0;
    QVERIFY(m_reader->drain(events) > held);
}

/// Of a thread that still runs, and of one that ended inside of a call.
void RingReaderTest::namesCallsThatDidNotReturn()
{
    std::int32_t ended = 0;
    std::thread([&] { ended = gettid(); }).join();
    jsa_ring &running = open(0, 1);
    jsa_ring &gone = open(1, 2, ended);
    gone.open_begin = push(1, JSA_CALL_glFinish).end;
    gone.open_call = JSA_CALL_glFlush;
    running.open_begin = push(0, JSA_CALL_glFinish).end;
    running.open_call = JSA_CALL_eglSwapBuffers;
    QVERIFY(QTest::qWaitFor([&] {
        drain();
        return gone.owner == 0;
    }));
    const std::vector<AttachOpenCall> calls = m_reader->openCalls();
    QCOMPARE(calls.size(), 2u);
    for (const AttachOpenCall &call : calls) {
        QCOMPARE(call.call, m_reader->threads()[call.thread].tid == ended ? JSA_CALL_glFlush : JSA_CALL_eglSwapBuffers);
        QVERIFY(call.knownNs >= call.startNs);
    }
    running.open_call = 60'000;
    QCOMPARE(m_reader->openCalls().size(), 1u);
}

void RingReaderTest::readsHardwareTimesBesideCalls()
{
    open(0, 1);
    push(0, JSA_CALL_glFinish);
    jsa_ring &ring = open(1, 2);
    ring.kind = JSA_RING_GPU;
    ring.counts[JSA_GPU_KERNEL] = 5;
    ring.lost = 4;
    ring.gpu.state = JSA_GPU_RECORDING;
    ring.gpu.flushed_ns = 77;
    ring.gpu.dropped = 3;
    auto &work = reinterpret_cast<jsa_gpu_record &>(push(1, JSA_CALL_glFinish));
    work = {};
    work.kind = JSA_GPU_KERNEL;
    work.begin = work.end = static_cast<std::uint64_t>(nowNs());
    work.correlation = 9;
    QCOMPARE(drain().size(), 1u);
    const std::vector<AttachGpuWork> found = m_reader->takeGpuWork();
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].correlation, 9u);
    QCOMPARE(m_reader->gpuCounts().delivered[JSA_GPU_KERNEL], 5u);
    QCOMPARE(m_reader->gpuCounts().missing(), 7u);
    QCOMPARE(m_reader->gpuDeliveredNs().value_or(0), 77);
    QCOMPARE(m_reader->lost(), 0u); // Of calls.
    for (const std::uint64_t count : m_reader->counts())
        QCOMPARE(count, 0u);
}

void RingReaderTest::countsImpossibleRecords_data()
{
    QTest::addColumn<quint64>("begin");
    QTest::addColumn<quint64>("end");
    QTest::addColumn<int>("call");
    constexpr quint64 kNow = 0; // Replaced by the time of the record.
    QTest::newRow("unknown call") << kNow << kNow << 60'000;
    QTest::newRow("no call") << kNow << kNow << 0;
    QTest::newRow("counted call") << kNow << kNow << int(JSA_CALL_glDrawArrays);
    QTest::newRow("ends before it begins") << ~quint64(0) << kNow << int(JSA_CALL_glFinish);
    QTest::newRow("before the session") << quint64(1) << quint64(2) << int(JSA_CALL_glFinish);
    QTest::newRow("in the future") << kNow << (quint64(1) << 62) << int(JSA_CALL_glFinish);
    QTest::newRow("ends beyond half of all times") << kNow << (quint64(1) << 63 | 1) << int(JSA_CALL_glFinish);
    QTest::newRow("beyond all times") << ~quint64(0) << ~quint64(0) << int(JSA_CALL_glFinish);
}

void RingReaderTest::countsImpossibleRecords()
{
    QFETCH(quint64, begin);
    QFETCH(quint64, end);
    QFETCH(int, call);
    open(0, 1);
    jsa_record &record = push(0, static_cast<std::uint16_t>(call));
    record.begin = begin != 0 ? begin : record.begin;
    record.end = end != 0 ? end : record.end;
    push(0, JSA_CALL_glFinish);
    const std::vector<AttachEvent> events = drain();
    QCOMPARE(events.size(), 1u);
    QCOMPARE(events[0].call, JSA_CALL_glFinish);
    QCOMPARE(m_reader->damaged(), 1u);
}

/// A program may write anything anywhere in the memory, at any time.
void RingReaderTest::survivesAnyContent()
{
    std::mt19937_64 random(1);
    auto *const session = reinterpret_cast<std::uint64_t *>(&m_memory->session());
    for (int round = 0; round < 200; ++round) {
        m_memory->session().rings_used = round % 3 == 0 ? ~0u : 4;
        for (std::uint32_t index = 0; index < 4; ++index) {
            auto *const words = reinterpret_cast<std::uint64_t *>(&m_memory->ring(index));
            for (std::size_t i = 0; i < sizeof(jsa_ring) / 8; ++i)
                words[i] = random() % 4 == 0 ? random() : random() % 4;
            auto *const records = reinterpret_cast<std::uint64_t *>(const_cast<jsa_record *>(m_memory->records(index)));
            for (std::size_t i = 0; i < 64 * 8; ++i)
                records[i] = random() % 2 == 0 ? random() : readCpuCounter();
            m_memory->ring(index).ready = 1;
            m_memory->ring(index).pid = getpid(); // Signals are never sent, but the numbers are looked up.
        }
        session[5] = random();
        for (const AttachEvent &event : drain()) {
            QVERIFY(attachCall(event.call) && event.endNs >= event.startNs);
            QVERIFY(event.thread < m_reader->threads().size());
            QVERIFY(event.text.size() <= JSA_MOST_OPERATIONS * JSA_TEXT_BYTES);
        }
    }
    QVERIFY(m_reader->damaged() > 0);
    m_reader->lost();
    m_reader->counts();
    m_reader->recordCostNs();
}

void RingReaderTest::convertsTimesInOrder()
{
    if (!hasCpuCounter())
        QSKIP("the CPU's counter is not invariant here");
    TickClock clock(true);
    std::int64_t last = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t count = i % 100 == 0 ? clock.update() : readCpuCounter();
        const std::int64_t ns = clock.toNs(count);
        QVERIFY(ns >= last);
        last = ns;
    }
    TickClock plain(false);
    QCOMPARE(plain.toNs(12345), 12345);
    QCOMPARE(plain.nsPer(2.5), 2.5);
}

JETSCOPE_TEST(RingReaderTest)
#include "tst_ringreader.moc"

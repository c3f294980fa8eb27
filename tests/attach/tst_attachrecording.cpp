// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/attachrecorder.h"
#include "core/time/clock.h"
#include "ringsofaprocess.h"
#include "startedprogram.h"
#include "tests/support/testprogram.h"

/// The recording begins, stops and ends as the user asks, while the program goes on.
class AttachRecordingTest : public QObject {
    Q_OBJECT

private slots:
    void beginsStopsAndContinues();
    void knowsWhatWasMadeBefore();
    void showsNoThreadsMeanwhile();
    void learnsMeanwhile();
    void endsAfterItsDuration();
};

namespace {

constexpr std::uint64_t kSome = 1400; ///< Calls of about 200 frames.

/// Frames that the program made, as it says.
qint64 framesMade(const QString &out)
{
    return out.section("made ", 1).section(' ', 0, 0).toLongLong();
}

} // namespace

void AttachRecordingTest::beginsStopsAndContinues()
{
    Started run({PROGRAM_PACED}, {"--paused"});
    QVERIFY(run.printed("value")); // It runs.
    const SharedMemory memory(run.process.processId());
    QVERIFY(memory.ok());
    const auto goesOn = [&] {
        const std::uint64_t before = memory.calls();
        return happens([&] { return memory.calls() > before + kSome; });
    };
    QVERIFY(goesOn());
    const std::int64_t begunNs = jetscope::nowNs();
    run.send(SIGRTMIN + 1);
    QVERIFY(goesOn());
    run.send(SIGRTMIN + 2);
    const std::int64_t stoppedNs = jetscope::nowNs();
    QVERIFY(goesOn()); // The program does.
    const std::int64_t continuedNs = jetscope::nowNs();
    run.send(SIGRTMIN + 1);
    QVERIFY(goesOn());
    run.send(SIGTERM); // Goes to the program.
    QVERIFY(run.printed("made "));
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 42);
    const QJsonObject json = run.json();
    QVERIFY2(json["frames"].toInteger() > 100 && json["frames"].toInteger() < framesMade(run.out),
             QJsonDocument(json).toJson());
    QVERIFY2(json["notes"].toArray().last().toString().startsWith("recorded were "), QJsonDocument(json).toJson());
    // What was not recorded is in no frame, and it is known from the first call who makes them. A signal takes a
    // moment.
    const auto framesWhere = [&](const QString &condition) {
        return rowsOf(run.capture(), "SELECT count(*) FROM frames WHERE " + condition).value(0).toInt();
    };
    QCOMPARE(framesWhere(QString("start_ns < %1").arg(begunNs)), 0);
    const std::int64_t middleNs = stoppedNs + (continuedNs - stoppedNs) / 2;
    QCOMPARE(framesWhere(QString("start_ns < %1 AND start_ns + period_ns > %2").arg(continuedNs).arg(middleNs)), 0);
    QVERIFY(framesWhere(QString("start_ns < %1").arg(middleNs)) > 50);
    QVERIFY(framesWhere(QString("start_ns >= %1").arg(continuedNs)) > 50);
    QCOMPARE(rowsOf(run.capture(), "SELECT role FROM lanes"), QStringList{"pipeline"});
    const QStringList marks = rowsOf(run.capture(), "SELECT kind, time_ns, text FROM marks");
    QVERIFY2(marks.size() == 1 && marks[0].startsWith("gap\t") && marks[0].endsWith(" s, as was asked for"),
             qPrintable(marks.join('\n')));
    const std::int64_t pausedNs = marks[0].section('\t', 1, 1).toLongLong();
    QVERIFY(pausedNs >= begunNs && pausedNs <= continuedNs);
}

/// Memory that a program allocates while it is not recorded has its kind later.
void AttachRecordingTest::knowsWhatWasMadeBefore()
{
    Started run({PROGRAM_CUDA, MOCK_CUDA, "rate", "2500"}, {"--paused", "--no-gpu-times"});
    QVERIFY(happens([&] { return !childrenOf(run.process.processId()).isEmpty(); }));
    const SharedMemory memory(run.process.processId());
    QVERIFY(memory.ok());
    QVERIFY(happens([&] { return memory.calls() > kSome; })); // It has set up.
    run.send(SIGRTMIN + 1);
    QVERIFY(run.ends());
    const QJsonObject json = run.json();
    QVERIFY2(json["frames"].toInt() > 100 && json["frames"].toInt() < 2500, QJsonDocument(json).toJson());
    for (const QJsonValue finding : json["findings"].toArray())
        QVERIFY2(finding["what"].toString() != "pageable-async-copy", QJsonDocument(json).toJson());
    QCOMPARE(rowsOf(run.capture(), "SELECT max(value) FROM counters WHERE name = 'pinned memory'"),
             QStringList{"4096.0"});
}

namespace {

/// This thread was on a CPU for a microsecond, as the kernel's trace says it.
std::string onCpuLines()
{
    const std::int64_t us = jetscope::nowNs() / 1000;
    const auto line = [](std::int64_t at, int from, int to) {
        return QString("            name-%1      [001] d..2. %2.%3: sched_switch: prev_comm=name prev_pid=%1 "
                       "prev_prio=120 prev_state=S ==> next_comm=other next_pid=%4 next_prio=120\n")
            .arg(from)
            .arg(at / 1'000'000)
            .arg(at % 1'000'000, 6, 10, QChar('0'))
            .arg(to)
            .toStdString();
    };
    return line(us - 1, 0, gettid()) + line(us, gettid(), 0);
}

} // namespace

/// Lines of the kernel's trace are held back until frames are known, but not those of a pause.
void AttachRecordingTest::showsNoThreadsMeanwhile()
{
    using namespace jetscope;
    RingsOfAProcess rings;
    AttachRecorder recorder({});
    recorder.setRecording(false, nowNs());
    rings.call(JSA_CALL_glFinish);
    recorder.read(rings.reader(), false);
    recorder.addScheduler(onCpuLines(), false);
    recorder.setRecording(true, nowNs());
    const std::int64_t continuedNs = nowNs();
    rings.call(JSA_CALL_glFinish);
    recorder.read(rings.reader(), true);
    recorder.addScheduler(onCpuLines(), true);
    std::map<std::string, int> spans;
    for (const Span &span : recorder.take().spans) {
        ++spans[std::string(spanName(span.name))];
        QVERIFY(span.startNs + 2000 > continuedNs); // The trace has microseconds.
    }
    QCOMPARE(spans["on a CPU"], 1);
    QCOMPARE(spans["glFinish"], 1);
}

/// What is made, given back or done wrongly in a pause is known, also if nothing follows.
void AttachRecordingTest::learnsMeanwhile()
{
    using namespace jetscope;
    RingsOfAProcess rings;
    AttachRecorder recorder({});
    recorder.setRecording(false, nowNs());
    rings.call(JSA_CALL_eglCreateStreamKHR);
    rings.call(JSA_CALL_NvBufSurfaceCreate);
    rings.call(JSA_CALL_cuArrayCreate_v2, {1, 8 | 8ULL << 32, 1ULL << 32, 1 | 4ULL << 32}); // 8x8, four bytes each.
    recorder.read(rings.reader(), false);
    QCOMPARE(recorder.take().counters.size(), 3u);
    for (const jsa_call end : {JSA_CALL_eglDestroyStreamKHR, JSA_CALL_cuArrayDestroy, JSA_CALL_NvBufSurfaceDestroy})
        rings.call(end);
    rings.call(JSA_CALL_cuGraphicsEGLRegisterImage, {1, 2, 1}); // With flags.
    recorder.read(rings.reader(), true);
    std::map<CounterId, double> last;
    for (const CounterSample &sample : recorder.take().samples)
        last[sample.counter] = sample.value;
    QCOMPARE(last.size(), 4u);
    QCOMPARE(std::count_if(last.begin(), last.end(), [](const auto &one) { return one.second == 0; }), 3);
    const auto findings = recorder.findings();
    QVERIFY(std::any_of(findings.begin(), findings.end(), [](const auto &one) { return one.what == "hazard-C3"; }));
}

void AttachRecordingTest::endsAfterItsDuration()
{
    Started run({PROGRAM_PACED}, {"--duration", "1"});
    QVERIFY(run.printed("value"));
    const SharedMemory memory(run.process.processId());
    QVERIFY(memory.ok());
    QVERIFY(happens([&] { return memory.isQuiet(); }));
    const std::int64_t endedNs = jetscope::nowNs();
    QVERIFY(happens([&] { return jetscope::nowNs() - endedNs > 200'000'000; })); // Long beside a frame.
    QCOMPARE(childrenOf(run.process.processId()).size(), 1);                     // It goes on.
    run.send(SIGTERM);
    QVERIFY(run.printed("made "));
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 42);
    const qint64 frames = run.json()["frames"].toInteger();
    QVERIFY2(frames > 10 && frames < framesMade(run.out), QJsonDocument(run.json()).toJson());
    const QString notes = QJsonDocument(run.json()["notes"].toArray()).toJson();
    QVERIFY2(notes.contains("as was asked for, and the program went on"), qPrintable(notes));
}

JETSCOPE_TEST(AttachRecordingTest)
#include "tst_attachrecording.moc"

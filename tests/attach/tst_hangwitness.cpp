// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Calls that wait for the GPU and do not return, what the driver's task tracker prints, and the seconds before.
#include "core/attach/read/tasktracker.h"
#include "core/stream/lastupdates.h"
#include "gpu/attach/host/instrumenteddriver.h"

#include "startedprogram.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QtTest/QTest>

#include <random>

using namespace jetscope;

class HangWitnessTest : public QObject {
    Q_OBJECT

private slots:
    void readsWhatTheTrackerPrints_data();
    void readsWhatTheTrackerPrints();
    void anyBytesAreOutput();
    void keepsTheLastSeconds();
    void keepsABoundedNumberOfSpans();
    void findsTheLibraryOfEachRelease();
    void namesTheKernelAndKeepsTheSecondsBefore_data();
    void namesTheKernelAndKeepsTheSecondsBefore();
    void withoutTheLibraryTheWaitIsStillTold();
    void aProgramThatDoesNotHangLeavesNoCapture();
    void wrongUseIsSaid();
};

namespace {

std::vector<TrackedKernel> kernelsIn(std::string_view text, std::size_t piece = std::string_view::npos)
{
    TaskTrackerText tracker;
    for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
        tracker.add(text.substr(at, piece));
    return tracker.kernels();
}

/// A folder with the stand-in for CUDA under the name of the instrumented driver.
std::string instrumentedIn(const QTemporaryDir &folder)
{
    const QString path = folder.filePath("libcuda_instrumentation.so");
    QFile::copy(MOCK_CUDA, path);
    return path.toStdString();
}

} // namespace

void HangWitnessTest::readsWhatTheTrackerPrints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("wanted"); // name|stream|channel|pc
    // The fields are those of the documentation; their arrangement on lines is not published as text.
    QTest::newRow("a line each")
        << "hang detected\nhwChannelId: 507\nstream: 3\nkernel: _Z14infiniteKerneli\nlaunchPC [0x206e8c200]\n"
        << QStringList{"_Z14infiniteKerneli|3|507|0x206e8c200"};
    QTest::newRow("one line") << "[CUDA] stream 2 hwChannelId 508 _Z13GPUComputeSumPiS_i launchPC [0x206e8c200]\n"
                              << QStringList{"_Z13GPUComputeSumPiS_i|2|508|0x206e8c200"};
    QTest::newRow("two kernels") << "_Z1av hwChannelId=1\n_Z1bv hwChannelId=2\n"
                                 << QStringList{"_Z1av||1|", "_Z1bv||2|"};
    QTest::newRow("again and again") << "_Z1av hwChannelId=1\n_Z1av hwChannelId=1\n_Z1av hwChannelId=1\n"
                                     << QStringList{"_Z1av||1|"};
    QTest::newRow("the program prints a name") << "linking _Z1av on stream 3\nframe 1\n" << QStringList{};
    QTest::newRow("no name") << "hwChannelId: 507\nlaunchPC [0x1]\n" << QStringList{};
    QTest::newRow("far apart") << "_Z1av\n1\n2\n3\n4\n5\n6\n7\n8\n9\nhwChannelId: 1\n" << QStringList{};
    QTest::newRow("no number") << "_Z1av hwChannelId: none\n" << QStringList{};
    QTest::newRow("carriage returns") << "_Z1av hwChannelId: 7\r\n" << QStringList{"_Z1av||7|"};
}

void HangWitnessTest::readsWhatTheTrackerPrints()
{
    QFETCH(QString, text);
    QFETCH(QStringList, wanted);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::string_view::npos}) {
        QStringList found;
        for (const TrackedKernel &kernel : kernelsIn(text.toStdString(), piece))
            found += QString::fromStdString(kernel.name + "|" + kernel.stream + "|" + kernel.channel + "|" + kernel.pc);
        QCOMPARE(found, wanted);
    }
}

void HangWitnessTest::anyBytesAreOutput()
{
    std::mt19937 random(7);
    const std::vector<std::string> words{"hwChannelId", "launchPC", "_Z", "stream", "\n",
                                         "[0x",         "]",        "\0", "7",      std::string(10'000, 'x')};
    TaskTrackerText tracker;
    for (int i = 0; i < 20'000; ++i) {
        tracker.add(words[random() % words.size()]);
        const std::string bytes(random() % 5, static_cast<char>(random()));
        tracker.add(bytes);
    }
    QVERIFY(tracker.kernels().size() <= 100);
    for (const TrackedKernel &kernel : tracker.kernels())
        QVERIFY(kernel.name.size() <= 4096 && kernel.channel.size() <= 4096 && kernel.pc.size() <= 4096);
}

void HangWitnessTest::keepsTheLastSeconds()
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    LastUpdates updates(5 * kSecond);
    for (std::int64_t second = 0; second < 20; ++second) {
        TraceUpdate update;
        update.firstName = static_cast<std::uint32_t>(second);
        update.names.emplace_back().text = "name " + std::to_string(second);
        if (second == 0)
            update.lanes.emplace_back();
        update.spans.push_back({second * kSecond, kSecond / 2, 0, 0, static_cast<NameId>(second), 0, 0});
        update.numbers.push_back({static_cast<std::uint32_t>(second), static_cast<std::uint64_t>(second + 100)});
        updates.add(update, second * kSecond);
    }
    const TraceUpdate kept = updates.since(17 * kSecond);
    QCOMPARE(kept.spans.size(), std::size_t{3});
    QCOMPARE(kept.spans.front().startNs, 17 * kSecond);
    QCOMPARE(kept.names.size(), std::size_t{20}); // Spans refer to names that were said long ago.
    QCOMPARE(kept.lanes.size(), std::size_t{1});
    QVERIFY(!kept.numbers.empty() && kept.numbers.front().frame < 17);
    QCOMPARE(updates.since(0).spans.size(), std::size_t{6}); // Others have been dropped.
}

void HangWitnessTest::keepsABoundedNumberOfSpans()
{
    LastUpdates updates(1'000'000'000, 1000);
    for (int i = 0; i < 100; ++i) {
        TraceUpdate update;
        update.spans.resize(100);
        updates.add(update, i);
    }
    QVERIFY(updates.since(-1).spans.size() <= 1000);
}

void HangWitnessTest::findsTheLibraryOfEachRelease()
{
    for (const char *place :
         {"usr/lib/aarch64-linux-gnu/nvidia", "opt/nvidia/l4t-gpu-libs/nvgpu", "opt/nvidia/l4t-gpu-libs/openrm"}) {
        const QTemporaryDir root;
        QCOMPARE(InstrumentedDriver::find(root.path().toStdString()), std::string());
        QVERIFY(QDir(root.path()).mkpath(place));
        const QString path = root.filePath(QString(place) + "/libcuda_instrumentation.so");
        QVERIFY(QFile(path).open(QIODevice::WriteOnly));
        QCOMPARE(QString::fromStdString(InstrumentedDriver::find(root.path().toStdString())), path);
    }
    QVERIFY(!InstrumentedDriver::prepare("/absent/libcuda_instrumentation.so").ok());
}

void HangWitnessTest::namesTheKernelAndKeepsTheSecondsBefore_data()
{
    QTest::addColumn<QString>("way");
    QTest::newRow("marked frames") << "hang";
    QTest::newRow("frames that are found late") << "hang unmarked"; // Calls wait for what makes the frames.
}

/// The program finds CUDA as programs do, and gets the instrumented driver in its place.
void HangWitnessTest::namesTheKernelAndKeepsTheSecondsBefore()
{
    QFETCH(QString, way);
    const QTemporaryDir folder;
    const QString capture = folder.filePath("hang.jscope");
    Started run({PROGRAM_CUDA, "libcuda.so.1", way, "20"},
                {"--no-gpu-times", "--hangs", capture, "--hang-after", "3", "--hang-library",
                 QString::fromStdString(instrumentedIn(folder))});
    QVERIFY(run.printed("waiting"));
    QByteArray said;
    QVERIFY2(happens([&] {
                 said += run.process.readAllStandardError();
                 return said.contains("hang.jscope");
             }),
             said.constData());
    QVERIFY(run.printed("hwChannelId")); // The program's output is passed on.
    QVERIFY2(said.contains("waits for the GPU in cuStreamSynchronize"), said.constData());
    QVERIFY2(said.contains("the driver names the kernel infiniteKernel (_Z14infiniteKerneli; "), said.constData());
    run.send(SIGTERM);
    QVERIFY(run.ends());
    const QJsonObject witness = run.json()["hang_witness"].toObject();
    QCOMPARE(witness["hangs"].toArray().size(), 1);
    QCOMPARE(witness["hangs"][0]["call"].toString(), QString("cuStreamSynchronize"));
    QVERIFY(witness["hangs"][0]["seconds"].toDouble() >= 3);
    QCOMPARE(witness["kernels"].toArray().size(), 1);
    QCOMPARE(witness["kernels"][0]["kernel"].toString(), QString("infiniteKernel"));
    QCOMPARE(witness["kernels"][0]["channel"].toString(), QString("507"));
    QCOMPARE(witness["capture"].toString(), capture);
    const QString spans = rowsOf(capture, "SELECT count(*) FROM spans").join(' ');
    QVERIFY2(spans.trimmed().toInt() >= 60, qPrintable(spans)); // A copy, a launch and a wait in each of 20 frames.
    const QString marks = rowsOf(capture, "SELECT text FROM marks").join('\n');
    QVERIFY2(marks.contains("infiniteKernel") && marks.contains("cuStreamSynchronize"), qPrintable(marks));
}

void HangWitnessTest::withoutTheLibraryTheWaitIsStillTold()
{
    const QTemporaryDir folder;
    const QString capture = folder.filePath("hang.jscope");
    Started run({PROGRAM_CUDA, MOCK_CUDA, "hang", "20"}, {"--no-gpu-times", "--hangs", capture, "--hang-after", "3"});
    QVERIFY(run.printed("waiting"));
    QVERIFY(happens([&] { return QFile::exists(capture); }));
    run.send(SIGTERM);
    QVERIFY(run.ends());
    const QJsonObject witness = run.json()["hang_witness"].toObject();
    QCOMPARE(witness["hangs"].toArray().size(), 1);
    QVERIFY(witness["kernels"].toArray().isEmpty() && witness["library"].isNull());
    QVERIFY(witness["reason"].toString().contains("libcuda_instrumentation.so"));
}

void HangWitnessTest::aProgramThatDoesNotHangLeavesNoCapture()
{
    const QTemporaryDir folder;
    const QString capture = folder.filePath("hang.jscope");
    const Attached run = attach({PROGRAM_CUDA, MOCK_CUDA, "good", "50"}, {"--no-gpu-times", "--hangs", capture});
    QCOMPARE(run.under.code, run.plain.code);
    QVERIFY(!QFile::exists(capture));
    QVERIFY(run.json["hang_witness"]["hangs"].toArray().isEmpty());
    QCOMPARE(run.under.out, run.plain.out);
}

void HangWitnessTest::wrongUseIsSaid()
{
    const auto said = [](const QStringList &options) {
        return runProgram(QStringList{"attach"} + options + QStringList{"--", "/bin/true"});
    };
    const QTemporaryDir folder;
    const QString capture = folder.filePath("hang.jscope");
    for (const QStringList &options :
         {QStringList{"--hang-after", "10"}, QStringList{"--hangs", capture, "--hang-after", "1"},
          QStringList{"--hangs", capture, "--record", capture}}) {
        const Outcome outcome = said(options);
        QVERIFY2(outcome.code == 2 && outcome.oneSentence(), outcome.describe());
    }
    const Outcome absent = said({"--hangs", capture, "--hang-library", "/absent/library.so"});
    QVERIFY2(absent.code == 1 && absent.oneSentence() && absent.err.contains("libcuda_instrumentation.so"),
             absent.describe());
}

JETSCOPE_TEST(HangWitnessTest)
#include "tst_hangwitness.moc"

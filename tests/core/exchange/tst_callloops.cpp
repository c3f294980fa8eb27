// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of traces of other programs that name none: by the loops of their calls and by swaps.
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "core/trace/spanorder.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <tuple>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr int kRounds = 40;
constexpr int kRoundUs = 1000;
constexpr int kStartUs = 50'000;

QByteArray span(const char *category, const QByteArray &name, int startUs, int us, int thread = 1)
{
    return QString(R"({"ph":"X","cat":"%1","name":"%2","ts":%3,"dur":%4,"pid":1,"tid":%5},)")
        .arg(category, name)
        .arg(startUs)
        .arg(us)
        .arg(thread)
        .toUtf8();
}

/// Uploads of parameters, then rounds that each launch twice and read the result back in `serve`; the first launch is
/// made by the same function as the second.
QByteArray profiledLoop(int rounds = kRounds, int uploads = 12)
{
    QByteArray text = R"({"traceEvents":[)";
    for (int i = 0; i < uploads; ++i)
        text += span("cuda_runtime", "cudaMemcpyAsync", i * 900, 100 + 30 * i)
            + span("cuda_runtime", "cudaStreamSynchronize", i * 900 + 500, 20 + i);
    for (int i = 0; i < rounds; ++i) {
        const int at = kStartUs + i * kRoundUs;
        text += span("python_function", "serve.py(" + QByteArray::number(31) + "): serve", at, 900)
            + span("python_function",
                   "<built-in method item of Tensor object at 0x7f" + QByteArray::number(4096 + i) + ">", at + 500, 350)
            + span("cpu_op", "aten::conv2d", at + 10, 200) + span("cuda_runtime", "cudaLaunchKernel", at + 20, 10)
            + span("cuda_runtime", "cudaLaunchKernel", at + 60, 10) + span("cpu_op", "aten::item", at + 505, 340)
            + span("cuda_runtime", "cudaMemcpyAsync", at + 510, 20)
            + span("cuda_runtime", "cudaStreamSynchronize", at + 540, 300)
            + QString(R"({"ph":"X","cat":"kernel","name":"k","ts":%1,"dur":400,"pid":0,"tid":7},)")
                  .arg(at + 100)
                  .toUtf8();
    }
    text.chop(1);
    return text + "]}";
}

} // namespace

class TestCallLoops : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &json, const std::string &framesBy = {})
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher, Trace::kDefaultMaxSpans, framesBy);
    }
    Result<OpenedTrace> openedExport(const std::string &sql);

private slots:
    void roundsAreFrames();
    void aLoopCanBeChosen();
    void namedFramesComeFirst();
    void noLoopNoFrames();
    void stacksOfNsightTellLoopsApart();
    void theDirectionOfCopiesCounts();
    void wrongStacksOfNsight();
    void swapsAreFrames();
    void stopsWhenCancelled();
};

void TestCallLoops::roundsAreFrames()
{
    const Result<OpenedTrace> result = opened(profiledLoop());
    QVERIFY(result.ok());
    const FrameTable &frames = result.value().trace.frames();
    QCOMPARE(frames.endIndex(), std::uint64_t{kRounds});
    for (std::uint64_t i = 1; i < frames.endIndex(); ++i)
        QCOMPARE(frames.at(i).periodNs(), std::int64_t{kRoundUs} * 1000);
    const std::string &note = result.value().notes.at(0);
    QVERIFY2(note.starts_with("40 frames are guessed") && note.find("\"serve.py(31): serve\"") != std::string::npos
                 && note.find("second best") != std::string::npos && note.find("% sure") != std::string::npos,
             note.c_str());
    QVERIFY(result.value().frameNames.at(0).starts_with("site:1 cuStreamSynchronize in \"serve.py(31): serve\""));
    const std::vector<LaneInfo> &lanes = result.value().trace.lanes();
    QCOMPARE(std::count_if(lanes.begin(), lanes.end(), [](const LaneInfo &l) { return l.role == LaneRole::Pipeline; }),
             1);
}

void TestCallLoops::aLoopCanBeChosen()
{
    const std::vector<std::string> choices = opened(profiledLoop()).value().frameNames;
    std::size_t loops = 0;
    for (const std::string &choice : choices) {
        if (!choice.starts_with("site:"))
            continue;
        ++loops;
        const Result<OpenedTrace> chosen = opened(profiledLoop(), choice);
        QVERIFY(chosen.ok());
        QVERIFY2(chosen.value().trace.frames().endIndex() > 2, choice.c_str());
        QVERIFY2(chosen.value().notes.at(0).find(choice.substr(choice.find(' ') + 1)) != std::string::npos,
                 chosen.value().notes.at(0).c_str());
    }
    QVERIFY(loops >= 2);
    const Result<OpenedTrace> none = opened(profiledLoop(), "site:99");
    QCOMPARE(none.value().trace.frames().endIndex(), std::uint64_t{0});
    QVERIFY2(none.value().notes.at(0).find("no loop of calls") != std::string::npos, none.value().notes.at(0).c_str());
}

void TestCallLoops::namedFramesComeFirst()
{
    QByteArray text = profiledLoop();
    text.chop(2);
    for (int i = 0; i < kRounds / 2; ++i)
        text +=
            "," + span("user_annotation", "ProfilerStep#" + QByteArray::number(i), kStartUs + 2 * i * kRoundUs, 1990);
    text.chop(1);
    const Result<OpenedTrace> result = opened(text + "]}");
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t{kRounds / 2});
}

void TestCallLoops::noLoopNoFrames()
{
    const Result<OpenedTrace> result = opened(profiledLoop(1, 1));
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t{0});
    QVERIFY2(result.value().notes.at(0).find("no loop of calls repeats") != std::string::npos,
             result.value().notes.at(0).c_str());
}

namespace {

constexpr const char *kExport = R"sql(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
CREATE TABLE CUDA_CALLCHAINS(id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, unresolved INTEGER,
    originalIP INTEGER, stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
INSERT INTO StringIds VALUES(1, 'cudaMemcpy_v3020'), (2, 'Camera::upload'), (3, 'Detector::boxes'), (4, 'main'),
    (5, 'cudaMemcpy'), (6, 'cudaLaunchKernel_v7000'), (7, '0x7f3a');
INSERT INTO CUDA_CALLCHAINS VALUES(1, 5, 0, 0, 10, 0), (1, 2, 0, 0, 20, 1), (1, 4, 0, 0, 30, 2),
    (2, 5, 0, 0, 10, 0), (2, 3, 0, 0, 21, 1), (2, 4, 0, 0, 31, 2), (3, 7, 0, 1, 11, 0), (3, 3, 0, 0, 22, 1);
)sql";

/// Each round uploads three planes from one place and reads back once from another.
std::string exportedRounds(int rounds, const char *chainOfResult = "2")
{
    std::string sql;
    const auto call = [&sql](std::int64_t ns, std::int64_t length, const char *name, const char *chain) {
        sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" + std::to_string(ns) + ", "
            + std::to_string(ns + length) + ", 0, ((42 << 24) + 17), 0, " + name + ", 0, " + chain + ");\n";
    };
    for (int i = 0; i < rounds; ++i) {
        const std::int64_t at = 1'000'000 + i * std::int64_t{2'000'000};
        for (int plane = 0; plane < 3; ++plane)
            call(at + plane * 100'000, 50'000, "1", "1");
        call(at + 400'000, 10'000, "6", "3");
        call(at + 500'000, 900'000, "1", chainOfResult);
    }
    return sql;
}

} // namespace

Result<OpenedTrace> TestCallLoops::openedExport(const std::string &sql)
{
    const QString path = m_folder.filePath("export.sqlite");
    writeFile(path, {});
    {
        Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
        if (!database.ok() || !database.value().run("BEGIN;" + sql + ";COMMIT").ok())
            return sentence("the tables could not be written");
    }
    Watcher watcher;
    return openTrace(path.toStdString(), watcher);
}

void TestCallLoops::stacksOfNsightTellLoopsApart()
{
    const Result<OpenedTrace> result = openedExport(kExport + exportedRounds(kRounds));
    QVERIFY(result.ok());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{kRounds});
    QCOMPARE(trace.frames().at(20).periodNs(), std::int64_t{2'000'000});
    QVERIFY2(result.value().notes.at(0).find("\"Detector::boxes\" once") != std::string::npos,
             result.value().notes.at(0).c_str());
    // Calls that were read before their frames were known are of these, too.
    std::uint64_t ofFrames = 0;
    eachSpanInOrder(trace, [&](const SpanTrack &, const TraceSpan &each) {
        ofFrames += each.frame != kNoFrame ? 1 : 0;
        return true;
    });
    QVERIFY2(ofFrames >= 5 * (kRounds - 1), qPrintable(QString::number(ofFrames)));
}

/// Both calls are cudaMemcpy, once a round each and equally long. What the device did tells which of them brings the
/// result.
void TestCallLoops::theDirectionOfCopiesCounts()
{
    for (const bool uploadIsFirst : {true, false}) {
        std::string sql = kExport;
        sql +=
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,"
            " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);";
        int correlation = 1;
        for (int i = 0; i < kRounds; ++i)
            for (const int half : {0, 1}) {
                const std::int64_t at = 1'000'000 + i * std::int64_t{2'000'000} + half * std::int64_t{900'000};
                const bool isUpload = (half == 0) == uploadIsFirst;
                const std::string number = std::to_string(correlation++);
                sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" + std::to_string(at) + ", "
                    + std::to_string(at + 500'000) + ", 0, ((42 << 24) + 17), " + number + ", 1, 0, "
                    + (isUpload ? "1" : "2") + ");\n";
                sql += "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(" + std::to_string(at + 10'000) + ", "
                    + std::to_string(at + 400'000) + ", 0, 1, 7, " + number + ", (42 << 24), 100, "
                    + (isUpload ? "1" : "2") + ");\n";
            }
        const Result<OpenedTrace> result = openedExport(sql);
        QVERIFY(result.ok());
        QVERIFY(result.value().trace.frames().endIndex() >= std::uint64_t{kRounds} - 1);
        QVERIFY2(result.value().notes.at(0).find("\"Detector::boxes\" once") != std::string::npos,
                 result.value().notes.at(0).c_str());
        QCOMPARE(result.value().account.read(), result.value().account.shown()); // Each row once.
    }
}

void TestCallLoops::wrongStacksOfNsight()
{
    // No such stack, a text for a number, NULL: calls without a place.
    for (const char *const chain : {"99", "'x'", "NULL", "-9223372036854775808"}) {
        const Result<OpenedTrace> result = openedExport(kExport + exportedRounds(kRounds, chain));
        QVERIFY(result.ok());
        QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t{kRounds});
    }
    std::string strange = kExport;
    strange += "INSERT INTO CUDA_CALLCHAINS VALUES(2, 999, 0, 0, 0, -5), (2, 4, 0, 0, 0, 9223372036854775807);";
    const Result<OpenedTrace> result = openedExport(strange + exportedRounds(kRounds));
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t{kRounds});
}

void TestCallLoops::swapsAreFrames()
{
    std::string sql = kExport;
    sql += "CREATE TABLE OPENGL_API(start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
           "INSERT INTO StringIds VALUES(20, 'eglSwapBuffers'), (21, 'glDrawArrays');";
    for (int i = 0; i < 25; ++i)
        for (const auto &[name, from, to] : {std::tuple("21", 100, 300), std::tuple("20", 500, 900)})
            sql += "INSERT INTO OPENGL_API VALUES(" + std::to_string((i * 4000 + from) * 1000) + ", "
                + std::to_string((i * 4000 + to) * 1000) + ", ((42 << 24) + 18), " + name + ");";
    const Result<OpenedTrace> result = openedExport(sql);
    QVERIFY(result.ok());
    const FrameTable &frames = result.value().trace.frames();
    QVERIFY(frames.endIndex() == 24 || frames.endIndex() == 25);
    QCOMPARE(frames.at(3).periodNs(), std::int64_t{4'000'000});
    QVERIFY2(result.value().notes.at(0).find("window's swaps") != std::string::npos,
             result.value().notes.at(0).c_str());
}

void TestCallLoops::stopsWhenCancelled()
{
    const QString path = m_folder.filePath("cancelled.json");
    writeFile(path, profiledLoop());
    Watcher all(1 << 20);
    QVERIFY(openTrace(path.toStdString(), all).ok());
    QVERIFY(all.calls > 10);
    for (int after = 0; after < all.calls; ++after) {
        Watcher watcher(after);
        QVERIFY(!openTrace(path.toStdString(), watcher).ok());
    }
}

JETSCOPE_TEST(TestCallLoops)
#include "tst_callloops.moc"

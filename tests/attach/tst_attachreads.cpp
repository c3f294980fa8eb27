// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "madeledger.h"
#include "tests/support/testprogram.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Programs whose CPU reads results of copies, on a libcuda without a GPU, with watchpoints.
class AttachReadsTest : public QObject {
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void saysWhere();
    void isOffByDefault();
    void saysWhatIsRefused();
    void saysWhenWatchesSeeNothing();
    void judgesByOrder_data();
    void judgesByOrder();
    void findsLaterUsesByCalls();
};

namespace {

const QStringList kWatch{"--watch-reads", "--no-gpu-times"};
constexpr const char *kCpuReads = "hazard-cpu-read";

constexpr const char *kSeesNothing = "watchpoints see nothing on this machine";
alignas(8) volatile std::uint64_t s_watched = 0;

/// Why this machine has no watchpoints; empty if it has.
QString whyNot()
{
    perf_event_attr wanted{};
    wanted.type = PERF_TYPE_BREAKPOINT;
    wanted.size = sizeof wanted;
    wanted.sample_period = 1;
    wanted.exclude_kernel = 1;
    wanted.bp_type = HW_BREAKPOINT_RW;
    wanted.bp_addr = reinterpret_cast<std::uintptr_t>(&s_watched);
    wanted.bp_len = HW_BREAKPOINT_LEN_8;
    const auto file = static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0UL));
    if (file < 0)
        return QString("perf_event_open: ") + strerror(errno);
    s_watched = s_watched + 1;
    std::uint64_t seen = 0;
    const bool isRead = ::read(file, &seen, sizeof seen) == sizeof seen;
    ::close(file);
    return isRead && seen > 0 ? QString() : QString(kSeesNothing);
}

Attached readsOf(const QString &mode, const QStringList &options = kWatch)
{
    return attach({PROGRAM_READS, MOCK_CUDA, mode}, options);
}

QJsonObject reads(const Attached &run)
{
    for (const QJsonValue finding : run.json["findings"].toArray())
        if (finding["what"] == kCpuReads)
            return finding.toObject();
    return {};
}

QString reasonIn(const Attached &run)
{
    for (const QJsonValue check : run.json["checks"].toArray())
        if (check["what"] == kCpuReads)
            return check["reason"].toString();
    return "there is no such check";
}

} // namespace

void AttachReadsTest::finds_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("frames");
    QTest::addColumn<QString>("left"); // By the watches, when the program ends.
    const std::tuple<const char *, int, const char *> modes[] = {
        {"early-rows", 40, "0 mappings"},  {"late-rows", 0, "0 mappings"},     {"early", 40, "0 mappings"},
        {"early-write", 40, "0 mappings"}, {"wrong-stream", 40, "0 mappings"}, {"polls", 40, "0 mappings"},
        {"descriptors", 40, "0 mappings"}, {"newest", 40, "3 mappings"},       {"threads", 40, "0 mappings"},
        {"forks", 40, "0 mappings"},       {"late", 0, "0 mappings"},          {"event", 0, "0 mappings"},
        {"handed-over", 0, "0 mappings"},  {"copied-again", 0, "0 mappings"},  {"within-call", 0, "0 mappings"},
        {"pageable", 0, "0 mappings"},     {"other-thread", 0, "1 mappings"},
    };
    for (const auto &[mode, frames, left] : modes)
        QTest::newRow(mode) << mode << frames << left;
}

void AttachReadsTest::finds()
{
    if (const QString reason = whyNot(); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    QFETCH(QString, mode);
    QFETCH(int, frames);
    QFETCH(QString, left);
    const Attached run = readsOf(mode);
    QVERIFY2(run.under.code == 0, run.describe().constData());
    QCOMPARE(run.under.out.trimmed(), left + ", 0 descriptors");
    QCOMPARE(run.json["lost"]["damaged"].toInt(), 0);
    QCOMPARE(run.json["counted"].toInteger(), run.json["recorded"].toInteger());
    QVERIFY(!run.json["calls"].toObject().contains("read"));
    const QJsonObject found = reads(run);
    QVERIFY2(found["frames"].toInt() == frames, run.describe().constData());
    if (frames > 0) {
        QCOMPARE(found["grade"].toString(), "seen");
        QVERIFY2(
            found["text"].toString().contains(mode == "early-rows" ? "cuMemcpy2DAsync_v2" : "cuMemcpyDtoHAsync_v2"),
            qPrintable(found["text"].toString()));
    }
    QVERIFY2(reasonIn(run).contains("what others read"), qPrintable(reasonIn(run)));
}

/// The line that reads, not the one that calls; and the memory by its name.
void AttachReadsTest::saysWhere()
{
    if (const QString reason = whyNot(); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const Attached run = readsOf("early");
    const QJsonObject found = reads(run);
    QVERIFY2(found["text"].toString().contains("pinned memory, named \"result\", before"), run.describe().constData());
    QVERIFY(!found["sites"].toArray().isEmpty());
    QFile source(SOURCE_OF_READS);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = source.readAll().split('\n');
    const auto reading = std::find_if(lines.begin(), lines.end(),
                                      [](const QByteArray &line) { return line.contains("The reading line"); });
    const QString place = QString("resultreads.c:%1").arg(reading - lines.begin() + 1);
    const QString at = found["sites"].toArray().first()["at"].toString();
    if (HAS_SYMBOLS)
        QVERIFY2(at.contains(place), qPrintable(at + " is not " + place));
}

void AttachReadsTest::isOffByDefault()
{
    const Attached run = readsOf("early", {"--no-gpu-times"});
    QVERIFY2(run.under.code == 0, run.describe().constData());
    QCOMPARE(run.findings(), QStringList());
    QVERIFY2(reasonIn(run).contains("--watch-reads"), qPrintable(reasonIn(run)));
    QVERIFY(textOf({PROGRAM_READS, MOCK_CUDA, "early"}).contains(kCpuReads));
}

void AttachReadsTest::saysWhatIsRefused()
{
    const Attached run = readsOf("refused");
    if (run.under.code == 77)
        QSKIP("no seccomp");
    QVERIFY2(run.under.code == 0, run.describe().constData());
    QCOMPARE(run.findings(), QStringList());
    QVERIFY2(reasonIn(run).contains("40 of 40 results"), qPrintable(reasonIn(run)));
    QStringList rows;
    for (const QJsonValue row : run.json["refused"].toArray())
        rows += row["tier"].toString() + ": " + row["reason"].toString();
    const QStringList refused = rows.filter("perf_event_open");
    QVERIFY2(refused.size() == 1 && refused.first().contains("kernel.perf_event_paranoid=2"),
             run.describe().constData());
}

/// As in virtual machines that do not pass watchpoints on.
void AttachReadsTest::saysWhenWatchesSeeNothing()
{
    const QString said = QString::fromStdString(WatchedResults{true, 0, 40, JSA_WATCH_SEES_NOTHING}.refusal());
    QVERIFY2(said.startsWith("40 of 40 results") && said.contains("passes no watchpoints on"), qPrintable(said));
    QVERIFY(!said.contains("perf_event_open"));
    if (whyNot() != kSeesNothing)
        return;
    const Attached run = readsOf("early");
    QVERIFY2(run.under.code == 0, run.describe().constData());
    QCOMPARE(run.findings(), QStringList());
    QVERIFY2(reasonIn(run).startsWith(said), qPrintable(reasonIn(run)));
}

void AttachReadsTest::judgesByOrder_data()
{
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("found");
    const auto row = [](const char *calls, const char *found) { QTest::newRow(calls) << calls << found; };
    row("copy read", "seen");
    row("read", "");
    row("read copy", "");
    row("copy wait read", "");
    row("copy wait-other read", "seen");
    row("copy record read", "seen");
    row("copy record wait-event read", "");
    row("copy read-elsewhere", "");
    row("copy read-behind", ""); // The first bytes of memory that is not the program's any more.
    row("copy wait copy-again read", "");
    row("copy copy-again read", "");             // The newest copy is not the one that was watched.
    row("copy read host-function", "");          // It ran before the access, maybe, and told the CPU.
    row("copy read late-host-function", "seen"); // It was submitted behind the access.
    row("copy free read", "");
    row("graph copy read", "possible");
    row("copy read lost", "unknown");
    row("copy pause read", "");
    row("capture copy read", "");
    row("copy read-hostile", "seen");
}

void AttachReadsTest::judgesByOrder()
{
    QFETCH(QString, calls);
    QFETCH(QString, found);
    constexpr std::uint64_t kResult = 0xA0000, kEvent = 0x30000;
    MadeLedger ledger = twoStreams();
    ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 300, {kResult, 4096, 0}), 1, 1, 0);
    const auto read = [](std::uint64_t address, std::uint64_t copy = JSA_CALL_cuMemcpyDtoHAsync_v2) {
        return madeCall(JSA_CALL_READ, 900, {address, copy, 501});
    };
    AttachEvent again = copyOut(kFree);
    again.startNs = 700;
    again.endNs = 800;
    AttachEvent function = madeCall(JSA_CALL_cuLaunchHostFunc, 1000, {kFree});
    function.startNs = 850;
    const std::map<QString, AttachEvent> events = {
        {"copy", copyOut(kFree)},
        {"copy-again", again},
        {"read", read(kResult)},
        {"read-elsewhere", read(kResult + 64)},
        {"read-behind", read(0xB0000)},
        {"read-hostile", read(kResult, ~std::uint64_t{0})},
        {"wait", madeCall(JSA_CALL_cuStreamSynchronize, 600, {kFree})},
        {"wait-other", madeCall(JSA_CALL_cuStreamSynchronize, 600, {kBlocking})},
        {"record", madeCall(JSA_CALL_cuEventRecord, 600, {kEvent, kFree})},
        {"wait-event", madeCall(JSA_CALL_cuEventSynchronize, 700, {kEvent})},
        {"host-function", function},
        {"late-host-function", madeCall(JSA_CALL_cuLaunchHostFunc, 1100, {kFree})},
        {"free", madeCall(JSA_CALL_cuMemFreeHost, 600, {kResult})},
        {"graph", madeCall(JSA_CALL_cuGraphLaunch, 350, {kBlocking})},
        {"capture", madeCall(JSA_CALL_cuStreamBeginCapture_v2, 350, {kFree})},
    };
    for (const QString &call : calls.split(' '))
        if (call == "lost")
            ledger.setUnseen({7, 0});
        else if (call == "pause")
            ledger.interrupt();
        else
            ledger.take(events.at(call), 1, 1, 0);
    QStringList grades;
    for (const WasteFinding &finding : ledger.findings(1))
        if (finding.what == kCpuReads)
            grades += QString::fromStdString(std::string(nameOf(finding.grade)));
    QCOMPARE(grades.join(' '), found);
}

/// What stands in calls needs no watch.
void AttachReadsTest::findsLaterUsesByCalls()
{
    const std::pair<AttachEvent, const char *> uses[] = {
        {madeCall(JSA_CALL_cuMemcpyHtoDAsync_v2, 600, {0x700000, 0x20000, 0xA0000, 64, JSA_COPY_TO_DEVICE}),
         "hazard-B5"},
        {madeCall(JSA_CALL_cuMemcpyHtoD_v2, 600, {0, 0x20000, 0xA0000, 64, JSA_COPY_TO_DEVICE}), "hazard-B5"},
        {madeCall(JSA_CALL_glTexSubImage2D, 600, {4, 4, 0xA0000, std::uint64_t{0x1401} << 32 | 0x1908}), "hazard-O1"},
        {madeCall(JSA_CALL_glBufferSubData, 600, {64, 0xA0000, 0, 0x8892}), "hazard-O1"},
    };
    for (const auto &[use, rule] : uses)
        for (const bool waits : {false, true}) {
            MadeLedger ledger = twoStreams();
            ledger.take(madeCall(JSA_CALL_cuStreamCreate, 300, {0x700000, 1}), 1, 1, 0);
            ledger.take(madeCall(JSA_CALL_cuMemAlloc_v2, 300, {0x20000, 4096}), 1, 1, 0);
            ledger.take(madeCall(JSA_CALL_cuMemHostAlloc, 300, {0xA0000, 4096, 0}), 1, 1, 0);
            ledger.take(copyOut(kFree), 1, 1, 0);
            if (waits)
                ledger.take(madeCall(JSA_CALL_cuStreamSynchronize, 550, {kFree}), 1, 1, 0);
            ledger.take(use, 1, 1, 0);
            QStringList found;
            for (const WasteFinding &finding : ledger.findings(1))
                found += QString::fromStdString(finding.what);
            QCOMPARE(found, waits ? QStringList() : QStringList{rule});
        }
}

JETSCOPE_TEST(AttachReadsTest)
#include "tst_attachreads.moc"

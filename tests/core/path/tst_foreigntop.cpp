// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/path/flametree.h"
#include "core/path/gpuidle.h"
#include "core/path/threadtimes.h"
#include "core/path/toptable.h"
#include "core/trace/rangestatistics.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <sqlite3.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

QString traceFile(const char *name)
{
    return QStringLiteral(JETSCOPE_TRACES "/") + QLatin1String(name);
}

/// In nanoseconds; of a Chrome trace, by the categories of its events.
double sumOverJson(const QString &path, const QStringList &categories)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll());
    const QJsonArray events =
        document.isArray() ? document.array() : document.object().value(QLatin1String("traceEvents")).toArray();
    double sum = 0;
    for (const QJsonValue &event : events)
        if (event[QLatin1String("ph")].toString() == QStringLiteral("X")
            && categories.contains(event[QLatin1String("cat")].toString()))
            sum += event[QLatin1String("dur")].toDouble() * 1000;
    return sum;
}

/// Of an export of Nsight Systems, by a query.
double sumOverTables(const QString &path, const char *sql)
{
    sqlite3 *database = nullptr;
    sqlite3_stmt *query = nullptr;
    double sum = -1;
    if (sqlite3_open_v2(path.toUtf8().constData(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK
        && sqlite3_prepare_v2(database, sql, -1, &query, nullptr) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW)
        sum = sqlite3_column_double(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(database);
    return sum;
}

} // namespace

/// What the panel says of traces of other programs, against sums over their files.
class TestForeignTop : public QObject {
    Q_OBJECT
private slots:
    void kernelsEqualTheSumOverTheFile_data();
    void kernelsEqualTheSumOverTheFile();
    void asynchronousOperationsAreNobodysWork();
};

void TestForeignTop::kernelsEqualTheSumOverTheFile_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<double>("kernelNs");
    QTest::addColumn<double>("copyNs");
    const auto json = [](const char *name, const QStringList &kernels, const QStringList &copies) {
        const QString path = traceFile(name);
        QTest::newRow(name) << path << sumOverJson(path, kernels) << sumOverJson(path, copies);
    };
    json("kineto.json", {"kernel"}, {"gpu_memcpy", "gpu_memset"});
    json("kineto_2021.json", {"Kernel"}, {"Memcpy", "Memset"});
    for (const char *name : {"nsys_2025.sqlite", "nsys_2025_frames.sqlite"})
        QTest::newRow(name) << traceFile(name)
                            << sumOverTables(traceFile(name), "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL")
                            << sumOverTables(traceFile(name),
                                             "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_MEMCPY");
}

void TestForeignTop::kernelsEqualTheSumOverTheFile()
{
    QFETCH(QString, path);
    QFETCH(double, kernelNs);
    QFETCH(double, copyNs);
    NoOpenProgress opening;
    const auto opened = openTrace(path.toStdString(), opening);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text.c_str());
    const Trace &trace = opened.value().trace;
    const Interval whole{trace.oldestNs(), trace.newestNs()};
    NoProgress progress;
    const auto table = topTable(trace, whole, progress);
    double kernels = 0;
    double copies = 0;
    for (const TopRow &row : table->rows) {
        kernels += row.kind() == WorkKind::Kernel ? static_cast<double>(row.wholeNs) : 0;
        copies += row.kind() == WorkKind::Copy ? static_cast<double>(row.wholeNs) : 0;
    }
    QVERIFY(kernelNs > 0 && copyNs > 0);
    QVERIFY2(std::abs(kernels - kernelNs) <= 0.001 * kernelNs, qPrintable(QString::number(kernels / kernelNs)));
    QVERIFY2(std::abs(copies - copyNs) <= 0.001 * copyNs, qPrintable(QString::number(copies / copyNs)));
    // Nothing runs for longer than all of it one after the other.
    const auto gpu = gpuTimes(trace, whole, progress);
    QCOMPARE(gpu->size(), std::size_t(1));
    const GpuTimes &times = gpu->front();
    QVERIFY(times.kernelNs > 0 && static_cast<double>(times.kernelNs + times.copyNs) <= 1.001 * (kernelNs + copyNs));
}

/// Operations that a thread only began may last far longer than what it did.
void TestForeignTop::asynchronousOperationsAreNobodysWork()
{
    const QByteArray work = R"([{"ph":"X","ts":0,"dur":1000,"pid":1,"tid":1,"name":"step"},
        {"ph":"X","ts":100,"dur":300,"pid":1,"tid":1,"name":"read"},
        {"ph":"X","ts":500,"dur":200,"pid":2,"tid":7,"cat":"kernel","name":"k"})";
    QByteArray operations;
    for (const char *const phases : {"be", "SF"})
        for (int i = 0; i < 4; ++i)
            operations += QByteArray(R"(,{"ph":"%","ts":50,"pid":1,"tid":1,"id":#,"cat":"io","name":"read"})")
                              .replace('%', phases[0])
                              .replace('#', QByteArray::number(i))
                + QByteArray(R"(,{"ph":"%","ts":950,"pid":1,"tid":1,"id":#,"cat":"io","name":"read"})")
                      .replace('%', phases[1])
                      .replace('#', QByteArray::number(i));
    const QTemporaryDir folder;
    const auto accounts = [&folder](const QByteArray &json) {
        QString said;
        const QString path = folder.filePath("trace.json");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size())
            return said;
        file.close();
        Watcher progress;
        const Result<OpenedTrace> opened = openTrace(path.toStdString(), progress);
        if (!opened.ok())
            return said;
        const Trace &trace = opened.value().trace;
        const Interval whole{trace.oldestNs(), trace.newestNs()};
        const auto table = topTable(trace, whole, progress);
        for (const TopRow &row : table->rows)
            said += QStringLiteral("%1: %2 of %3, %4 times\n")
                        .arg(QString::fromStdString(trace.names().text(row.name)))
                        .arg(row.ownNs)
                        .arg(row.wholeNs)
                        .arg(row.count);
        const auto threads = threadTimes(trace, whole, 8, progress);
        for (const ThreadTimes &thread : *threads)
            said += QStringLiteral("thread %1 of %2\n").arg(thread.recordedNs()).arg(whole.endNs - whole.startNs);
        const FlameTree flames = *flameTree(trace, whole, FlameLanes::Cpu, progress);
        said += QStringLiteral("flames of %1\n").arg(flames.root().totalNs);
        RangeStatistics figures(trace, whole);
        while (!figures.advance(1000)) {}
        const Overlap &overlap = figures.figures().overlap;
        return said
            + QStringLiteral("CPU %1, GPU %2, both %3").arg(overlap.cpuNs).arg(overlap.gpuNs).arg(overlap.bothNs);
    };
    const QString alone = accounts(work + "]");
    QVERIFY2(alone.contains("read: 300000 of 300000, 1 times"), qPrintable(alone));
    QCOMPARE(accounts(work + operations + "]"), alone);
}

JETSCOPE_TEST(TestForeignTop)
#include "tst_foreigntop.moc"

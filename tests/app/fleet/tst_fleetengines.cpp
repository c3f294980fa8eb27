// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetfolder.h"
#include "tests/app/program.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <memory>

using namespace jetscope;
using test::SyntheticFleet;

namespace {

/// A program that serves until its end; what it says goes into a file, so that no pipe fills up.
class Server {
public:
    Server(const QString &program, const QStringList &arguments, const QString &log)
    {
        m_process.setStandardOutputFile(log);
        m_process.setStandardErrorFile(log, QIODevice::Append);
        m_process.start(program, arguments);
    }
    ~Server()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(10'000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }

private:
    QProcess m_process;
};

} // namespace

/// The same verdict by the built-in reader, DuckDB and workers of Dask. Dask is Debian's python3-distributed; its
/// scheduler and workers are reached from this machine only.
class TestFleetEngines : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_scheduler;
    std::vector<std::unique_ptr<Server>> m_servers;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    QString logOf(const QString &name) const
    {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    Outcome compare(const QStringList &more = {}) const
    {
        return runProgram(
            QStringList{"fleet", "compare", pathOf("fleet"), "--a", "commit=old", "--b", "commit=new", "--json"}
            + more);
    }
    Outcome byDask(const QString &fleet, const QStringList &more = {}) const
    {
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start("/usr/bin/python3", // The distribution's, which has its packages.
                      QStringList{QString(JETSCOPE_SOURCE_FOLDER) + "/packaging/fleet/compare.py", pathOf(fleet), "--a",
                                  "commit=old", "--b", "commit=new", "--scheduler", m_scheduler, "--program",
                                  JETSCOPE_PROGRAM, "--here", JETSCOPE_PROGRAM, "--json"}
                          + more);
        return outcomeOf(process);
    }
    bool startDask();

private slots:
    void initTestCase();
    void cleanupTestCase() { m_servers.clear(); }
    void verdictsAreEqual();
    void aDamagedFileIsNoVerdict();
    void anEmptyFolderIsNoVerdict();
    void aSchedulerThatIsNotThereIsSaid();
    void twoMillionRows();
};

/// The scheduler says where it listens; the workers come to it.
bool TestFleetEngines::startDask()
{
    m_servers.push_back(std::make_unique<Server>("dask-scheduler",
                                                 QStringList{"--host", "127.0.0.1", "--port", "0", "--no-dashboard"},
                                                 pathOf("scheduler.log")));
    static const QRegularExpression kAddress("tcp://127\\.0\\.0\\.1:\\d+");
    if (!QTest::qWaitFor([&] { return kAddress.match(logOf("scheduler.log")).hasMatch(); }, 60'000))
        return false;
    m_scheduler = kAddress.match(logOf("scheduler.log")).captured();
    for (const char *log : {"worker1.log", "worker2.log"})
        m_servers.push_back(
            std::make_unique<Server>("dask-worker",
                                     QStringList{m_scheduler, "--host", "127.0.0.1", "--nthreads", "1",
                                                 "--no-dashboard", "--no-nanny", "--local-directory", m_folder.path()},
                                     pathOf(log)));
    return QTest::qWaitFor([&] { return logOf("scheduler.log").count("Register worker") == 2; }, 60'000);
}

void TestFleetEngines::initTestCase()
{
    if (QStandardPaths::findExecutable("dask-scheduler").isEmpty())
        QSKIP("Dask is not installed: it is Debian's package python3-distributed");
    SyntheticFleet fleet;
    fleet.boards = 60;
    fleet.strata = 2;
    fleet.runs = 5;
    fleet.slowerStrata = {{1, 1.03}};
    fleet.slowerBoards = {{4, 1.4}};
    const Result<FleetFolder> folder = FleetFolder::create(pathOf("fleet").toStdString());
    QVERIFY(folder.ok() && fleet.addTo(folder.value(), [](FleetRow &row) {
        row.date = "2026-11-" + std::to_string(10 + std::hash<std::string>()(row.run) % 9);
    }));
    QVERIFY(runProgram({"fleet", "compact", pathOf("fleet")}).code == 0);
    QVERIFY2(startDask(), qPrintable(logOf("scheduler.log") + logOf("worker1.log")));
}

void TestFleetEngines::verdictsAreEqual()
{
    const Outcome own = compare({"--engine", "built-in"});
    QVERIFY2(own.code == 1 && own.json()["results"].toArray().size() == 16, own.describe());
    const Outcome dask = byDask("fleet", {"--engine", "built-in"});
    QVERIFY2(dask.code == 1, dask.describe());
    QCOMPARE(dask.out, own.out);
    const Outcome uneven = byDask("fleet", {"--engine", "built-in", "--parts", "5"});
    QCOMPARE(uneven.out, own.out);
    const Outcome duckdb = compare({"--engine", "duckdb"});
    if (duckdb.code == 3)
        QSKIP("DuckDB's library is not where the linker looks: name its folder in LD_LIBRARY_PATH");
    QCOMPARE(duckdb.out, own.out);
    QCOMPARE(byDask("fleet", {"--engine", "duckdb"}).out, own.out);
    // Files of a gate are made here, of what the workers found.
    QCOMPARE(byDask("fleet", {"--summary", pathOf("s.md")}).code, 1);
    QVERIFY(logOf("s.md").startsWith("### Jetscope: worse: "));
}

void TestFleetEngines::aDamagedFileIsNoVerdict()
{
    SyntheticFleet fleet;
    fleet.boards = 12;
    fleet.strata = 1;
    const Result<FleetFolder> folder = FleetFolder::create(pathOf("damaged").toStdString());
    QVERIFY(folder.ok() && fleet.addTo(folder.value()));
    QFile file(QString::fromStdString(folder.value().list().value().files.front().path));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - 8));
    file.close();
    const Outcome outcome = byDask("damaged");
    QVERIFY2(outcome.code == 3 && outcome.oneSentence() && outcome.err.contains("cut short"), outcome.describe());
    QVERIFY(outcome.out.isEmpty());
}

void TestFleetEngines::anEmptyFolderIsNoVerdict()
{
    QVERIFY(FleetFolder::create(pathOf("empty").toStdString()).ok());
    for (const char *fleet : {"empty", "missing"}) {
        const Outcome outcome = byDask(fleet);
        QVERIFY2(outcome.code == 3 && outcome.oneSentence(), outcome.describe());
    }
}

void TestFleetEngines::aSchedulerThatIsNotThereIsSaid()
{
    const QString scheduler = std::exchange(m_scheduler, QString("tcp://127.0.0.1:1"));
    const Outcome outcome = byDask("fleet");
    m_scheduler = scheduler;
    QVERIFY2(outcome.code == 3 && outcome.err.contains("does not answer"), outcome.describe());
}

/// More than the built-in reader takes at once: shares of the days in its place. Minutes.
void TestFleetEngines::twoMillionRows()
{
    if (!jetscope::testing::isLongRun())
        QSKIP("it takes minutes: ctest -L long");
    SyntheticFleet fleet;
    fleet.slowerStrata = {{3, 1.02}};
    fleet.slowerBoards = {{17, 1.3}};
    fleet.runs = static_cast<int>(2'000'000 / (2 * fleet.boards * std::size(SyntheticFleet::kMetrics)));
    const Result<FleetFolder> folder = FleetFolder::create(pathOf("large").toStdString());
    const auto onDays = [](FleetRow &row) {
        row.date = "2026-11-" + std::to_string(10 + std::hash<std::string>()(row.board) % 12);
    };
    QVERIFY(folder.ok() && fleet.addTo(folder.value(), onDays, false));
    const Outcome refused = runProgram(
        {"fleet", "compare", pathOf("large"), "--a", "commit=old", "--b", "commit=new", "--engine", "built-in"});
    QVERIFY2(refused.code == 3 && refused.err.contains("more than 1000000 rows"), refused.describe());
    const Outcome own = byDask("large", {"--engine", "built-in", "--parts", "6"});
    QVERIFY2(own.code == 1 && own.json()["results"].toArray().size() == 64, own.describe());
    QByteArray reduced;
    for (const char *part : {"0/3", "1/3", "2/3"}) {
        const Outcome share = runProgram({"fleet", "reduce", pathOf("large"), "--a", "commit=old", "--b", "commit=new",
                                          "--engine", "built-in", "--part", part});
        QVERIFY2(share.code == 0, share.describe());
        reduced += share.out.toUtf8();
    }
    QFile file(pathOf("large.jsonl"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(reduced) == reduced.size());
    file.close();
    const Outcome alone =
        runProgram({"fleet", "compare", file.fileName(), "--a", "commit=old", "--b", "commit=new", "--json"});
    QVERIFY2(alone.code == 1, alone.describe());
    QCOMPARE(own.out, alone.out);
    const Outcome duckdb = byDask("large", {"--engine", "duckdb"});
    if (duckdb.code == 3)
        QSKIP("DuckDB's library is not where the linker looks: name its folder in LD_LIBRARY_PATH");
    QCOMPARE(duckdb.out, own.out);
}

JETSCOPE_TEST(TestFleetEngines)
#include "tst_fleetengines.moc"

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/interrupt.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QFile>

#include <csignal>

using jetscope::Interrupt;

namespace {

bool isDefault(int signal)
{
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_DFL;
}

/// Whether the process has a handler for the signal, according to the kernel.
bool catches(qint64 process, int signal)
{
    QFile file(QString("/proc/%1/status").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray &line : file.readAll().split('\n'))
        if (line.startsWith("SigCgt:"))
            return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
}

} // namespace

class TestInterrupt : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        for (int signal : {SIGINT, SIGTERM, SIGHUP})
            std::signal(signal, SIG_DFL); // Qt Test installs handlers, and the parent process may ignore some signals.
    }
    void firstIsARequest_data();
    void firstIsARequest();
    void leavesNothingBehind();
    void nohupIsRespected();
    void runPrintsTheFiguresSoFar();
};

void TestInterrupt::firstIsARequest_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("terminate") << SIGTERM;
    QTest::newRow("the terminal goes") << SIGHUP;
}

void TestInterrupt::firstIsARequest()
{
    QFETCH(int, signal);
    const Interrupt interrupt;
    QVERIFY(!interrupt.requested());
    QVERIFY(!interrupt.waitFor(std::chrono::milliseconds(1)));
    QCOMPARE(std::raise(signal), 0);
    QVERIFY(interrupt.requested());
    QVERIFY(interrupt.waitFor(std::chrono::hours(1))); // Returns immediately.
    if (signal == SIGHUP)
        QCOMPARE(std::raise(signal), 0); // It is often sent twice and counts as one request.
    else
        QVERIFY(isDefault(signal)); // The second one ends the program.
}

void TestInterrupt::leavesNothingBehind()
{
    {
        const Interrupt interrupt;
        QVERIFY(!isDefault(SIGINT) && !isDefault(SIGTERM) && !isDefault(SIGHUP));
    }
    QVERIFY(isDefault(SIGINT) && isDefault(SIGTERM) && isDefault(SIGHUP));
    const Interrupt again;
    QVERIFY(!again.requested());
}

void TestInterrupt::nohupIsRespected()
{
    std::signal(SIGHUP, SIG_IGN);
    {
        const Interrupt interrupt;
        QCOMPARE(std::raise(SIGHUP), 0);
        QVERIFY(!interrupt.requested());
    }
    QVERIFY(std::signal(SIGHUP, SIG_DFL) == SIG_IGN);
}

void TestInterrupt::runPrintsTheFiguresSoFar()
{
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"run", "--source", "synthetic:?size=96x64&fps=100&rate=real", "--device", "soft:orin", "--frames",
                   "1000000", "--json"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(catches(process.processId(), SIGINT), 30'000);
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["ended"].toString(), QString("interrupted"));
    QVERIFY(outcome.json()["frames"].isDouble());
}

JETSCOPE_TEST(TestInterrupt)
#include "tst_interrupt.moc"

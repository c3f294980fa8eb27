// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Processes that Jetscope starts for itself.
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>

#include <csignal>

namespace {

/// The children of all threads, by /proc.
QList<pid_t> childrenOf(qint64 process)
{
    QList<pid_t> children;
    const QString tasks = QString("/proc/%1/task").arg(process);
    for (const QString &task : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(tasks + "/" + task + "/children");
        if (file.open(QIODevice::ReadOnly))
            for (const QByteArray &word : file.readAll().split(' '))
                if (const pid_t child = word.trimmed().toInt())
                    children += child;
    }
    return children;
}

bool runs(pid_t process)
{
    QFile file(QString("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray stat = file.readAll();
    const qsizetype name = stat.lastIndexOf(") ");
    return stat.size() > name + 2 && stat[name + 2] != 'Z';
}

} // namespace

class TestChildren : public QObject {
    Q_OBJECT
private slots:
    void trialsEndWithTheProgram_data();
    void trialsEndWithTheProgram();
};

void TestChildren::trialsEndWithTheProgram_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("asked to end") << SIGTERM;
    QTest::newRow("killed") << SIGKILL;
}

/// A library that never comes back from its constructor is tried in a child, which would wait for its own time limit.
void TestChildren::trialsEndWithTheProgram()
{
    QFETCH(int, signal);
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"run", "--device", "soft:orin", "--source", "synthetic:?size=64x64", "--frames", "3", "--filters",
                   "stage:" JETSCOPE_HANGING_STAGE});
    QList<pid_t> children;
    const auto isTrying = [&] {
        children = childrenOf(process.processId());
        return std::any_of(children.begin(), children.end(), [](pid_t child) {
            QFile maps(QString("/proc/%1/maps").arg(child));
            return maps.open(QIODevice::ReadOnly) && maps.readAll().contains(JETSCOPE_HANGING_STAGE);
        });
    };
    QVERIFY(QTest::qWaitFor(isTrying, 60'000));
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY(!children.isEmpty());
    // Its own limit is 60 seconds.
    for (const pid_t child : children)
        QVERIFY(QTest::qWaitFor([child] { return !runs(child); }, 30'000));
}

JETSCOPE_TEST(TestChildren)
#include "tst_children.moc"

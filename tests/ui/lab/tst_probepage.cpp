// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The page of the probe in the lab: the kept table of the pipeline's device, or that there is none.
#include "core/measure/probe/keptprobes.h"
#include "tests/core/probetables.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/labview.h"
#include "ui/lab/probepage.h"
#include "ui/measure/probedialog.h"

#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace jetscope;

class TestProbePage : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        m_fake = std::make_unique<FakeWindow>();
        QVERIFY(m_fake->open());
    }
    void cleanup()
    {
        m_fake.reset();
        m_before.isEmpty() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", m_before);
    }
    void withoutATableItSaysWhatAProbeIs();
    void theKeptTableIsShown();
    void theTableOfAnotherDeviceIsNot();
    void aBrokenTableIsSaid();
    void theButtonOpensTheDialog();

private:
    ProbePage &page() { return *m_fake->window().lab()->probe(); }
    void showPage()
    {
        m_fake->window().show();
        m_fake->window().showSpace(MainWindow::Space::Lab);
        m_fake->window().lab()->showPage(&page());
    }
    /// A table of the pipeline's device.
    ProbeTable table()
    {
        ProbeTable table = testing::madeUpTable(8, 7);
        table.device = m_fake->window().session().status().facts;
        table.date = "2026-01-31T12:00:00Z";
        table.method = "by <turns>";
        testing::plant(table, memoryKey("zero-copy", "cpu_read"), 0.5);
        return table;
    }
    QString said() { return page().verdictText() + '\n' + page().text()->toPlainText(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
    QByteArray m_before;
};

void TestProbePage::withoutATableItSaysWhatAProbeIs()
{
    showPage();
    QVERIFY2(said().contains(QStringLiteral("was not probed yet")) && said().contains(QStringLiteral("jetscope probe")),
             qPrintable(said()));
    QVERIFY(page().result().isEmpty());
}

void TestProbePage::theKeptTableIsShown()
{
    QVERIFY(keepProbe(table(), userDataFolder()).ok());
    showPage();
    for (const char *part :
         {"In words", "Which memory kind", "0.50 ±", "zero-copy", "by <turns>", "Prediction, not tried, for "})
        QVERIFY2(said().contains(QString::fromUtf8(part)), qPrintable(said()));
    QCOMPARE(page().result(), QStringLiteral("2026-01-31"));
    const QListWidget *list = m_fake->window().lab()->list();
    QCOMPARE(list->currentItem()->text(), QStringLiteral("Probe · 2026-01-31"));
}

void TestProbePage::theTableOfAnotherDeviceIsNot()
{
    ProbeTable other = table();
    other.device.id = "cuda:7";
    QVERIFY(keepProbe(other, userDataFolder()).ok());
    showPage();
    QVERIFY2(said().contains(QStringLiteral("was not probed yet")), qPrintable(said()));
}

void TestProbePage::aBrokenTableIsSaid()
{
    QVERIFY(keepProbe(table(), userDataFolder()).ok());
    QFile file(QString::fromStdString(keptProbePath(userDataFolder(), m_fake->window().session().status().facts)));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write("{\"format\":") > 0);
    file.close();
    showPage();
    QVERIFY2(said().contains(QStringLiteral("cannot be read")), qPrintable(said()));
    QVERIFY(page().button()->isEnabled());
}

void TestProbePage::theButtonOpensTheDialog()
{
    showPage();
    QTest::mouseClick(page().button(), Qt::LeftButton);
    const auto *dialog = m_fake->window().findChild<ProbeDialog *>();
    QVERIFY(dialog && dialog->isVisible() && dialog->startButton()->isEnabled());
}

JETSCOPE_TEST(TestProbePage)
#include "tst_probepage.moc"

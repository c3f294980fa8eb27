// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The page of the experiments in the lab: it leads to their dialog.
#include "core/measure/probe/experiment.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/experimentspage.h"
#include "ui/lab/labview.h"
#include "ui/measure/experimentdialog.h"

#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>

using namespace jetscope;

class TestExperimentsPage : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_fake = std::make_unique<FakeWindow>();
        QVERIFY(m_fake->open());
        m_fake->window().showSpace(MainWindow::Space::Lab);
        m_fake->window().lab()->showPage(&page());
    }
    void cleanup() { m_fake.reset(); }
    void everyExperimentIsExplained();
    void theButtonOpensTheChosenOne();
    void enterOpensItToo();

private:
    ExperimentsPage &page() { return *m_fake->window().lab()->experiments(); }
    const ExperimentDialog *dialog() const
    {
        return m_fake->window().findChild<ExperimentDialog *>(QStringLiteral("experimentDialog"));
    }

    std::unique_ptr<FakeWindow> m_fake;
};

void TestExperimentsPage::everyExperimentIsExplained()
{
    QCOMPARE(static_cast<std::size_t>(page().list()->count()), experimentTable().size());
    for (int row = 0; row < page().list()->count(); ++row) {
        page().list()->setCurrentRow(row);
        const ExperimentInfo &info = experimentTable()[static_cast<std::size_t>(row)];
        const QString said = page().about()->toPlainText();
        for (const std::string_view part : {info.question, info.teaches, info.name})
            QVERIFY2(said.simplified().contains(QString::fromUtf8(part.data(), qsizetype(part.size())).simplified()),
                     qPrintable(said));
    }
}

void TestExperimentsPage::theButtonOpensTheChosenOne()
{
    page().list()->setCurrentRow(3);
    QVERIFY(!dialog());
    page().button()->click();
    QTRY_VERIFY(dialog() && dialog()->isVisible());
    QCOMPARE(dialog()->names()->currentData().toString().toStdString(), std::string(experimentTable()[3].name));
}

void TestExperimentsPage::enterOpensItToo()
{
    page().list()->setCurrentRow(5);
    QTest::keyClick(page().list(), Qt::Key_Return);
    QTRY_VERIFY(dialog() && dialog()->isVisible());
    QCOMPARE(dialog()->names()->currentData().toString().toStdString(), std::string(experimentTable()[5].name));
}

JETSCOPE_TEST(TestExperimentsPage)
#include "tst_experimentspage.moc"

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The page of missing frames: rows, causes, and their sum.
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/lab/labview.h"
#include "ui/lab/losspage.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace jetscope;

class TestLossPage : public QObject {
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
    void nothingIsMissing();
    void causesAddUp();
    void aCauseShowsItsRowsOnly();
    void aRowLeadsToItsTime();

private:
    LossPage &page() { return *m_fake->window().lab()->losses(); }
    void lose(std::vector<LostFrames> lost)
    {
        m_fake->pipeline().notice(PipelineNotice::Kind::Dropped, "frames missing");
        m_fake->pipeline().update.notices.back().lost = std::move(lost);
        m_fake->poll();
    }
    void loseSome()
    {
        lose({{3'604, 3, LossCause::NoBuffer, 1'000, "the program held all 4"},
              {3'700, 1, LossCause::Damaged, 2'000, "the driver marks it"},
              {3'701, 1, LossCause::NoBuffer, 3'000, "the program held all 4"}});
        QTRY_COMPARE(page().list()->topLevelItemCount(), 3);
    }

    std::unique_ptr<FakeWindow> m_fake;
};

void TestLossPage::nothingIsMissing()
{
    QCOMPARE(page().result(), QString());
    QVERIFY(page().list()->isHidden());
    QVERIFY(page().sum()->isHidden());
}

void TestLossPage::causesAddUp()
{
    loseSome();
    QCOMPARE(page().counts().sum(), std::uint64_t(5));
    QVERIFY2(page().sum()->text().startsWith("4 + 1 = 5:"), qPrintable(page().sum()->text()));
    QCOMPARE(page().list()->topLevelItem(2)->text(0), QString("3,604 – 3,606")); // The newest first.
    QVERIFY(page().list()->topLevelItem(0)->text(3).contains("held all 4"));
    const QListWidget &pages = *m_fake->window().lab()->list();
    bool isSaid = false;
    for (int i = 0; i < pages.count(); ++i)
        isSaid = isSaid || pages.item(i)->text() == QString("Missing frames · 5");
    QVERIFY(isSaid);
}

void TestLossPage::aCauseShowsItsRowsOnly()
{
    loseSome();
    page().causes()->button(static_cast<int>(LossCause::Damaged))->click();
    QCOMPARE(page().list()->topLevelItemCount(), 1);
    QVERIFY(page().list()->topLevelItem(0)->text(3).contains("marks it"));
    QVERIFY(page().causes()->button(static_cast<int>(LossCause::Overtaken))->isHidden());
}

void TestLossPage::aRowLeadsToItsTime()
{
    loseSome();
    QSignalSpy wanted(&page(), &LossPage::timeWanted);
    emit page().list()->itemActivated(page().list()->topLevelItem(1), 0);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.front().front().toLongLong(), 2'000);
    QVERIFY(m_fake->window().space() == MainWindow::Space::Live);
}

JETSCOPE_TEST(TestLossPage)
#include "tst_losspage.moc"

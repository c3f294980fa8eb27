// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/hazardlist.h"

#include <QTest>
#include <QTreeWidget>

using namespace jetscope;

class TestHazardList : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aRowUnfoldsIntoWhatWhereWhyAndFix();
    void theSameHazardElsewhereIsOneRow();
    void whatIsNotKnownIsSaid();
    void textsAreHarmless();

private:
    void add(std::uint32_t frame, const std::string &text, const std::string &fix = {}, const std::string &rule = "A1");
    QTreeWidget &tree() { return *m_list->findChild<QTreeWidget *>(); }
    QString details(int row)
    {
        QStringList texts;
        for (int i = 0; i < tree().topLevelItem(row)->childCount(); ++i)
            texts << tree().topLevelItem(row)->child(i)->text(0);
        return texts.join(u'\n');
    }

    std::unique_ptr<HazardList> m_list;
};

void TestHazardList::init()
{
    m_list = std::make_unique<HazardList>();
    m_list->resize(700, 300);
    m_list->show();
}

void TestHazardList::add(std::uint32_t frame, const std::string &text, const std::string &fix, const std::string &rule)
{
    PipelineNotice notice;
    notice.kind = PipelineNotice::Kind::Violation;
    notice.frame = frame;
    notice.text = text;
    notice.rule = rule;
    notice.fix = fix;
    m_list->add(notice, frame);
}

void TestHazardList::aRowUnfoldsIntoWhatWhereWhyAndFix()
{
    add(3, "The CPU read managed memory: a Jetson ends the process with a bus error here",
        "synchronise the device first");
    QTreeWidgetItem *row = tree().topLevelItem(0);
    QCOMPARE(row->text(0), QStringLiteral("The CPU read managed memory."));
    QCOMPARE(row->text(1), QStringLiteral("A1"));
    QVERIFY(row->isExpanded()); // The first row.
    QCOMPARE(details(0),
             QStringLiteral("What: The CPU read managed memory: a Jetson ends the process with a bus error here\n"
                            "Where: frame 3\n"
                            "Why: A Jetson ends the process with a bus error here.\n"
                            "Fix: Synchronise the device first."));
    add(5, "A texture was respecified: CUDA keeps the former one", "register it again");
    QVERIFY(!tree().topLevelItem(1)->isExpanded());
    tree().setCurrentItem(tree().topLevelItem(1));
    QTest::keyClick(&tree(), Qt::Key_Right);
    QVERIFY(tree().topLevelItem(1)->isExpanded());
    QVERIFY(tree().visualItemRect(tree().topLevelItem(1)->child(3)).isValid());
}

void TestHazardList::theSameHazardElsewhereIsOneRow()
{
    add(3, "The CPU read managed memory (byte 17): why");
    add(8, "The CPU read managed memory (byte 4711): why");
    QCOMPARE(m_list->rows(), 1);
    QCOMPARE(tree().topLevelItem(0)->text(2), QStringLiteral("2"));
    QVERIFY(details(0).contains(QStringLiteral("Where: frames 3 to 8")));
    add(9, "The CPU wrote managed memory (byte 17): why");
    add(9, "The CPU read managed memory (byte 17): why", {}, "A2");
    QCOMPARE(m_list->rows(), 3);
}

void TestHazardList::whatIsNotKnownIsSaid()
{
    add(3, "Something was touched", {}, {});
    QVERIFY(details(0).contains(QStringLiteral("Why: not known")));
    QVERIFY(details(0).contains(QStringLiteral("Fix: not known")));
}

void TestHazardList::textsAreHarmless()
{
    for (const char *text : {"", ": ", ":", "a: ", "<b>bold</b>: \n\n", "%1 %2: %3"})
        add(1, text, text);
    QCOMPARE(m_list->rows(), 6);
    QVERIFY(details(5).contains(QStringLiteral("%1 %2: %3")));
    for (char a = 'a'; a <= 'z'; ++a) // Different texts, more than the limit of rows.
        for (char b = 'a'; b <= 'z'; ++b)
            add(1, {a, b});
    QCOMPARE(m_list->rows(), 200);
}

QTEST_MAIN(TestHazardList)
#include "tst_hazardlist.moc"

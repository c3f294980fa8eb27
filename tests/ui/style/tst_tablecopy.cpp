// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/style/tablecopy.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QListWidget>
#include <QShortcut>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

using namespace jetscope;

/// Ctrl+C in tables, trees and lists.
class TestTableCopy : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aTableIsCopiedWithItsTitles();
    void severalSelectedRowsAreCopiedAlone();
    void hiddenColumnsAreLeftOut();
    void ofATreeWhatIsUnfolded();
    void aListHasNoTitle();
    void aCommandOfItsOwnWins();

private:
    static QString copied(QAbstractItemView &view)
    {
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        return QGuiApplication::clipboard()->text();
    }
    static std::unique_ptr<QTableWidget> table();

    TableCopy m_copy{nullptr};
};

void TestTableCopy::init()
{
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
}

std::unique_ptr<QTableWidget> TestTableCopy::table()
{
    auto table = std::make_unique<QTableWidget>(3, 2);
    table->setHorizontalHeaderLabels({QStringLiteral("name"), QStringLiteral("ms")});
    table->verticalHeader()->hide();
    for (int row = 0; row < 3; ++row) {
        table->setItem(row, 0, new QTableWidgetItem(QStringLiteral("a\t%1").arg(row)));
        table->setItem(row, 1, new QTableWidgetItem(QString::number(row * 1.5)));
    }
    return table;
}

void TestTableCopy::aTableIsCopiedWithItsTitles()
{
    const auto view = table();
    view->setCurrentCell(1, 1); // One cell is where the cursor is, and no choice.
    QCOMPARE(copied(*view), QStringLiteral("name\tms\na 0\t0\na 1\t1.5\na 2\t3\n"));
    view->verticalHeader()->show();
    QVERIFY(copied(*view).startsWith(QStringLiteral("\tname\tms\n1\ta 0\t0\n")));
}

void TestTableCopy::severalSelectedRowsAreCopiedAlone()
{
    const auto view = table();
    view->setRangeSelected(QTableWidgetSelectionRange(1, 1, 2, 1), true);
    QCOMPARE(copied(*view), QStringLiteral("name\tms\na 1\t1.5\na 2\t3\n"));
}

void TestTableCopy::hiddenColumnsAreLeftOut()
{
    const auto view = table();
    view->horizontalHeader()->moveSection(1, 0);
    QVERIFY(copied(*view).startsWith(QStringLiteral("ms\tname\n0\ta 0\n")));
    view->hideColumn(0);
    QVERIFY(copied(*view).startsWith(QStringLiteral("ms\n0\n")));
}

void TestTableCopy::ofATreeWhatIsUnfolded()
{
    QTreeWidget tree;
    tree.setHeaderLabels({QStringLiteral("what"), QStringLiteral("value")});
    auto *group = new QTreeWidgetItem(&tree, {QStringLiteral("group"), QString()});
    new QTreeWidgetItem(group, {QStringLiteral("child"), QStringLiteral("7")});
    QCOMPARE(copied(tree), QStringLiteral("what\tvalue\ngroup\t\n"));
    group->setExpanded(true);
    QCOMPARE(copied(tree), QStringLiteral("what\tvalue\ngroup\t\nchild\t7\n"));
}

void TestTableCopy::aListHasNoTitle()
{
    QListWidget list;
    list.addItems({QStringLiteral("one"), QStringLiteral("two")});
    QCOMPARE(copied(list), QStringLiteral("one\ntwo\n"));
}

void TestTableCopy::aCommandOfItsOwnWins()
{
    const auto view = table();
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    view->activateWindow();
    view->setFocus();
    QTRY_VERIFY(view->hasFocus());
    int own = 0;
    auto *keys = new QShortcut(QKeySequence::Copy, view.get());
    keys->setContext(Qt::WidgetShortcut);
    connect(keys, &QShortcut::activated, view.get(), [&own] { ++own; });
    QCOMPARE(copied(*view), QStringLiteral("before"));
    QCOMPARE(own, 1);
}

JETSCOPE_TEST(TestTableCopy)
#include "tst_tablecopy.moc"

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/style/tablesort.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QTest>

using namespace jetscope;

/// Ctrl and arrows sort a table.
class TestTableSort : public QObject {
    Q_OBJECT
private slots:
    void columnAndDirectionAreChosen();
    void othersKeepTheirKeys();

private:
    static void fill(QTableWidget &table)
    {
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                table.setItem(row, column, new QTableWidgetItem(QString::number((row * (column + 1)) % 3)));
    }
    TableSort m_sort{nullptr};
};

void TestTableSort::columnAndDirectionAreChosen()
{
    QTableWidget table(3, 3);
    fill(table);
    table.setColumnHidden(1, true);
    table.setSortingEnabled(true);
    table.sortByColumn(0, Qt::DescendingOrder);
    QCOMPARE(table.item(0, 0)->text(), QStringLiteral("2"));
    QTest::keyClick(&table, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(table.item(0, 0)->text(), QStringLiteral("0"));
    QTest::keyClick(&table, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(table.item(0, 0)->text(), QStringLiteral("2"));
    QTest::keyClick(&table, Qt::Key_Right, Qt::ControlModifier); // Past the hidden one.
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 2);
    QTest::keyClick(&table, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 2);
    QTest::keyClick(&table, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 0);
}

void TestTableSort::othersKeepTheirKeys()
{
    QTableWidget table(3, 3);
    fill(table);
    table.setCurrentCell(0, 0);
    QTest::keyClick(&table, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(table.currentColumn() > 0);
    table.setSortingEnabled(true);
    const int sorted = table.horizontalHeader()->sortIndicatorSection();
    table.setCurrentCell(0, 0);
    QTest::keyClick(&table, Qt::Key_Right);
    QCOMPARE(table.currentColumn(), 1);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), sorted);
}

JETSCOPE_TEST(TestTableSort)
#include "tst_tablesort.moc"

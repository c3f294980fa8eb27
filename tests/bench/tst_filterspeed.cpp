// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/filtercases.h"

#include <QTest>

using namespace jetscope;

Q_DECLARE_METATYPE(jetscope::FilterCase)

namespace {

/// The allowed factor above the goal: a filter without vectorisation is ten times slower, whereas a busy machine is
/// not.
constexpr double kSlack = 2.5;

} // namespace

class TestFilterSpeed : public QObject {
    Q_OBJECT

private slots:
    void keepsUpWithOpenCv_data();
    void keepsUpWithOpenCv();
};

void TestFilterSpeed::keepsUpWithOpenCv_data()
{
    QTest::addColumn<FilterCase>("test");
    for (const FilterCase &test : filterCases())
        QTest::newRow(test.name.c_str()) << test;
}

void TestFilterSpeed::keepsUpWithOpenCv()
{
    QFETCH(FilterCase, test);
    const FilterTiming timing = timeFilter(test, *instructionSets().front().kernels, 5);
    QCOMPARE(timing.isSameBytes, test.isSameWork);
    QVERIFY2(timing.ratio() <= kSlack * test.goal,
             qPrintable(QStringLiteral("%1 ms against %2 ms").arg(timing.oursMs).arg(timing.theirsMs)));
}

QTEST_GUILESS_MAIN(TestFilterSpeed)
#include "tst_filterspeed.moc"

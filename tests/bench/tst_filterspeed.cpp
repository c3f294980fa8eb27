// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/filtercases.h"

#include <QTest>

using namespace jetscope;

Q_DECLARE_METATYPE(jetscope::FilterCase)

namespace {

/// The allowed factor above the goal: a loop that is not vectorised any more is ten times slower, whereas a busy
/// machine is not. bench_filters measures the ratios themselves.
constexpr double kSlack = 2.5;

void addCases()
{
    QTest::addColumn<FilterCase>("test");
    for (const FilterCase &test : filterCases())
        QTest::newRow(test.name.c_str()) << test;
}

} // namespace

class TestFilterSpeed : public QObject {
    Q_OBJECT

private slots:
    void givesOpenCvsBytes_data() { addCases(); }
    void givesOpenCvsBytes();
    void everyLoopIsVectorised_data() { addCases(); }
    void everyLoopIsVectorised();
};

void TestFilterSpeed::givesOpenCvsBytes()
{
    QFETCH(FilterCase, test);
    QCOMPARE(timeFilter(test, *instructionSets().front().kernels, 1).isSameBytes, test.isSameWork);
}

void TestFilterSpeed::everyLoopIsVectorised()
{
    QFETCH(FilterCase, test);
    const FilterTiming timing = timeFilter(test, *instructionSets().front().kernels, 5);
    QVERIFY2(timing.ratio() <= kSlack * test.goal,
             qPrintable(QStringLiteral("%1 ms against %2 ms").arg(timing.oursMs).arg(timing.theirsMs)));
}

QTEST_GUILESS_MAIN(TestFilterSpeed)
#include "tst_filterspeed.moc"

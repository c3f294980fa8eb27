// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Rules of the hazard ledger that concern no memory: what kernels and waits cost the CPU.
#include "core/hazards/hazardledger.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

constexpr HazardLedger::Caller kCaller{3, LaneRole::Pipeline, 3000};

QString rulesBroken(HazardLedger &ledger)
{
    QStringList names;
    for (const Hazard &hazard : ledger.takeHazards()) {
        const std::string_view name = ruleOf(hazard.rule).name;
        names << QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    return names.join(' ');
}

} // namespace

class TestHazardCosts : public QObject {
    Q_OBJECT

private slots:
    void kernelsFromPtxAreReportedOnce();
    void spinningWithoutACore_data();
    void spinningWithoutACore();
    void eachKindOfThreadIsReportedOnce();
};

void TestHazardCosts::kernelsFromPtxAreReportedOnce()
{
    const char stream = 0;
    for (const bool fromPtx : {true, false}) {
        HazardLedger::Conditions conditions;
        conditions.kernelsFromPtx = fromPtx;
        HazardLedger ledger(conditions);
        ledger.addStream(&stream);
        ledger.launch(&stream, {}, kCaller);
        ledger.launch(&stream, {}, kCaller);
        QCOMPARE(rulesBroken(ledger), fromPtx ? "A22" : "");
    }
}

void TestHazardCosts::spinningWithoutACore_data()
{
    QTest::addColumn<int>("blocksOneOf");
    QTest::addColumn<int>("preemptedOneOf");
    QTest::addColumn<qint64>("waitNs");
    QTest::addColumn<QString>("rules");
    constexpr qint64 kMs = 1'000'000;
    QTest::newRow("spins, often preempted") << 1000 << 4 << kMs << "B4";
    QTest::newRow("is preempted in every wait") << 1000 << 1 << kMs << "B4";
    QTest::newRow("spins on a core of its own") << 1000 << 40 << kMs << "";
    QTest::newRow("gives its core away now and then") << 8 << 2 << kMs << "B4";
    QTest::newRow("blocks on a busy machine") << 1 << 1 << kMs << "";
    QTest::newRow("waits too short to tell") << 1000 << 1 << kMs / 20 << "";
}

void TestHazardCosts::spinningWithoutACore()
{
    QFETCH(int, blocksOneOf);
    QFETCH(int, preemptedOneOf);
    QFETCH(qint64, waitNs);
    QFETCH(QString, rules);
    HazardLedger ledger({});
    for (int wait = 1; wait <= 640; ++wait)
        ledger.waited({waitNs, wait % blocksOneOf == 0, wait % preemptedOneOf == 0}, kCaller);
    QCOMPARE(rulesBroken(ledger), rules);
}

void TestHazardCosts::eachKindOfThreadIsReportedOnce()
{
    HazardLedger ledger({});
    for (int wait = 0; wait < 200; ++wait)
        for (const LaneRole role : {LaneRole::Pipeline, LaneRole::CpuStage})
            ledger.waited({1'000'000, 0, 1}, {3, role, 3000});
    QCOMPARE(rulesBroken(ledger), "B4 B4");
}

JETSCOPE_TEST(TestHazardCosts)
#include "tst_hazardcosts.moc"

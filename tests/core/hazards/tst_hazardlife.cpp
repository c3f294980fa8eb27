// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Memory whose life or content changes in the order of a stream: each mistake is found, and its repaired twin is
// silent.
#include "core/hazards/hazardledger.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

constexpr std::size_t kFrame = 4096;
constexpr HazardLedger::Conditions kShares{.pageableAccess = true}; ///< CPU and GPU share managed memory.

class LifeProgram {
public:
    explicit LifeProgram(const HazardLedger::Conditions &conditions = kShares) : ledger(conditions)
    {
        ledger.addStream(&stream);
        ledger.addStream(&other);
        ledger.addBuffer(&managed, Allocation::Managed, kFrame);
        ledger.addBuffer(&pageable, Allocation::Pageable, kFrame);
        ledger.addBuffer(&system, Allocation::System, kFrame);
    }

    void allocate(const char &queue) { ledger.addBufferInStream(&pooled, kFrame, &queue, at(1)); }
    void free(const char &queue) { ledger.freeBufferInStream(&pooled, &queue, at(1)); }
    void kernel(const char &queue, const char &memory, Access access)
    {
        const HazardLedger::Use use{&memory, 0, kFrame, access};
        ledger.launch(&queue, std::span(&use, 1), at(1));
    }
    void touch(Access access)
    {
        ledger.beginCpuAccess({&managed, 0, kFrame, access}, at(2));
        ledger.endCpuAccess({&managed, 0, kFrame, access});
    }
    static HazardLedger::Caller at(std::uint32_t frame) { return {frame, LaneRole::Pipeline, 1000 * frame}; }

    QString broken()
    {
        QStringList names;
        for (const Hazard &hazard : ledger.takeHazards())
            names << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
        return names.join(' ');
    }

    HazardLedger ledger;
    char stream = 0, other = 0, pooled = 0, managed = 0, pageable = 0, system = 0, event = 0;
};

} // namespace

class TestHazardLife : public QObject {
    Q_OBJECT

private slots:
    void memoryOfAPoolIsUsedBetweenItsEnds()
    {
        LifeProgram right;
        for (int frame = 0; frame < 3; ++frame) {
            right.allocate(right.stream);
            right.kernel(right.stream, right.pooled, Access::Write);
            right.free(right.stream);
            right.ledger.synchronize(&right.stream);
            right.ledger.removeMemory(&right.pooled, LifeProgram::at(2));
            right.ledger.keepInPool(kFrame);
        }
        QCOMPARE(right.broken(), QString("A19")); // The first wait found no threshold; said once.
        LifeProgram wrong;
        wrong.allocate(wrong.stream);
        wrong.free(wrong.stream);
        wrong.kernel(wrong.stream, wrong.pooled, Access::Read);
        QCOMPARE(wrong.broken(), QString("A23"));
    }

    void anotherStreamWaitsForTheAllocation()
    {
        LifeProgram wrong;
        wrong.allocate(wrong.stream);
        wrong.kernel(wrong.other, wrong.pooled, Access::Write);
        QCOMPARE(wrong.broken(), QString("B5"));
        LifeProgram right;
        right.allocate(right.stream);
        right.ledger.record(&right.event, &right.stream, LifeProgram::at(1));
        right.ledger.wait(&right.other, &right.event);
        right.kernel(right.other, right.pooled, Access::Write);
        QCOMPARE(right.broken(), QString());
        right.free(right.stream); // Behind no work of the other stream.
        QCOMPARE(right.broken(), QString("A11"));
    }

    void aPoolKeepsWhatFramesNeed_data()
    {
        QTest::addColumn<bool>("keeps");
        QTest::addColumn<bool>("waits");
        QTest::addColumn<QString>("rule");
        QTest::newRow("nothing kept, with waits") << false << true << "A19";
        QTest::newRow("nothing kept, no waits") << false << false << "";
        QTest::newRow("kept, with waits") << true << true << "";
    }

    void aPoolKeepsWhatFramesNeed()
    {
        QFETCH(bool, keeps);
        QFETCH(bool, waits);
        LifeProgram p;
        if (keeps)
            p.ledger.keepInPool(kFrame);
        for (int frame = 0; frame < 4; ++frame) {
            p.allocate(p.stream);
            p.kernel(p.stream, p.pooled, Access::Write);
            p.free(p.stream);
            if (waits)
                p.ledger.synchronizeAll();
        }
        QTEST(p.broken(), "rule"); // Once, not in every frame.
    }

    void whatWasDiscardedIsNotRead()
    {
        LifeProgram p;
        p.touch(Access::Write);
        p.ledger.prefetch(&p.managed, false, &p.stream, LifeProgram::at(1));
        p.kernel(p.stream, p.managed, Access::Read);
        p.ledger.prefetch(&p.managed, true, &p.stream, LifeProgram::at(1));
        p.ledger.synchronize(&p.stream);
        p.touch(Access::Write);
        p.touch(Access::Read);
        QCOMPARE(p.broken(), QString());
        p.ledger.prefetch(&p.managed, true, &p.stream, LifeProgram::at(1));
        p.kernel(p.stream, p.managed, Access::Read);
        QCOMPARE(p.broken(), QString("A25"));
        p.ledger.synchronize(&p.stream);
        p.touch(Access::Read);
        QCOMPARE(p.broken(), QString("A25"));
    }

    void nothingIsDiscardedBesideAReader()
    {
        LifeProgram p;
        p.ledger.beginCpuAccess({&p.managed, 0, kFrame, Access::Read}, LifeProgram::at(1));
        p.ledger.prefetch(&p.managed, false, &p.stream, LifeProgram::at(1));
        QCOMPARE(p.broken(), QString());
        p.ledger.prefetch(&p.managed, true, &p.stream, LifeProgram::at(1));
        QCOMPARE(p.broken(), QString("O1"));
    }

    void prefetchesNeedConcurrentAccess()
    {
        LifeProgram turns(HazardLedger::Conditions{.managedTurns = true});
        turns.ledger.prefetch(&turns.managed, false, &turns.stream, LifeProgram::at(1));
        turns.ledger.prefetch(&turns.managed, false, &turns.stream, LifeProgram::at(2));
        QCOMPARE(turns.broken(), QString("A9")); // Once.
    }

    void kernelsReachOrdinaryMemoryWhereTheAttributeSaysSo()
    {
        LifeProgram shares;
        shares.kernel(shares.stream, shares.system, Access::Read);
        shares.kernel(shares.stream, shares.pageable, Access::Read);
        QCOMPARE(shares.broken(), QString());
        LifeProgram apart(HazardLedger::Conditions{});
        apart.kernel(apart.stream, apart.pageable, Access::Read);
        QCOMPARE(apart.broken(), QString("A24"));
        apart.ledger.copy(&apart.stream, {&apart.managed, 0, 8, Access::Write}, {&apart.system, 0, 8, Access::Read},
                          LifeProgram::at(1));
        QVERIFY(!apart.broken().contains("A24")); // Copies reach it everywhere.
    }
};

JETSCOPE_TEST(TestHazardLife)
#include "tst_hazardlife.moc"

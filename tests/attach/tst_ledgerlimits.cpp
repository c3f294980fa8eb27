// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which reason is said of a rule that was not checked, where there are several.
#include "core/attach/judge/ledgerlimits.h"

#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <algorithm>
#include <cerrno>
#include <set>

using namespace jetscope;

class LedgerLimitsTest : public QObject {
    Q_OBJECT

private slots:
    void saysTheStrongestReason_data();
    void saysTheStrongestReason();
    void namesEachRuleOnce();
};

void LedgerLimitsTest::saysTheStrongestReason_data()
{
    QTest::addColumn<LedgerLimits>("limits");
    QTest::addColumn<QString>("ofMemory");  // A11, of two accesses
    QTest::addColumn<QString>("ofTurns");   // A3
    QTest::addColumn<QString>("ofKernels"); // A8, never checked
    QTest::addColumn<QString>("ofReads");
    const WatchedResults all{true, 4, 0, 0};
    LedgerLimits limits;
    limits.watched = all;
    QTest::newRow("nothing seen") << limits << "no call of CUDA"
                                  << "no call of CUDA"
                                  << "no call of CUDA"
                                  << "no call of CUDA";
    limits.sawCuda = true;
    QTest::newRow("no limit") << limits << ""
                              << ""
                              << "what kernels use"
                              << "all else was checked";
    limits.watched = {};
    QTest::newRow("reads not asked for") << limits << ""
                                         << ""
                                         << "what kernels use"
                                         << "--watch-reads";
    limits.watched = {true, 0, 3, EPERM};
    QTest::newRow("reads refused") << limits << ""
                                   << ""
                                   << "what kernels use"
                                   << "perf_event_paranoid";
    limits.watched = all;
    limits.unseen.lost = 7;
    QTest::newRow("lost calls") << limits << "7 calls were lost"
                                << "7 calls were lost"
                                << "what kernels use"
                                << "all else was checked";
    limits.forgotten = true;
    QTest::newRow("forgotten") << limits << "a thousand uses"
                               << "7 calls were lost"
                               << "what kernels use"
                               << "all else was checked";
    limits.unordered = true;
    QTest::newRow("unordered") << limits << "waited for values"
                               << "7 calls were lost"
                               << "what kernels use"
                               << "all else was checked";
    limits.tooMany = true;
    QTest::newRow("too many") << limits << "too many objects"
                              << "too many objects"
                              << "too many objects"
                              << "too many objects";
    limits.turnsAreTaken = false;
    QTest::newRow("no turns") << limits << "too many objects"
                              << "does not apply"
                              << "too many objects"
                              << "too many objects";
}

void LedgerLimitsTest::saysTheStrongestReason()
{
    QFETCH(LedgerLimits, limits);
    QFETCH(QString, ofMemory);
    QFETCH(QString, ofTurns);
    QFETCH(QString, ofKernels);
    QFETCH(QString, ofReads);
    const std::vector<WasteCheck> checks = limits.checks();
    const auto says = [&](const std::string &what, const QString &words) {
        const auto check =
            std::find_if(checks.begin(), checks.end(), [&](const WasteCheck &each) { return each.what == what; });
        if (check == checks.end())
            return false;
        const QString reason = QString::fromStdString(check->reason);
        return words.isEmpty() ? reason.isEmpty() : reason.contains(words);
    };
    QVERIFY(says("hazard-A11", ofMemory));
    QVERIFY(says("hazard-A3", ofTurns));
    QVERIFY(says("hazard-A8", ofKernels));
    QVERIFY(says(kCpuReadFinding, ofReads));
}

void LedgerLimitsTest::namesEachRuleOnce()
{
    std::set<std::string> names;
    const std::vector<WasteCheck> checks = LedgerLimits().checks();
    for (const WasteCheck &check : checks)
        names.insert(check.what);
    QCOMPARE(names.size(), checks.size());
    QVERIFY(names.contains(kCpuReadFinding));
}

JETSCOPE_TEST(LedgerLimitsTest)
#include "tst_ledgerlimits.moc"

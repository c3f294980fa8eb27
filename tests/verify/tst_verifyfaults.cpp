// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The checks of `verify` against a made-up board: a good one passes, and one that breaks a documented fact fails in the
// row of that fact and in no other one. Checks run in this process; a child of them is this program.
#include "gpu/stages/stagetrial.h"
#include "gpu/verify/verifyrun.h"
#include "tests/support/fakejetson.h"
#include "tests/support/fakejetsoncamera.h"
#include "tests/support/gpufixture.h"
#include "tests/support/longrun.h"

#include <QCoreApplication>
#include <QTest>

#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <set>

using namespace jetscope;
using testing::FakeJetson;

namespace {

constexpr const char *kFaultVariable = "JETSCOPE_TEST_VERIFY_FAULT";
constexpr const char *kMisbehaviourVariable = "JETSCOPE_TEST_VERIFY_CHILD";

/// Rows that no planted fault can reach, with the reason.
const std::map<std::string, std::string> &rowsWithoutFault()
{
    static const std::map<std::string, std::string> rows = [] {
        std::map<std::string, std::string> all;
        if (!testing::FakeJetsonCamera::exists())
            all["csi.buffers"] = all["csi.stream"] = "the fake of the camera needs GStreamer";
        return all;
    }();
    return rows;
}

/// The rows that are not possible on a good board of this kind.
std::set<std::string> absentOn(FakeJetson::Board board)
{
    std::set<std::string> rows = board == FakeJetson::Board::Thor
        ? std::set<std::string>{"memory.unified-attach", "managed.host",         "managed.single",
                                "attach.global-host",    "attach.single-host",   "attach.host-global",
                                "attach.host-single",    "attach.global-single", "attach.single-global"}
        : std::set<std::string>{"managed.concurrent"};
    for (const auto &[row, reason] : rowsWithoutFault())
        rows.insert(row);
    return rows;
}

FakeJetson::Board boardOf(const std::string &fault)
{
    return fault == "managed.concurrent" ? FakeJetson::Board::Thor : FakeJetson::Board::OrinNx;
}

/// Faults beside one for each row: other ways to break the same fact. The row is what stands before the slash.
const std::vector<std::string> kMoreFaults = {"attribute.capability/chip", "memory.registered/refused",
                                              "board.rails/parts"};

std::string rowOf(const std::string &fault)
{
    return fault.substr(0, fault.find('/'));
}

/// Those whose id begins so; empty: all.
std::map<std::string, VerifyResult> runRows(std::string_view group, const std::string &fault, FakeJetson::Board board)
{
    FakeJetson jetson(fault, board);
    std::map<std::string, VerifyResult> results;
    for (const VerifyCheck &check : verifyChecks())
        if (check.id.starts_with(group))
            results.emplace(check.id, runCheck(check, jetson.world()));
    return results;
}

QString failures(const std::map<std::string, VerifyResult> &results)
{
    QStringList all;
    for (const auto &[id, result] : results)
        if (result.outcome == VerifyOutcome::Failed)
            all << QString::fromStdString(id + ": " + result.reason);
    return all.join("; ");
}

/// In a child: what it is, and how it misbehaves.
void prepareChild(VerifyWorld &world)
{
    const QByteArray misbehaviour = qgetenv(kMisbehaviourVariable);
    if (misbehaviour == "crash")
        std::raise(SIGSEGV);
    if (misbehaviour == "exit")
        _exit(3);
    if (misbehaviour == "nonsense") {
        std::cout << "{\"outcome\":\"passed\"" << std::string(100'000, 'x') << std::endl;
        _exit(0);
    }
    static FakeJetson jetson(qgetenv(kFaultVariable).toStdString());
    world = jetson.world();
    if (misbehaviour == "hang")
        world.openDevice = [](std::string_view, const auto &) -> Result<std::unique_ptr<Device>> {
            for (;;)
                pause();
        };
}

VerifyPlan childPlan()
{
    VerifyPlan plan;
    plan.deviceId = "cuda:0";
    return plan;
}

} // namespace

class TestVerifyFaults : public QObject {
    Q_OBJECT

private slots:
    void init();
    void aGoodBoardPasses_data();
    void aGoodBoardPasses();
    void onlyTheRowOfAFaultFails_data();
    void onlyTheRowOfAFaultFails();
    void everyRowSaysWhatItIs();
    void everyRowHasAFault();
    void softwareDevicesPass_data();
    void softwareDevicesPass();
    void childrenThatMisbehaveAreFailedRows_data();
    void childrenThatMisbehaveAreFailedRows();
    void aSyncThatNeverSignalsIsAFailedRow();
    void theNextRowRuns();
    void aVerificationCanBeStopped();
};

void TestVerifyFaults::init()
{
    qunsetenv(kFaultVariable);
    qunsetenv(kMisbehaviourVariable);
}

void TestVerifyFaults::aGoodBoardPasses_data()
{
    QTest::addColumn<bool>("isThor");
    QTest::newRow("Orin NX") << false;
    QTest::newRow("Thor") << true;
}

void TestVerifyFaults::aGoodBoardPasses()
{
    QFETCH(bool, isThor);
    const auto board = isThor ? FakeJetson::Board::Thor : FakeJetson::Board::OrinNx;
    const std::map<std::string, VerifyResult> results = runRows({}, {}, board);
    QCOMPARE(failures(results), QString());
    std::set<std::string> absent;
    for (const auto &[id, result] : results)
        if (result.outcome == VerifyOutcome::NotPossible)
            absent.insert(id);
    QVERIFY2(absent == absentOn(board), absent.empty() ? "" : absent.begin()->c_str());
}

void TestVerifyFaults::onlyTheRowOfAFaultFails_data()
{
    QTest::addColumn<QString>("fault");
    for (const VerifyCheck &check : verifyChecks())
        if (const std::string id(check.id); rowsWithoutFault().count(id) == 0)
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
    for (const std::string &fault : kMoreFaults)
        QTest::newRow(fault.c_str()) << QString::fromStdString(fault);
}

void TestVerifyFaults::onlyTheRowOfAFaultFails()
{
    QFETCH(QString, fault);
    const std::string name = fault.toStdString();
    // Every fault is planted in every run; whether rows of other groups stay silent takes minutes.
    const std::string group = testing::isLongRun() ? std::string() : name.substr(0, name.find('.') + 1);
    const std::map<std::string, VerifyResult> results = runRows(group, name, boardOf(name));
    QVERIFY(results.count(rowOf(name)) == 1);
    for (const auto &[id, result] : results) {
        const bool isPlanted = id == rowOf(name);
        QVERIFY2((result.outcome == VerifyOutcome::Failed) == isPlanted,
                 (id + ": " + std::string(nameOf(result.outcome)) + ": " + result.reason).c_str());
    }
}

void TestVerifyFaults::everyRowSaysWhatItIs()
{
    std::set<std::string> ids;
    for (const VerifyCheck &check : verifyChecks()) {
        QVERIFY2(ids.insert(std::string(check.id)).second, check.id.data());
        for (const std::string_view text : {check.proves, check.document, check.says, check.fails}) {
            QVERIFY2(text.size() > 3, check.id.data());
            QVERIFY2(text.back() != '.', check.id.data());
        }
        QVERIFY(check.limit.count() > 0);
    }
}

void TestVerifyFaults::everyRowHasAFault()
{
    // Each row has a fault under its own name, which onlyTheRowOfAFaultFails plants, or a stated reason.
    std::set<std::string> ids;
    for (const VerifyCheck &check : verifyChecks())
        ids.insert(std::string(check.id));
    for (const auto &[row, reason] : rowsWithoutFault()) {
        QVERIFY2(ids.count(row) == 1, row.c_str());
        QVERIFY(!reason.empty());
    }
    for (const std::string &fault : kMoreFaults)
        QVERIFY2(ids.count(rowOf(fault)) == 1, fault.c_str());
}

void TestVerifyFaults::softwareDevicesPass_data()
{
    testing::addDeviceRows(testing::usableDevices());
}

void TestVerifyFaults::softwareDevicesPass()
{
    QFETCH(QString, device);
    VerifyWorld world;
    world.deviceId = device.toStdString();
    world.root = "/there/is/no/board";
    int passes = 0;
    for (const VerifyCheck &check : verifyChecks()) {
        const bool usesTools = check.id.starts_with("vpi") || check.id.starts_with("dla");
        if (usesTools) // Those of the made-up board are this process's.
            continue;
        const VerifyResult result = runCheck(check, world);
        QVERIFY2(result.outcome != VerifyOutcome::Failed, (std::string(check.id) + ": " + result.reason).c_str());
        QCOMPARE(result.reason.empty(), result.outcome == VerifyOutcome::Passed);
        passes += result.outcome == VerifyOutcome::Passed ? 1 : 0;
    }
    QVERIFY2(passes >= 15, qPrintable(QString::number(passes)));
}

void TestVerifyFaults::childrenThatMisbehaveAreFailedRows_data()
{
    QTest::addColumn<QByteArray>("misbehaviour");
    QTest::addColumn<QString>("says");
    QTest::newRow("crash") << QByteArray("crash") << "it crashed (Segmentation fault)";
    QTest::newRow("hang") << QByteArray("hang") << "it did not end within 1500 ms";
    QTest::newRow("nonsense") << QByteArray("nonsense") << "its process gave no result, but";
    QTest::newRow("exit") << QByteArray("exit") << "exit code 3";
}

void TestVerifyFaults::childrenThatMisbehaveAreFailedRows()
{
    QFETCH(QByteArray, misbehaviour);
    QFETCH(QString, says);
    qputenv(kMisbehaviourVariable, misbehaviour);
    VerifyPlan plan = childPlan();
    plan.limit = misbehaviour == "hang" ? std::chrono::milliseconds(1500) : std::chrono::milliseconds(60'000);
    const VerifyRow row = verifyOne(plan, *verifyCheck("filters.bytes"));
    QCOMPARE(row.result.outcome, VerifyOutcome::Failed);
    QVERIFY2(QString::fromStdString(row.result.reason).contains(says), row.result.reason.c_str());
    QCOMPARE(row.id, std::string("filters.bytes"));
    QVERIFY(!row.document.empty());
}

void TestVerifyFaults::aSyncThatNeverSignalsIsAFailedRow()
{
    qputenv(kFaultVariable, "sync.device-to-gl/never");
    VerifyPlan plan = childPlan();
    plan.limit = std::chrono::milliseconds(4000);
    const VerifyRow row = verifyOne(plan, *verifyCheck("sync.device-to-gl"));
    QCOMPARE(row.result.outcome, VerifyOutcome::Failed);
    QVERIFY2(QString::fromStdString(row.result.reason).contains("did not end"), row.result.reason.c_str());
}

void TestVerifyFaults::theNextRowRuns()
{
    qputenv(kFaultVariable, "filters.bytes");
    const VerifyRow broken = verifyOne(childPlan(), *verifyCheck("filters.bytes"));
    QCOMPARE(broken.result.outcome, VerifyOutcome::Failed);
    const VerifyRow good = verifyOne(childPlan(), *verifyCheck("formats.bytes"));
    QVERIFY2(good.result.outcome == VerifyOutcome::Passed, good.result.reason.c_str());
    QVERIFY(good.result.facts.size() > 9);
    QVERIFY(good.seconds > 0);
}

void TestVerifyFaults::aVerificationCanBeStopped()
{
    std::stop_source stop;
    std::size_t begun = 0;
    std::size_t ended = 0;
    const VerifyReport report = verifyMachine(childPlan(), stop.get_token(),
                                              {[&](const VerifyCheck &, std::size_t index, std::size_t count) {
                                                   ++begun;
                                                   QVERIFY(index < count);
                                                   if (index == 2)
                                                       stop.request_stop();
                                               },
                                               [&](const VerifyRow &row, std::size_t index, std::size_t) {
                                                   ++ended;
                                                   QCOMPARE(row.id, std::string(verifyChecks()[index].id));
                                               }});
    QCOMPARE(begun, std::size_t(3));
    QCOMPARE(ended, std::size_t(2));
    QCOMPARE(report.rows.size(), std::size_t(2));
    QVERIFY(QString::fromStdString(report.machine.device).startsWith("cuda:0, software iGPU"));
}

int main(int argc, char **argv)
{
    if (const std::optional<int> child = cuptiTrialIfAsked(argc, argv))
        return *child;
    if (const std::optional<int> child = stageTrialIfAsked(argc, argv))
        return *child;
    if (const std::optional<int> row = verifyRowIfAsked(argc, argv, prepareChild))
        return *row;
    QCoreApplication application(argc, argv);
    TestVerifyFaults test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_verifyfaults.moc"

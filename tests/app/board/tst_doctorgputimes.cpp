// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Output of `jetscope doctor` about the sources of GPU times, and a check that the real program tries CUPTI.
#include "app/board/machinereport.h"
#include "tests/app/jsonlines.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTest>

using namespace jetscope;

namespace {

std::vector<DeviceCandidate> machine(const Capability &first, const Capability &second)
{
    return {{"cuda:0", "one", first}, {"cuda:1", "two", second}, {"soft:orin", "soft", Capability::yes()}};
}

/// Doctor's text in one line.
QString said(const MachineReport &report)
{
    return QString::fromStdString(doctorText(report)).simplified();
}

QJsonObject cuptiOf(const MachineReport &report)
{
    return printed(doctorJson(report))["gpu_times"].toObject()["cupti"].toObject();
}

} // namespace

class TestDoctorGpuTimes : public QObject {
    Q_OBJECT

private slots:
    void available();
    void unavailable();
    void theCompilerOfOwnKernels();
    void theModesOfTheDla();
    void theBestCudaDeviceIsTried_data();
    void theBestCudaDeviceIsTried();
    void thisMachine();
    void theProgramMakesTheTrial();
};

void TestDoctorGpuTimes::available()
{
    MachineReport report;
    report.gpuTimes = {"cuda:1",
                       {Capability::yes(), "/cuda/libcupti.so.13", "13.0 (130001)", {"copies are not recorded: why"}}};
    QVERIFY2(
        said(report).contains(
            "GPU times CUPTI: available, version 13.0 (130001), /cuda/libcupti.so.13 copies are not recorded: why"),
        qPrintable(said(report)));
    const QJsonObject cupti = cuptiOf(report);
    QCOMPARE(cupti["available"].toBool(), true);
    QVERIFY(cupti["reason"].isNull());
    QCOMPARE(cupti["device"].toString(), QString("cuda:1"));
    QCOMPARE(cupti["version"].toString(), QString("13.0 (130001)"));
    QCOMPARE(cupti["library"].toString(), QString("/cuda/libcupti.so.13"));
    QCOMPARE(cupti["remarks"].toArray().size(), 1);
}

void TestDoctorGpuTimes::unavailable()
{
    MachineReport report;
    report.gpuTimes = {"cuda:0",
                       {Capability::no("the CUPTI trial crashed (signal 11)"), "/cuda/libcupti.so.13", {}, {}}};
    QVERIFY2(said(report).contains("GPU times CUPTI: unavailable: the CUPTI trial crashed (signal 11)"),
             qPrintable(said(report)));
    const QJsonObject cupti = cuptiOf(report);
    QCOMPARE(cupti["available"].toBool(true), false);
    QCOMPARE(cupti["reason"].toString(), QString("the CUPTI trial crashed (signal 11)"));
    QVERIFY(cupti["version"].isNull());
}

void TestDoctorGpuTimes::theCompilerOfOwnKernels()
{
    MachineReport report;
    report.kernelCompiler = {Capability::yes(), "13.0", "/cuda/libnvrtc.so.13"};
    QVERIFY(said(report).contains("Own kernels NVRTC: available, version 13.0, /cuda/libnvrtc.so.13"));
    const QJsonObject found = printed(doctorJson(report))["kernel_compiler"].toObject();
    QCOMPARE(found["version"].toString(), QString("13.0"));
    report.kernelCompiler = {Capability::no("libnvrtc was not found"), {}, {}};
    QVERIFY(said(report).contains("Own kernels NVRTC: unavailable: libnvrtc was not found"));
    QCOMPARE(printed(doctorJson(report))["kernel_compiler"].toObject()["available"].toBool(true), false);
}

void TestDoctorGpuTimes::theModesOfTheDla()
{
    MachineReport report;
    report.dla = {"1.2.1", 2, Capability::yes(), Capability::no("libnvscibuf.so.1 was not found")};
    QVERIFY2(said(report).contains(
                 "DLA cuDLA 1.2.1, DLAs: 2 hybrid mode: its library is there; not tried, and not verified on hardware "
                 "standalone mode: unavailable: libnvscibuf.so.1 was not found"),
             qPrintable(said(report)));
    const QJsonObject found = printed(doctorJson(report))["dla"].toObject();
    QCOMPARE(found["engines"].toInt(), 2);
    QCOMPARE(found["hybrid"].toObject()["available"].toBool(), true);
    QCOMPARE(found["standalone"].toObject()["reason"].toString(), QString("libnvscibuf.so.1 was not found"));
    report.dla = {{}, 0, Capability::no("libcudla.so was not found"), Capability::no("libcudla.so was not found")};
    QVERIFY(said(report).contains("DLA cuDLA: unavailable: libcudla.so was not found"));
    QVERIFY(printed(doctorJson(report))["dla"].toObject()["version"].isNull());
}

void TestDoctorGpuTimes::theBestCudaDeviceIsTried_data()
{
    QTest::addColumn<bool>("first");
    QTest::addColumn<bool>("second");
    QTest::addColumn<int>("tried");
    QTest::addColumn<QString>("reason");
    QTest::newRow("both") << true << true << 0 << "";
    QTest::newRow("the second") << false << true << 1 << "";
    QTest::newRow("none") << false << false << -1 << "cuda:0 cannot be used: broken";
}

void TestDoctorGpuTimes::theBestCudaDeviceIsTried()
{
    QFETCH(bool, first);
    QFETCH(bool, second);
    QFETCH(int, tried);
    QFETCH(QString, reason);
    const auto capability = [](bool usable) { return usable ? Capability::yes() : Capability::no("broken"); };
    int ordinal = -1;
    const GpuTimesReport report = examineGpuTimes(machine(capability(first), capability(second)), [&](int asked) {
        ordinal = asked;
        CuptiOutcome outcome;
        outcome.usable = Capability::yes();
        return outcome;
    });
    QCOMPARE(ordinal, tried);
    QCOMPARE(QString::fromStdString(report.device), tried < 0 ? QString() : QString("cuda:%1").arg(tried));
    QCOMPARE(report.cupti.usable.available, tried >= 0);
    QCOMPARE(QString::fromStdString(report.cupti.usable.reason), reason);
}

void TestDoctorGpuTimes::thisMachine()
{
    bool asked = false;
    const MachineReport report = examineMachine({}, [&](int) {
        asked = true;
        CuptiOutcome outcome;
        outcome.usable = Capability::no("asked");
        return outcome;
    });
    const bool hasCuda = bestDeviceId().rfind("cuda:", 0) == 0;
    QCOMPARE(asked, hasCuda);
    QCOMPARE(report.gpuTimes.cupti.usable.reason == "asked", hasCuda);
    QVERIFY(!report.gpuTimes.cupti.usable.reason.empty());
}

void TestDoctorGpuTimes::theProgramMakesTheTrial()
{
    CuptiTrial::Plan plan;
    plan.command = {JETSCOPE_PROGRAM, "--cupti-trial"};
    plan.libraries = {JETSCOPE_FAKE_CUPTI};
    plan.driver = JETSCOPE_FAKE_CUPTI;
    const CuptiOutcome outcome = CuptiTrial(plan).wait();
    QVERIFY2(outcome.usable.available, outcome.usable.reason.c_str());
    QCOMPARE(outcome.version, std::string("13.0 (130000)"));
}

JETSCOPE_TEST(TestDoctorGpuTimes)
#include "tst_doctorgputimes.moc"

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/board/machinesampler.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <map>

using namespace jetscope;
using testing::BoardTree;

namespace {

std::string libraryPath()
{
    return JETSCOPE_FAKE_NVML_LIBRARY;
}

/// Values by name; the reason in place of an unknown one.
std::map<std::string, std::string> valuesOf(MachineSampler &sampler, bool details = true)
{
    const BoardState &state = sampler.sample(1'000'000'000, details);
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < sampler.items().size(); ++i)
        values[sampler.items()[i].name] = state.values[i].known()
            ? QString::number(*state.values[i].value, 'g', 12).toStdString()
            : state.values[i].reason;
    return values;
}

} // namespace

class TestMachineSampler : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { qunsetenv("JETSCOPE_FAKE_NVML"); }
    void readsADiscreteGpu();
    void gpusMayBeLeftOut();
    void furtherGpusAreDetails();
    void saysWhatLimitsTheClocks();
    void saysWhyThereIsNoNvml();
    void valuesThatAGpuLacksAreUnknown();
    void completesTheLoadOfThor();
};

void TestMachineSampler::readsADiscreteGpu()
{
    const BoardTree tree;
    MachineSampler sampler(tree.root(), libraryPath());
    QCOMPARE(sampler.nvmlReason(), std::string());
    const auto values = valuesOf(sampler);
    QCOMPARE(values.at("GPU load"), std::string("37"));
    QCOMPARE(values.at("GPU clock"), std::string("1500000000"));
    QCOMPARE(values.at("GPU memory clock"), std::string("2619000000"));
    QCOMPARE(values.at("GPU memory used"), std::string("1000000000"));
    QCOMPARE(values.at("temperature GPU"), std::string("41"));
    QCOMPARE(values.at("power GPU"), std::string("123.4"));
    QCOMPARE(values.at("GPU throttling"), std::string("0"));
    QCOMPARE(values.at("GPU power cap"), std::string("0"));
    QCOMPARE(sampler.layout().find("GPU clock")->most, 1.98e9);
}

/// While a software device works, the power of a GPU says nothing about the frames.
void TestMachineSampler::gpusMayBeLeftOut()
{
    const BoardTree tree;
    MachineSampler sampler(tree.root(), libraryPath());
    const BoardLayout &layout = sampler.layout();
    const auto index = static_cast<std::size_t>(layout.find("power GPU") - layout.items.data());
    QVERIFY(sampler.sample(1'000'000'000).values[index].known());
    QVERIFY(!sampler.sample(2'000'000'000, true, false).values[index].known());
    QVERIFY(sampler.sample(3'000'000'000).values[index].known());
}

void TestMachineSampler::furtherGpusAreDetails()
{
    qputenv("JETSCOPE_FAKE_NVML", "two");
    const BoardTree tree;
    MachineSampler sampler(tree.root(), libraryPath());
    QVERIFY(sampler.layout().find("GPU 1 clock")->detail);
    QVERIFY(!sampler.layout().find("GPU clock")->detail);
    QCOMPARE(valuesOf(sampler, false).at("GPU 1 clock"), std::string("it was not read yet"));
    QCOMPARE(valuesOf(sampler, true).at("GPU 1 clock"), std::string("1501000000"));
    // CUDA works on the second one.
    sampler.putFirst("0000:41:00.0");
    QCOMPARE(valuesOf(sampler, true).at("GPU clock"), std::string("1501000000"));
    QCOMPARE(valuesOf(sampler, true).at("GPU 1 clock"), std::string("1500000000"));
    sampler.putFirst("0000:99:00.0");
    QCOMPARE(valuesOf(sampler, true).at("GPU clock"), std::string("1501000000"));
}

void TestMachineSampler::saysWhatLimitsTheClocks()
{
    const BoardTree tree;
    MachineSampler sampler(tree.root(), libraryPath());
    QVERIFY(sampler.sample(1).limits.empty());
    qputenv("JETSCOPE_FAKE_NVML", "limited");
    const BoardState &state = sampler.sample(2);
    QCOMPARE(state.limits, (std::vector<std::string>{"GPU throttling", "GPU power cap"}));
}

void TestMachineSampler::saysWhyThereIsNoNvml()
{
    const BoardTree tree;
    QVERIFY(MachineSampler(tree.root(), "libthereisnosuchlibrary.so").nvmlReason().starts_with("there is no NVML"));
    qputenv("JETSCOPE_FAKE_NVML", "absent");
    QCOMPARE(MachineSampler(tree.root(), libraryPath()).nvmlReason(),
             std::string("NVML does not start: Driver Not Loaded"));
    const MachineSampler software(tree.root(), MachineSampler::WithoutNvml{});
    QVERIFY(software.nvmlReason().starts_with("the GPUs of NVML do not work on these frames"));
    QCOMPARE(software.items().size(), findBoardLayout(tree.root()).items.size());
    const MachineSampler other(tree.root());
    QVERIFY2(other.nvmlReason().find("of this machine, not") != std::string::npos, other.nvmlReason().c_str());
    QVERIFY(NvmlApi::load("libc.so.6").error().text.find("nvmlInit_v2") != std::string::npos);
}

void TestMachineSampler::valuesThatAGpuLacksAreUnknown()
{
    qputenv("JETSCOPE_FAKE_NVML", "old");
    const BoardTree tree;
    MachineSampler sampler(tree.root(), libraryPath());
    QCOMPARE(valuesOf(sampler).at("power GPU"), std::string("NVML: Not Supported"));
}

/// Where the kernel knows a value, it stays the kernel's.
void TestMachineSampler::completesTheLoadOfThor()
{
    const BoardTree tree(testing::boardExamples()[4]);
    MachineSampler sampler(tree.root(), libraryPath());
    const auto values = valuesOf(sampler);
    QCOMPARE(values.at("GPU load"), std::string("37"));
    QCOMPARE(values.at("GPU clock"), std::string("1575000000"));
    QVERIFY(values.count("GPU load 2") == 0);
}

JETSCOPE_TEST(TestMachineSampler)
#include "tst_machinesampler.moc"

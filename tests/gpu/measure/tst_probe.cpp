// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The measurements of a probe on the software iGPU, with planted costs and failures.
#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/memorywalk.h"
#include "core/measure/probe/probefindings.h"
#include "core/measure/probe/probejson.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/measure/experiments.h"
#include "gpu/measure/probesteps.h"

#include "tests/support/gpufixture.h"
#include "tests/support/testprogram.h"

#include <cstring>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

/// Reads pinned memory by the device as slowly as if it were uncached, and can be lost.
class PlantedDevice final : public ForwardingDevice {
public:
    explicit PlantedDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    int factor = 1;        ///< How much slower reads of zero-copy memory are.
    int launchesLeft = -1; ///< Until the device is lost; negative for never.

    Status readMemory(const BufferRange &memory, int passes, Stream &stream) override
    {
        if (launchesLeft == 0)
            return Error{"cudaLaunchKernel", 719, "the device is lost"};
        launchesLeft -= launchesLeft > 0 ? 1 : 0;
        const bool slow = memory.buffer->allocation() == Allocation::PinnedMapped;
        return ForwardingDevice::readMemory(memory, slow ? passes * factor : passes, stream);
    }
    bool isLost() override { return launchesLeft == 0; }
};

constexpr int kSide = 1024;     ///< Of the frames, in pixels: enough to tell memory from caches.
constexpr int kSmallSide = 256; ///< Where figures only have to be there.

/// A probe or an experiment with its device.
struct Measured {
    std::unique_ptr<PlantedDevice> device;
    std::unique_ptr<ProbeBench> bench;

    bool open(const std::string &id, int side = kSide)
    {
        Result<std::unique_ptr<Device>> opened = openDevice(id, displayOf(id));
        if (!opened.ok())
            return false;
        device = std::make_unique<PlantedDevice>(std::move(opened).value());
        Result<std::unique_ptr<ProbeBench>> made = ProbeBench::create(*device, displayOf(id), side, side);
        if (!made.ok())
            return false;
        bench = std::move(made).value();
        return true;
    }

    Rounds run(std::vector<RoundStep> steps, std::size_t most) const
    {
        RoundsMethod method;
        method.most = most;
        Rounds rounds(std::move(steps), method);
        while (!rounds.isOver()) {
            rounds.step();
            if (rounds.lastError() && device->isLost())
                rounds.stop("the device was lost: " + rounds.lastError()->message());
        }
        return rounds;
    }
};

} // namespace

class TestProbe : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data();
    void everyRowIsMeasuredOrSaysWhyNot();
    void noRateIsBeyondWhatTheMachineCanDo();
    void plantedCostsAreFoundAndAdvised();
    void aLostDeviceEndsItWithReasons();
    void theWaitPolicyIsAsBefore();
    void managedMemoryIsNeverMoreThanAFrame();
    void everyExperimentGivesFiguresOrAReason();
    void onlyReachableMemoryIsRead();
    void anUnknownKindOfMemoryIsNotMeasured();
};

void TestProbe::initTestCase_data()
{
    addDeviceRows(representativeDevices());
}

void TestProbe::everyRowIsMeasuredOrSaysWhyNot()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString(), testing::isLongRun() ? kSide : kSmallSide));
    const Rounds rounds = measured.run(probeSteps(*measured.bench), 4);
    const ProbeTable table = probeTable(*measured.bench, rounds);
    std::size_t known = 0;
    for (const std::string &key : probeKeys()) {
        const auto row = table.figures.find(key);
        QVERIFY2(row != table.figures.end(), key.c_str());
        if (row->second.known()) {
            ++known;
            QVERIFY2(row->second.estimate.value > 0, key.c_str());
        } else {
            QVERIFY2(!row->second.unavailable.empty(), key.c_str());
        }
    }
    QVERIFY(known > probeKeys().size() / 2);
    for (const char *key : {"pageable.cpu_read", "launch", "launch_sync_block", "event_to_cpu", "host_function"})
        QVERIFY2(table.find(key), key);
    const Result<ProbeTable> read = probeOf(probeJson(table));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
}

/// A loop that the compiler dropped would be hundreds of times too fast.
void TestProbe::noRateIsBeyondWhatTheMachineCanDo()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString()));
    const Rounds rounds = measured.run(memorySteps(*measured.bench), 4);
    const ProbeTable table = probeTable(*measured.bench, rounds);
    const std::size_t bytes = 64 << 10U; // Within the caches: the fastest copy that there is.
    std::vector<std::byte> from(bytes, std::byte{1});
    std::vector<std::byte> to(bytes);
    double best = 0;
    for (int i = 0; i < 200; ++i) {
        const std::int64_t begin = nowNs();
        std::memcpy(to.data(), from.data(), bytes);
        from[0] = to[bytes - 1];
        best = std::max(best,
                        static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(1, nowNs() - begin)));
    }
    for (const char *access : {"cpu_write", "cpu_read", "cpu_reread"}) {
        const ProbeFigure *figure = table.find(memoryKey("pageable", access));
        QVERIFY(figure);
        QVERIFY2(figure->estimate.value < 4 * best, access);
    }
}

void TestProbe::plantedCostsAreFoundAndAdvised()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString()));
    measured.device->factor = 8;
    std::vector<RoundStep> steps = memorySteps(*measured.bench);
    for (RoundStep &step : copySteps(*measured.bench))
        steps.push_back(std::move(step));
    const Rounds rounds = measured.run(std::move(steps), 8);
    const ProbeTable table = probeTable(*measured.bench, rounds);
    const ProbeFigure *slow = table.find("zero-copy.gpu_reread");
    const ProbeFigure *quick = table.find("registered.gpu_reread");
    if (!slow || !quick)
        QSKIP("this device does not have both kinds of memory");
    const double ratio = quick->estimate.value / slow->estimate.value;
    // Other programs interrupt the long reads, not the short ones.
    QVERIFY2(ratio > 4 && ratio < 32, qPrintable(QString::number(ratio)));
    const BoardAdvice advice = adviseMemory(table.device, table, {kSide, kSide, 0, 8});
    QVERIFY(advice.ranked.size() >= 2);
    const auto place = [&advice](MemoryKind memory) {
        return std::find_if(advice.ranked.begin(), advice.ranked.end(),
                            [memory](const PredictedChoice &choice) { return choice.memory == memory; });
    };
    QVERIFY(place(MemoryKind::Registered) < place(MemoryKind::ZeroCopy));
    QVERIFY(!place(MemoryKind::ZeroCopy)->ties);
}

void TestProbe::aLostDeviceEndsItWithReasons()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString()));
    std::vector<RoundStep> steps = memorySteps(*measured.bench);
    measured.device->launchesLeft = 6;
    const Rounds rounds = measured.run(std::move(steps), 4);
    QVERIFY(!rounds.isEnough());
    const ProbeTable table = probeTable(*measured.bench, rounds);
    for (const auto &[key, figure] : table.figures)
        QVERIFY2(!figure.known() && !figure.unavailable.empty(), key.c_str());
    QVERIFY(std::any_of(table.figures.begin(), table.figures.end(),
                        [](const auto &row) { return row.second.unavailable.find("lost") != std::string::npos; }));
}

void TestProbe::theWaitPolicyIsAsBefore()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString()));
    measured.bench.reset();
    QVERIFY(measured.device->setWaitPolicy(WaitPolicy::Yield).ok());
    const WaitPolicy before = measured.device->waitPolicy();
    Result<std::unique_ptr<ProbeBench>> bench =
        ProbeBench::create(*measured.device, displayOf(device.toStdString()), 64, 64);
    QVERIFY(bench.ok());
    measured.bench = std::move(bench).value();
    QVERIFY(measured.device->waitPolicy() != before);
    static_cast<void>(measured.run(callSteps(*measured.bench), 1));
    measured.bench.reset();
    QCOMPARE(measured.device->waitPolicy(), before);
}

void TestProbe::managedMemoryIsNeverMoreThanAFrame()
{
    QFETCH_GLOBAL(QString, device);
    /// Counts living managed memory by its observers.
    class Counting final : public ForwardingDevice {
    public:
        struct Bytes final : HandleObserver {
            std::map<const void *, std::size_t> living;
            std::size_t most = 0;
            void destroyed(const void *handle) override { living.erase(handle); }
            void add(const void *handle, std::size_t bytes)
            {
                living[handle] = bytes;
                std::size_t sum = 0;
                for (const auto &[other, size] : living)
                    sum += size;
                most = std::max(most, sum);
            }
        };
        explicit Counting(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}
        Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override
        {
            Result<std::unique_ptr<Buffer>> buffer = ForwardingDevice::allocate(kind, bytes);
            if (buffer.ok() && kind == Allocation::Managed) {
                counted->add(buffer.value().get(), bytes);
                buffer.value()->watch(counted);
            }
            return buffer;
        }
        std::shared_ptr<Bytes> counted = std::make_shared<Bytes>();
    };
    const std::string id = device.toStdString();
    Result<std::unique_ptr<Device>> opened = openDevice(id, displayOf(id));
    QVERIFY(opened.ok());
    Counting counting(std::move(opened).value());
    const Result<std::unique_ptr<ProbeBench>> bench = ProbeBench::create(counting, displayOf(id), 256, 256);
    QVERIFY(bench.ok());
    std::vector<RoundStep> steps = memorySteps(*bench.value());
    for (RoundStep &step : callSteps(*bench.value()))
        steps.push_back(std::move(step));
    RoundsMethod method;
    method.most = 1;
    Rounds rounds(std::move(steps), method);
    while (!rounds.isOver())
        rounds.step();
    QVERIFY(counting.counted->most > 0 || !counting.facts().managedMemory.available);
    QVERIFY2(counting.counted->most <= bench.value()->frameBytes(),
             qPrintable(QString::number(counting.counted->most)));
}

void TestProbe::everyExperimentGivesFiguresOrAReason()
{
    QFETCH_GLOBAL(QString, device);
    for (const ExperimentInfo &info : experimentTable()) {
        if (info.name == "sync-calls" && !testing::isLongRun())
            continue; // A round of it takes longer than those of all others.
        Measured measured;
        QVERIFY(measured.open(device.toStdString(), testing::isLongRun() ? kSide : kSmallSide));
        Result<PreparedExperiment> prepared = prepareExperiment(info, *measured.bench);
        if (!prepared.ok()) {
            QVERIFY(!prepared.error().text.empty());
            continue;
        }
        const Rounds rounds = measured.run(std::move(prepared.value().steps), 1);
        const ExperimentResult result = experimentResult(info, "test", std::move(prepared.value().design), rounds);
        std::size_t known = 0;
        for (const std::vector<RoundSeries> &variant : result.figures)
            for (const RoundSeries &series : variant) {
                known += series.count() > 0 ? 1 : 0;
                QVERIFY2(series.count() > 0 || !series.failure.empty(), info.name.data());
            }
        QVERIFY2(known >= 2, info.name.data());
        for (const ExperimentConclusion &conclusion : concludeExperiment(result))
            QVERIFY(conclusion.text.starts_with("Too few rounds")); // One round is no basis.
    }
}

void TestProbe::onlyReachableMemoryIsRead()
{
    QFETCH_GLOBAL(QString, device);
    const std::string id = device.toStdString();
    Result<std::unique_ptr<Device>> opened = openDevice(id, displayOf(id));
    QVERIFY(opened.ok());
    Device &plain = *opened.value();
    const std::unique_ptr<Stream> stream = plain.createStream().value();
    Result<std::unique_ptr<Buffer>> pageable = plain.allocate(Allocation::Pageable, 4096);
    JETSCOPE_VERIFY(pageable);
    QVERIFY(!plain.readMemory(wholeOf(*pageable.value()), 1, *stream).ok()); // The device has no address for it.
    Result<std::unique_ptr<Buffer>> own = plain.allocate(Allocation::Device, 4096);
    JETSCOPE_VERIFY(own);
    QVERIFY(!plain.readMemory({own.value().get(), 4000, 200}, 1, *stream).ok());
    JETSCOPE_VERIFY(plain.readMemory(wholeOf(*own.value()), 2, *stream));
    JETSCOPE_VERIFY(plain.synchronize(*stream));
}

void TestProbe::anUnknownKindOfMemoryIsNotMeasured()
{
    QFETCH_GLOBAL(QString, device);
    Measured measured;
    QVERIFY(measured.open(device.toStdString()));
    JETSCOPE_VERIFY(MeasuredMemory::create(*measured.bench, "pageable", 4096));
    QVERIFY(!MeasuredMemory::create(*measured.bench, "drum", 4096).ok());
}

JETSCOPE_TEST(TestProbe)
#include "tst_probe.moc"

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments about VPI beside CUDA: managed memory, the order of work in a shared stream, and waits. They call the
// CUDA driver, because VPI wraps its streams and memory. Not verified on hardware.
#include "gpu/measure/experiments.h"

#include "core/figures/averages.h"
#include "gpu/measure/vpiscene.h"

#include <vector>

namespace jetscope {

namespace {

constexpr double kMicroNs = 1000;
constexpr int kTurnsInRound = 5;
constexpr int kCallsInRow = 20;

double microsSince(std::int64_t beginNs)
{
    return static_cast<double>(nowNs() - beginNs) / kMicroNs;
}

/// Appends the step of a variant with two times of each turn: a part of it and the whole.
void addTurns(PreparedExperiment &to, std::function<Result<std::pair<double, double>>()> turn)
{
    addStep(to, [turn = std::move(turn)]() -> Result<std::vector<double>> {
        std::vector<double> parts;
        std::vector<double> wholes;
        for (int i = 0; i < kTurnsInRound; ++i) {
            JETSCOPE_TRY_ASSIGN(const auto times, turn());
            parts.push_back(times.first);
            wholes.push_back(times.second);
        }
        return std::vector{medianOf(parts), medianOf(wholes)};
    });
}

constexpr ComparisonMethod kVpiTime{.least = 0.02};

/// What stands around VPI's work where the CPU reads its output.
enum class Sharing { Copied, Global, Attached };

Result<std::pair<double, double>> sharedTurn(VpiScene &scene, Sharing sharing, std::size_t output)
{
    JETSCOPE_TRY(scene.use());
    const std::size_t picture = scene.nextPicture(output);
    const std::int64_t begin = nowNs();
    if (sharing == Sharing::Attached) { // VPI uses the memory as CUDA memory: the GPU must reach it meanwhile.
        JETSCOPE_TRY(scene.attach(output, driver::kAttachGlobal));
        JETSCOPE_TRY(scene.waitForStream());
    }
    const std::int64_t submitted = nowNs();
    JETSCOPE_TRY(scene.blur(picture, output));
    JETSCOPE_TRY(scene.waitForVpi());
    const double work = microsSince(submitted);
    if (sharing == Sharing::Copied) {
        JETSCOPE_TRY(scene.compareOnDevice(output, picture));
        return std::pair(work, microsSince(begin));
    }
    if (sharing == Sharing::Attached) {
        JETSCOPE_TRY(scene.attach(output, driver::kAttachHost));
        JETSCOPE_TRY(scene.waitForStream());
    } else {
        JETSCOPE_TRY(scene.waitForAll()); // Global memory is the CPU's when no kernel runs at all.
    }
    JETSCOPE_TRY(scene.compareManaged(output, picture));
    return std::pair(work, microsSince(begin));
}

enum class Ordering { Synchronized, HostFunction, CudaHostFunction };

Status submitCopy(VpiScene &scene, Ordering ordering, VpiLateCopy &copy)
{
    const vpi::Functions &f = scene.library().functions();
    switch (ordering) {
    case Ordering::Synchronized:
        JETSCOPE_TRY(scene.waitForVpi());
        VpiLateCopy::submit(&copy);
        return {};
    case Ordering::HostFunction:
        return scene.library().check("vpiSubmitHostFunction",
                                     f.submitHostFunction(scene.vpiStream(), &VpiLateCopy::submit, &copy));
    case Ordering::CudaHostFunction:
        break;
    }
    if (!f.submitCudaHostFunction)
        return sentence("VPI " + scene.library().version() + " has no vpiSubmitCUDAHostFunction, which came with 4.1");
    return scene.library().check("vpiSubmitCUDAHostFunction",
                                 f.submitCudaHostFunction(scene.vpiStream(), &VpiLateCopy::submitInStream, &copy));
}

Result<std::pair<double, double>> orderedTurn(VpiScene &scene, Ordering ordering, std::size_t blurred,
                                              std::size_t copied)
{
    JETSCOPE_TRY(scene.use());
    const std::size_t picture = scene.nextPicture(blurred);
    VpiLateCopy &copy = scene.addLateCopy(blurred, copied);
    const std::int64_t begin = nowNs();
    JETSCOPE_TRY(scene.blur(picture, blurred));
    const Status submitted = submitCopy(scene, ordering, copy);
    const double held = microsSince(begin);
    JETSCOPE_TRY(scene.waitForVpi()); // Also after an error: VPI's work uses the pictures.
    JETSCOPE_TRY(submitted);
    JETSCOPE_TRY(scene.waitForStream());
    const double whole = microsSince(begin);
    if (copy.code != 0)
        return Error{"cuMemcpy2DAsync", copy.code, "CUDA refuses the copy behind VPI's work"};
    JETSCOPE_TRY(scene.compareOnDevice(copied, picture));
    return std::pair(held, whole);
}

/// The pictures take turns in each call, too. The last one is another than that of the turn before.
Result<double> timePerCall(VpiScene &scene, std::size_t output, int callsBeforeWait, bool countsWait)
{
    JETSCOPE_TRY(scene.use());
    const std::size_t last = scene.nextPicture(output);
    const std::int64_t begin = nowNs();
    for (int call = 1; call <= kCallsInRow; ++call) {
        const bool isAsLast = (kCallsInRow - call) % 2 == 0;
        JETSCOPE_TRY(scene.blur(isAsLast ? last : 1 - last, output));
        if (countsWait && call % callsBeforeWait == 0)
            JETSCOPE_TRY(scene.waitForVpi());
    }
    const double micros = microsSince(begin);
    JETSCOPE_TRY(scene.waitForVpi());
    JETSCOPE_TRY(scene.compareOnDevice(output, last));
    return micros / kCallsInRow;
}

} // namespace

Result<PreparedExperiment> prepareVpiAttach(ProbeBench &bench)
{
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<VpiScene> scene, VpiScene::create(bench, std::array{vpi::kPva}, false));
    PreparedExperiment prepared;
    prepared.measuredOn = scene->label(bench);
    prepared.design.columns = {{"VPI's work with its wait", "us", kVpiTime},
                               {"the turn until the CPU has read the output", "us", kVpiTime}};
    prepared.design.variants = {"device memory that is copied for the CPU", "managed memory that stays global",
                                "managed memory attached globally before and to the host behind VPI's work"};
    prepared.design.comparisons = {{1, 2, 0}, {1, 2, 1}, {0, 1, 1}, {0, 2, 1}};
    for (const Sharing sharing : {Sharing::Copied, Sharing::Global, Sharing::Attached}) {
        JETSCOPE_TRY_ASSIGN(
            const std::size_t output,
            scene->addOutput(sharing == Sharing::Copied ? VpiMemory::Kind::Device : VpiMemory::Kind::Managed));
        addTurns(prepared, [scene, sharing, output] { return sharedTurn(*scene, sharing, output); });
    }
    return prepared;
}

Result<PreparedExperiment> prepareVpiOrder(ProbeBench &bench)
{
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<VpiScene> scene,
                        VpiScene::create(bench, std::array{vpi::kPva, vpi::kCuda}, true));
    PreparedExperiment prepared;
    prepared.measuredOn = scene->label(bench);
    prepared.design.columns = {{"the time that submission holds the thread", "us", kVpiTime},
                               {"the time until all work is complete", "us", kVpiTime}};
    prepared.design.variants = {"vpiStreamSync before the CUDA work", "the CUDA work in a host function of VPI",
                                "the CUDA work in a CUDA host function of VPI"};
    prepared.design.comparisons = {{0, 1, 0}, {0, 1, 1}, {0, 2, 0}, {0, 2, 1}};
    JETSCOPE_TRY_ASSIGN(const std::size_t blurred, scene->addOutput(VpiMemory::Kind::Device));
    JETSCOPE_TRY_ASSIGN(const std::size_t copied, scene->addOutput(VpiMemory::Kind::Device));
    for (const Ordering ordering : {Ordering::Synchronized, Ordering::HostFunction, Ordering::CudaHostFunction})
        addTurns(prepared,
                 [scene, ordering, blurred, copied] { return orderedTurn(*scene, ordering, blurred, copied); });
    return prepared;
}

Result<PreparedExperiment> prepareVpiSync(ProbeBench &bench)
{
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<VpiScene> scene,
                        VpiScene::create(bench, std::array{vpi::kPva, vpi::kCuda}, false));
    PreparedExperiment prepared;
    prepared.measuredOn = scene->label(bench);
    prepared.design.columns = {{"time per call", "us", kVpiTime}};
    prepared.design.variants = {"vpiStreamSync behind each call", "one vpiStreamSync behind 20 calls",
                                "submission alone, without vpiStreamSync"};
    prepared.design.comparisons = {{0, 1, 0}, {0, 2, 0}};
    JETSCOPE_TRY_ASSIGN(const std::size_t output, scene->addOutput(VpiMemory::Kind::Device));
    for (const auto &[callsBeforeWait, countsWait] : {std::pair{1, true}, {kCallsInRow, true}, {kCallsInRow, false}})
        addStep(prepared,
                [scene, output, calls = callsBeforeWait, counts = countsWait]() -> Result<std::vector<double>> {
                    JETSCOPE_TRY_ASSIGN(const double micros, timePerCall(*scene, output, calls, counts));
                    return std::vector{micros};
                });
    return prepared;
}

} // namespace jetscope

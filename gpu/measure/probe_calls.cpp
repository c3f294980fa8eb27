// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Costs of calls: launches, waits by policy, events, host functions, registration and attachment.
#include "gpu/measure/probesteps.h"

#include <atomic>

namespace jetscope {

namespace {

constexpr int kCallsInARow = 20;
constexpr int kRoundTrips = 9;
constexpr int kRegistrations = 3;
constexpr double kNsPerUs = 1000;

/// The time of one of several calls in a row, without a wait.
Result<double> callNs(ProbeBench &bench, const std::function<Status()> &call)
{
    JETSCOPE_TRY_ASSIGN(const double ns, nanosecondsFor([&call]() -> Status {
                            for (int i = 0; i < kCallsInARow; ++i)
                                JETSCOPE_TRY(call());
                            return {};
                        }));
    JETSCOPE_TRY(bench.synchronize());
    return ns / kCallsInARow;
}

Result<double> waitNs(ProbeBench &bench, WaitPolicy policy)
{
    JETSCOPE_TRY(bench.device().setWaitPolicy(policy));
    const Result<double> ns = bench.device().waitPolicy() == policy
        ? bench.emptyLaunchNs()
        : Result<double>(sentence("the device waits in another way whatever is set"));
    JETSCOPE_TRY(bench.device().setWaitPolicy(bench.quickWait()));
    return ns;
}

Result<double> hostFunctionNs(ProbeBench &bench)
{
    // Shared, because the function may run after an error of the wait.
    const auto ranNs = std::make_shared<std::atomic<std::int64_t>>(0);
    const std::int64_t begin = nowNs();
    JETSCOPE_TRY(bench.device().launchHost(bench.stream(), [ranNs] { ranNs->store(nowNs()); }));
    JETSCOPE_TRY(bench.synchronize());
    return static_cast<double>(ranNs->load() - begin);
}

/// Events of a bench.
struct EventPair {
    std::unique_ptr<Event> event;
    std::unique_ptr<Stream> other;
};

Result<std::shared_ptr<EventPair>> makeEvents(ProbeBench &bench)
{
    auto events = std::make_shared<EventPair>();
    JETSCOPE_TRY_ASSIGN(events->event, bench.device().createEvent(Device::Timing::Off));
    JETSCOPE_TRY_ASSIGN(events->other, bench.device().createStream());
    JETSCOPE_TRY(bench.device().record(*events->event, bench.stream()));
    return events;
}

void addEvents(std::vector<RoundStep> &steps, ProbeBench &bench)
{
    const Result<std::shared_ptr<EventPair>> made = makeEvents(bench);
    if (!made.ok()) {
        steps.push_back(
            unavailableStep({"event_record", "event_wait", "event_to_cpu", "event_to_stream"}, made.error()));
        return;
    }
    const std::shared_ptr<EventPair> &events = made.value();
    const auto recordAfterLaunch = [&bench, events]() -> Status {
        JETSCOPE_TRY(bench.launchEmpty());
        return bench.device().record(*events->event, bench.stream());
    };
    steps.push_back(costStep("event_record", [&bench, events] {
        return callNs(bench, [&] { return bench.device().record(*events->event, bench.stream()); });
    }));
    steps.push_back(costStep("event_wait", [&bench, events]() -> Result<double> {
        JETSCOPE_TRY_ASSIGN(const double ns,
                            callNs(bench, [&] { return bench.device().wait(*events->other, *events->event); }));
        JETSCOPE_TRY(bench.device().synchronize(*events->other));
        return ns;
    }));
    steps.push_back(costStep("event_to_cpu", [&bench, events, recordAfterLaunch] {
        return medianNanoseconds(kRoundTrips, [&]() -> Status {
            JETSCOPE_TRY(recordAfterLaunch());
            return bench.device().synchronize(*events->event);
        });
    }));
    steps.push_back(costStep("event_to_stream", [&bench, events, recordAfterLaunch] {
        return medianNanoseconds(kRoundTrips, [&]() -> Status {
            JETSCOPE_TRY(recordAfterLaunch());
            JETSCOPE_TRY(bench.device().wait(*events->other, *events->event));
            return bench.device().synchronize(*events->other);
        });
    }));
}

/// Registers a frame of host memory and ends that, several times.
Status measureRegistration(ProbeBench &bench, std::byte *memory, RoundFigures &to)
{
    double registering = 0;
    double ending = 0;
    for (int i = 0; i < kRegistrations; ++i) {
        const std::int64_t begin = nowNs();
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, bench.device().registerHost(memory, bench.frameBytes()));
        const std::int64_t registered = nowNs();
        buffer.reset();
        registering += static_cast<double>(registered - begin);
        ending += static_cast<double>(nowNs() - registered);
    }
    to.emplace_back("register_host", registering / kRegistrations / kNsPerUs);
    to.emplace_back("unregister_host", ending / kRegistrations / kNsPerUs);
    return {};
}

void addRegistration(std::vector<RoundStep> &steps, ProbeBench &bench)
{
    const std::vector<std::string> keys{"register_host", "unregister_host"};
    Result<HostMemory> memory = allocateHostMemory(bench.frameBytes());
    if (!bench.device().facts().hostRegister.available)
        steps.push_back(unavailableStep(keys, sentence(bench.device().facts().hostRegister.reason)));
    else if (!memory.ok())
        steps.push_back(unavailableStep(keys, memory.error()));
    else
        steps.push_back(
            {keys, [&bench, memory = std::shared_ptr<std::byte>(std::move(memory).value())](RoundFigures &to) {
                 return measureRegistration(bench, memory.get(), to);
             }});
}

/// What one hand-over of a frame costs in a kind of memory that has one.
void addHandOver(std::vector<RoundStep> &steps, ProbeBench &bench, const std::string &key, std::string_view kind)
{
    const Result<std::unique_ptr<MeasuredMemory>> made = MeasuredMemory::create(bench, kind, bench.frameBytes());
    if (!made.ok()) {
        steps.push_back(unavailableStep({key}, made.error()));
        return;
    }
    steps.push_back(costStep(key, [&bench, kind]() -> Result<double> {
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<MeasuredMemory> memory,
                            MeasuredMemory::create(bench, kind, bench.frameBytes()));
        JETSCOPE_TRY_ASSIGN(const double ns, medianNanoseconds(kRoundTrips, [&]() -> Status {
                                JETSCOPE_TRY(memory->giveToDevice());
                                return memory->giveToCpu();
                            }));
        return ns / 2;
    }));
}

void addPool(std::vector<RoundStep> &steps, ProbeBench &bench)
{
    if (!bench.device().facts().memoryPools.available) {
        steps.push_back(unavailableStep({"pool"}, sentence(bench.device().facts().memoryPools.reason)));
        return;
    }
    steps.push_back(costStep("pool", [&bench]() -> Result<double> {
        JETSCOPE_TRY(bench.device().keepInPool(bench.frameBytes())); // As the pipeline does.
        return callNs(bench, [&bench]() -> Status {
            JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory,
                                bench.device().allocateInStream(bench.frameBytes(), bench.stream()));
            return bench.device().freeInStream(*memory, bench.stream());
        });
    }));
}

} // namespace

std::vector<RoundStep> callSteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    steps.push_back(costStep("launch", [&bench] { return callNs(bench, [&bench] { return bench.launchEmpty(); }); }));
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block})
        steps.push_back(
            costStep("launch_sync_" + std::string(nameOf(policy)), [&bench, policy] { return waitNs(bench, policy); }));
    addEvents(steps, bench);
    steps.push_back(costStep("host_function", [&bench] { return hostFunctionNs(bench); }));
    addRegistration(steps, bench);
    addHandOver(steps, bench, "attach", "unified-attach");
    addHandOver(steps, bench, "prefetch", "unified-prefetch");
    addPool(steps, bench);
    return steps;
}

} // namespace jetscope

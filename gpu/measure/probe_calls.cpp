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

using Measure = std::function<Result<double>(ProbeBench &bench)>;

/// A step with one cost.
RoundStep costStep(ProbeBench &bench, std::string key, Measure measure)
{
    return {{key}, [&bench, key, measure = std::move(measure)](RoundFigures &to) -> Status {
                JETSCOPE_TRY_ASSIGN(const double ns, measure(bench));
                to.emplace_back(key, ns / kNsPerUs);
                return {};
            }};
}

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
    const auto recordAfterLaunch = [events](ProbeBench &on) -> Status {
        JETSCOPE_TRY(on.launchEmpty());
        return on.device().record(*events->event, on.stream());
    };
    steps.push_back(costStep(bench, "event_record", [events](ProbeBench &on) {
        return callNs(on, [&] { return on.device().record(*events->event, on.stream()); });
    }));
    steps.push_back(costStep(bench, "event_wait", [events](ProbeBench &on) -> Result<double> {
        JETSCOPE_TRY_ASSIGN(const double ns,
                            callNs(on, [&] { return on.device().wait(*events->other, *events->event); }));
        JETSCOPE_TRY(on.device().synchronize(*events->other));
        return ns;
    }));
    steps.push_back(costStep(bench, "event_to_cpu", [events, recordAfterLaunch](ProbeBench &on) {
        return medianNanoseconds(kRoundTrips, [&]() -> Status {
            JETSCOPE_TRY(recordAfterLaunch(on));
            return on.device().synchronize(*events->event);
        });
    }));
    steps.push_back(costStep(bench, "event_to_stream", [events, recordAfterLaunch](ProbeBench &on) {
        return medianNanoseconds(kRoundTrips, [&]() -> Status {
            JETSCOPE_TRY(recordAfterLaunch(on));
            JETSCOPE_TRY(on.device().wait(*events->other, *events->event));
            return on.device().synchronize(*events->other);
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

void addAttachment(std::vector<RoundStep> &steps, ProbeBench &bench)
{
    const Result<std::unique_ptr<MeasuredMemory>> made =
        MeasuredMemory::create(bench, "unified-attach", bench.frameBytes());
    if (!made.ok()) {
        steps.push_back(unavailableStep({"attach"}, made.error()));
        return;
    }
    steps.push_back(costStep(bench, "attach", [](ProbeBench &on) -> Result<double> {
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<MeasuredMemory> memory,
                            MeasuredMemory::create(on, "unified-attach", on.frameBytes()));
        JETSCOPE_TRY_ASSIGN(const double ns, medianNanoseconds(kRoundTrips, [&]() -> Status {
                                JETSCOPE_TRY(memory->giveToDevice());
                                return memory->giveToCpu();
                            }));
        return ns / 2;
    }));
}

} // namespace

std::vector<RoundStep> callSteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    steps.push_back(
        costStep(bench, "launch", [](ProbeBench &on) { return callNs(on, [&on] { return on.launchEmpty(); }); }));
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block})
        steps.push_back(costStep(bench, "launch_sync_" + std::string(nameOf(policy)),
                                 [policy](ProbeBench &on) { return waitNs(on, policy); }));
    addEvents(steps, bench);
    steps.push_back(costStep(bench, "host_function", hostFunctionNs));
    addRegistration(steps, bench);
    addAttachment(steps, bench);
    return steps;
}

} // namespace jetscope

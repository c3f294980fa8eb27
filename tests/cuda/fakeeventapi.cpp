// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/fakeeventapi.h"

#include <map>
#include <set>

namespace jetscope::testing {

namespace {

constexpr EGLenum kSyncCudaEvent = 0x323C;
constexpr EGLAttrib kCudaEventHandle = 0x323B;

struct FakeEvent {
    EGLSync madeFrom = EGL_NO_SYNC;
    bool timed = false;
    bool awaited = false;
    std::size_t recordedAt = 0; ///< Number of the call; 0 for never.
};

struct FakeSync {
    bool ofEvent = false;
    bool awaited = false;
};

struct State {
    std::vector<std::string> calls;
    std::vector<std::string> violations;
    std::map<cudaEvent_t, FakeEvent> events;
    std::map<EGLSync, FakeSync> syncs;
    std::set<EGLSync> deadFences;
    std::uintptr_t nextHandle = 0x1000;
    cudaError_t eventsFromSyncs = cudaSuccess;
    bool syncsFromEvents = true;

    void call(const char *name) { calls.emplace_back(name); }
    void require(bool holds, const char *rule)
    {
        if (!holds)
            violations.emplace_back(rule);
    }
    FakeEvent *live(cudaEvent_t event)
    {
        const auto found = events.find(event);
        require(found != events.end(), "an event is used that does not live");
        return found == events.end() ? nullptr : &found->second;
    }
};

State *state = nullptr; // The functions of the table have no other access to it.

cudaError_t create(cudaEvent_t *event, unsigned flags)
{
    state->call("cudaEventCreate");
    *event = reinterpret_cast<cudaEvent_t>(state->nextHandle += 16);
    state->events[*event].timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}

cudaError_t createFromEglSync(cudaEvent_t *event, EGLSync sync, unsigned flags)
{
    state->call("cudaEventCreateFromEGLSync");
    state->require(flags == 0, "flags of cudaEventCreateFromEGLSync are 0");
    state->require(sync != EGL_NO_SYNC && state->deadFences.count(sync) == 0,
                   "an event is made from an EGLSync that lives");
    if (state->eventsFromSyncs != cudaSuccess)
        return state->eventsFromSyncs;
    *event = reinterpret_cast<cudaEvent_t>(state->nextHandle += 16);
    state->events[*event].madeFrom = sync;
    return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t)
{
    state->call("cudaEventRecord");
    if (FakeEvent *live = state->live(event)) {
        state->require(live->madeFrom == EGL_NO_SYNC, "an event made from an EGLSync is never recorded");
        live->recordedAt = state->calls.size();
    }
    return cudaSuccess;
}

cudaError_t streamWait(cudaStream_t, cudaEvent_t event, unsigned flags)
{
    state->call("cudaStreamWaitEvent");
    state->require(flags == 0, "flags of cudaStreamWaitEvent are 0");
    if (FakeEvent *live = state->live(event)) {
        state->require(state->deadFences.count(live->madeFrom) == 0, "an event is waited for while its EGLSync lives");
        live->awaited = true;
    }
    return cudaSuccess;
}

cudaError_t query(cudaEvent_t event)
{
    state->call("cudaEventQuery");
    static_cast<void>(state->live(event));
    return cudaSuccess;
}

cudaError_t synchronize(cudaEvent_t event)
{
    state->call("cudaEventSynchronize");
    static_cast<void>(state->live(event));
    return cudaSuccess;
}

cudaError_t elapsed(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    state->call("cudaEventElapsedTime");
    for (const cudaEvent_t event : {from, to})
        if (const FakeEvent *live = state->live(event))
            state->require(live->madeFrom == EGL_NO_SYNC && live->timed && live->recordedAt != 0,
                           "only recorded events with timing are timed");
    *ms = 1;
    return cudaSuccess;
}

cudaError_t destroy(cudaEvent_t event)
{
    state->call("cudaEventDestroy");
    if (const FakeEvent *live = state->live(event)) {
        state->require(live->madeFrom == EGL_NO_SYNC || live->awaited,
                       "an event made from an EGLSync is waited for before it is destroyed");
        state->events.erase(event);
    }
    return cudaSuccess;
}

bool isRightAfterRecord(const EGLAttrib *attributes)
{
    if (!attributes || attributes[0] != kCudaEventHandle || attributes[2] != EGL_NONE) {
        state->require(false, "a sync's attributes are the event's handle and nothing else");
        return false;
    }
    const FakeEvent *event = state->live(reinterpret_cast<cudaEvent_t>(attributes[1]));
    if (!event)
        return false;
    state->require(event->recordedAt != 0, "an event is recorded before a sync is made of it");
    // The current call has already been counted.
    state->require(event->recordedAt == 0 || event->recordedAt + 1 == state->calls.size(),
                   "nothing comes between recording an event and making its sync");
    return true;
}

EGLSync createSync(EGLDisplay, EGLenum type, const EGLAttrib *attributes)
{
    state->call("eglCreateSync");
    const bool ofEvent = type == kSyncCudaEvent;
    if (ofEvent && (!state->syncsFromEvents || !isRightAfterRecord(attributes)))
        return EGL_NO_SYNC;
    state->require(ofEvent || type == EGL_SYNC_FENCE, "a sync is a fence or of an event");
    const auto sync = reinterpret_cast<EGLSync>(state->nextHandle += 16);
    state->syncs[sync].ofEvent = ofEvent;
    return sync;
}

EGLBoolean waitSync(EGLDisplay, EGLSync sync, EGLint flags)
{
    state->call("eglWaitSync");
    state->require(flags == 0, "flags of eglWaitSync are 0");
    const auto found = state->syncs.find(sync);
    state->require(found != state->syncs.end(), "a sync is waited for that does not live");
    if (found != state->syncs.end())
        found->second.awaited = true;
    return EGL_TRUE;
}

EGLBoolean destroySync(EGLDisplay, EGLSync sync)
{
    state->call("eglDestroySync");
    const auto found = state->syncs.find(sync);
    state->require(found != state->syncs.end(), "a sync is destroyed that does not live");
    if (found == state->syncs.end())
        return EGL_FALSE;
    state->require(!found->second.ofEvent || found->second.awaited,
                   "a sync of an event is waited for before it is destroyed");
    state->deadFences.insert(sync);
    state->syncs.erase(found);
    return EGL_TRUE;
}

constexpr EventApi kTable{create,  createFromEglSync, record,     streamWait, query,      synchronize,
                          elapsed, destroy,           createSync, waitSync,   destroySync};

} // namespace

FakeEventApi::FakeEventApi()
{
    state = new State;
}

FakeEventApi::~FakeEventApi()
{
    delete state;
    state = nullptr;
}

const EventApi &FakeEventApi::table() const
{
    return kTable;
}

std::vector<std::string> FakeEventApi::violations() const
{
    std::vector<std::string> all = state->violations;
    if (!state->events.empty())
        all.push_back(std::to_string(state->events.size()) + " events still live");
    if (!state->syncs.empty())
        all.push_back(std::to_string(state->syncs.size()) + " syncs still live");
    return all;
}

const std::vector<std::string> &FakeEventApi::calls() const
{
    return state->calls;
}

void FakeEventApi::refuseEventsFromSyncs(cudaError_t code)
{
    state->eventsFromSyncs = code;
}

void FakeEventApi::refuseSyncsFromEvents()
{
    state->syncsFromEvents = false;
}

void FakeEventApi::fenceDestroyed(EGLSync sync)
{
    state->deadFences.insert(sync);
}

} // namespace jetscope::testing

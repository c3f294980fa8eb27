// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/scenes.h"

#include "gpu/hazards/mistakes.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

PipelineConfig unsynchronized(PipelineConfig config)
{
    config.sync = SyncMode::None;
    config.output = OutputKind::EglImage;
    return config;
}

PipelineConfig unifiedOnTheSameInput(PipelineConfig config)
{
    config.memory = MemoryKind::Unified;
    config.cpuStage = CpuStagePlacement::SameInput;
    return config;
}

PipelineConfig unified(PipelineConfig config)
{
    config.memory = MemoryKind::Unified;
    return config;
}

PipelineConfig attachedWithEglSync(PipelineConfig config)
{
    config.memory = MemoryKind::UnifiedAttach;
    config.sync = SyncMode::EglSync;
    config.output = OutputKind::EglImage;
    config.cpuStage = CpuStagePlacement::Pipelined;
    return config;
}

PipelineConfig attached(PipelineConfig config)
{
    config.memory = MemoryKind::UnifiedAttach;
    return config;
}

PipelineConfig callback(PipelineConfig config)
{
    config.sync = SyncMode::Callback;
    return config;
}

PipelineConfig flagged(PipelineConfig config)
{
    config.sync = SyncMode::Flag;
    return config;
}

PipelineConfig asGraph(PipelineConfig config)
{
    config.sync = SyncMode::Graph;
    return config;
}

PipelineConfig eglSync(PipelineConfig config)
{
    config.sync = SyncMode::EglSync;
    config.output = OutputKind::EglImage;
    return config;
}

PipelineConfig mapped(PipelineConfig config)
{
    config.memory = MemoryKind::ZeroCopy;
    return config;
}

PipelineConfig eglImage(PipelineConfig config)
{
    config.output = OutputKind::EglImage;
    return config;
}

PipelineConfig pooled(PipelineConfig config)
{
    config.memory = MemoryKind::Pool;
    return config;
}

PipelineConfig prefetched(PipelineConfig config)
{
    config.memory = MemoryKind::UnifiedPrefetch;
    return config;
}

PipelineConfig pinned(PipelineConfig config)
{
    config.memory = MemoryKind::Pinned;
    return config;
}

template <typename Mistake>
std::unique_ptr<Device> making(std::unique_ptr<Device> device)
{
    return std::make_unique<Mistake>(std::move(device));
}

constexpr std::array kScenes{
    Scene{"no-sync", "No synchronization at all",
          "GL draws a texture as soon as the kernels that write it are launched.",
          "The picture tears or shows an older frame now and then. On the timeline, draws begin while the kernels of "
          "the same frame still run.",
          RuleId::C1, unsynchronized, nullptr, false},
    Scene{"shared-input", "CPU and GPU read the same unified memory",
          "The CPU stage reads the frame in unified memory while kernels read it, too.",
          "The CPU stage overlaps with the kernels of its own frame, which looks fast. Without concurrent managed "
          "access the process ends with a bus error.",
          RuleId::A2, unifiedOnTheSameInput, nullptr, false},
    Scene{"new-memory", "New unified memory while kernels run",
          "The CPU fills new unified memory right after a launch that has nothing to do with it.",
          "Nothing to see: no span touches the new memory. New unified memory is attached to all streams, so every "
          "kernel in flight forbids the access.",
          RuleId::A3, unified, making<mistakes::NewMemoryWhileKernelsRun>, false},
    Scene{"attach-without-wait", "Attach without synchronizing",
          "Memory is attached to the host in stream order, and the CPU reads it without waiting for the stream.",
          "The waits for the attach are gone from the CPU stage's lane; its work begins before the kernels end.",
          RuleId::A4, attachedWithEglSync, making<mistakes::AttachWithoutWait>, true},
    Scene{"attached-to-host", "Kernels on memory that is attached to the host",
          "The input is attached to the host and never to the stream of the kernels.",
          "Nothing to see on the software iGPU. On a GPU without concurrent managed access, the kernels fail.",
          RuleId::A5, attached, making<mistakes::AttachedToTheHost>, true},
    Scene{"host-function", "CUDA calls in a host function",
          "The function that cudaLaunchHostFunc runs after each frame asks for the state of an event.",
          "The call is refused in every frame. A call that waits would never return.", RuleId::B1, callback,
          making<mistakes::CallInHostFunction>, false},
    Scene{
        "flag-without-barrier", "Flag written without a memory barrier",
        "The flag behind each frame is written with CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER.",
        "The waits for the flag end while the kernels of the frame still run, and the picture tears or shows an older "
        "frame.",
        RuleId::B6, flagged, making<mistakes::FlagWithoutBarrier>, true},
    Scene{"freed-in-graph", "Graph that holds freed memory",
          "Each graph is captured with a kernel that reads memory which is freed right after the capture.",
          "Nothing to see: the scene's kernel reads no byte of it. A kernel that did would read memory of others.",
          RuleId::B7, asGraph, making<mistakes::FreedMemoryInGraphs>, false},
    Scene{"other-stream", "The wait for GL is in another stream",
          "A fence of GL is made an event and waited for, but in another stream than that of the kernels.",
          "Kernels begin while GL still reads the texture that they write. It works as long as both streams "
          "synchronize with the default stream.",
          RuleId::B5, eglSync, making<mistakes::WaitInAnotherStream>, false},
    Scene{"registration-per-frame", "EGLImage registered in every frame",
          "cudaGraphicsEGLRegisterImage is called for every frame, not once for each texture.",
          "Submission takes longer in every frame; the pictures are right.", RuleId::C5, eglImage,
          making<mistakes::RegistrationPerFrame>, false},
    Scene{"late-sync", "EGLSync made late",
          "More work is appended to the stream between the record of an event and its EGLSync.",
          "Nothing to see while the event is recorded once. If it is recorded again, GL waits for other work than "
          "was meant.",
          RuleId::D1, eglSync, making<mistakes::LateSync>, false},
    Scene{
        "respecified-texture", "Texture with new storage while CUDA uses it",
        "Before each draw, the texture gets new storage (glTexImage2D) although its image is registered with CUDA and "
        "kernels that write it are in flight.",
        "Nothing to see, because the scene only says so to the ledger: textures of Jetscope have immutable storage. "
        "With glTexImage2D the kernels would write memory that the texture no longer has.",
        RuleId::C6, eglSync, making<mistakes::RespecifiedTexture>, false},
    Scene{"pinned-atomics", "Atomic operations on uncached pinned memory",
          "The CPU counts the frames by an atomic operation on pinned memory, which it does not cache.",
          "Nothing to see on the software iGPU. On a Jetson before Xavier, the operation is not supported.",
          RuleId::A15, mapped, making<mistakes::AtomicsOnPinnedMemory>, true},
    Scene{"freed-in-stream", "Pool memory freed in front of its kernels",
          "Each frame's memory of the pool is freed in the stream behind its copy, and kernels use it afterwards.",
          "Often nothing: the pool gives the memory to the next frame, which then changes a picture now and then.",
          RuleId::A23, pooled, making<mistakes::FreedBeforeUse>, true},
    Scene{"empty-pool", "A pool that keeps nothing",
          "The pool has no release threshold, and the thread waits for the stream after each frame.",
          "Allocations take longer in every frame, because the pool asks the system for memory that it gave back.",
          RuleId::A19, pooled, making<mistakes::PoolThatKeepsNothing>, false},
    Scene{"discarded-frame", "A frame discarded by its prefetch",
          "The prefetch to the GPU discards what the CPU has just written.",
          "The picture shows other bytes than the frame had.", RuleId::A25, prefetched,
          making<mistakes::DiscardedFrame>, false},
    Scene{"ordinary-memory", "Kernels on ordinary memory",
          "Kernels are given the address of ordinary memory, which this device does not reach.",
          "Nothing to see, because every call is refused. A kernel that reads such an address ends the use of the "
          "device.",
          RuleId::A24, pinned, making<mistakes::OrdinaryMemoryInPlace>, false},
};

} // namespace

std::span<const Scene> scenes()
{
    return kScenes;
}

const Scene *sceneNamed(std::string_view name)
{
    const auto found =
        std::find_if(kScenes.begin(), kScenes.end(), [&](const Scene &scene) { return scene.name == name; });
    return found == kScenes.end() ? nullptr : &*found;
}

Capability sceneCapability(const Scene &scene, const PipelineConfig &config, const DeviceFacts &facts)
{
    const Rule &rule = ruleOf(scene.rule);
    const RuleCoverage coverage = rule.coverage(facts);
    if (coverage.state != RuleCoverage::State::Checked)
        return Capability::no("rule " + std::string(rule.name)
                              + " is not checked on this device: " + std::string(coverage.why));
    if (scene.softwareOnly && !facts.software)
        return Capability::no("on a GPU this can end the process or the use of the device; choose a software iGPU, "
                              "for example soft:orin");
    const Availability choices = availability(scene.choose(config), facts);
    return choices.unavailable() ? Capability::no(choices.reason) : Capability::yes();
}

} // namespace jetscope

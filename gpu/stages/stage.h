// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazard.h"
#include "core/hazards/memory.h"
#include "core/imagelayout.h"
#include "core/recording/span.h"
#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/base/kernelstamps.h"
#include "gpu/stages/sourcebuffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

// A stage is a filter whose code the user brings: a row of core's table like the others (FilterRow::isStage), with a
// Stage instead of loops and kernels.

/// Where a device has its frames.
struct StageDevice {
    enum class Memory { Host, Cuda };
    Memory memory = Memory::Host;
    int ordinal = 0; ///< Of a CUDA device, as its compute capability.
    int computeMajor = 0;
    int computeMinor = 0;
};

/// Rgba8 or Grey8 in linear memory of the device.
struct StageImage {
    PixelFormat format = PixelFormat::Rgba8;
    int width = 0;
    int height = 0;
    std::byte *pixels = nullptr;
    std::size_t pitch = 0;
};

struct StageFrame {
    std::uint64_t number = 0;
    StageImage input;
    StageImage output;
    void *stream = nullptr;            ///< The CUstream; null where the work is done when the run returns.
    KernelObserver *kernels = nullptr; ///< Null where nothing is measured. Told by StageInstance::announce.
};

/// Memory that a run uses beside reading its input and writing its output.
struct StageTouch {
    const void *memory = nullptr; ///< Null for the input.
    std::size_t bytes = 0;
    Access access = Access::Read;
};

/// What happened to a stage beside its runs.
struct StageNews {
    enum class Kind {
        Told,    ///< It says how it works.
        Changed, ///< From now on it does other work: it was compiled anew.
        Refused, ///< It could not be changed, and goes on as before.
    };
    Kind kind = Kind::Told;
    std::string text;               ///< One sentence; empty beside a hazard.
    std::optional<Hazard> hazard{}; ///< Of a rule that the stage itself breaks.
};

/// Work of a run on an engine beside CPU and GPU. It ran somewhere within these times.
struct StageWork {
    const char *engine = nullptr; ///< "PVA", as the trace calls its lane.
    NameId name = 0;
    std::uint64_t frame = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t bytes = 0; ///< That the library copied between memories for this run.
};

/// A place in a frame, in its pixels.
struct StagePoint {
    float x = 0;
    float y = 0;
};

/// Points that a stage finds in frames, in memory that the CPU reads in place. They may outlive the stage. Any thread.
class StagePoints {
public:
    virtual ~StagePoints() = default;
    /// Whether the work on a frame was waited for as its memory demands (rule G2).
    virtual bool isSynchronized(std::uint64_t frame) = 0;
    /// The points of a frame, once; none if there are none for it.
    virtual Result<std::vector<StagePoint>> read(std::uint64_t frame) = 0;
};

/// A stage that is set up for one size on one device. Goes when no work of it is pending.
class StageInstance {
public:
    virtual ~StageInstance() = default;

    /// Any thread, also while another run is on its way: they take turns.
    Status run(const StageFrame &frame)
    {
        const std::lock_guard lock(m_mutex);
        if (frame.kernels)
            announce(*frame.kernels);
        return runFrame(frame);
    }
    /// The same as the first stage of a chain, for a frame in the source's own buffer: reads that buffer in place of
    /// `frame.input`, which is empty, and is done with it when this returns. False if the stage cannot do that, which
    /// its news say; then `run` must follow, with the picture in the device's memory. Thread of the launch.
    Result<bool> runOn(SourceBuffer &buffer, const StageFrame &frame)
    {
        const std::lock_guard lock(m_mutex);
        return runFrameOn(buffer, frame);
    }
    /// What the run of a frame will use. Any thread.
    std::vector<StageTouch> touches(std::uint64_t frame)
    {
        const std::lock_guard lock(m_mutex);
        return touchesOf(frame);
    }
    /// Whether runs return while work of VPI in the frame's stream may be unfinished (rule G1).
    virtual bool leavesVpiWork() const { return false; }
    /// What the CPU stage reads of frames; null if nothing.
    virtual std::shared_ptr<StagePoints> points() { return nullptr; }
    /// The stream is about to be destroyed; no work of it is pending.
    virtual void forgetStream(void *) {}
    /// The work on engines that was complete since the last call. Any thread.
    virtual std::vector<StageWork> takeWork() { return {}; }
    /// The same before the stage goes, when all its work is complete: waits until the times of all of it are known.
    virtual std::vector<StageWork> takeLastWork() { return takeWork(); }
    /// The news since the last call. Any thread.
    virtual std::vector<StageNews> takeNews() { return {}; }
    PixelFormat reads() const { return m_reads; }
    PixelFormat makes() const { return m_makes; }
    NameId name() const { return m_name; } ///< In the trace.
    void setName(NameId name) { m_name = name; }

protected:
    StageInstance(PixelFormat reads, PixelFormat makes) : m_reads(reads), m_makes(makes) {}
    virtual Status runFrame(const StageFrame &frame) = 0;
    /// Says what a run will submit. Empty where runFrame itself announces each piece, which CUPTI's records must then
    /// show as Jetscope's (KernelNames).
    virtual void announce(KernelObserver &observer) { observer.unknownKernels(m_name); }
    virtual Result<bool> runFrameOn(SourceBuffer &, const StageFrame &) { return false; }
    virtual std::vector<StageTouch> touchesOf(std::uint64_t) { return {}; }

private:
    std::mutex m_mutex;
    const PixelFormat m_reads;
    const PixelFormat m_makes;
    NameId m_name = 0;
};

/// The code of a stage with its options.
class Stage {
public:
    virtual ~Stage() = default;

    /// Pipeline thread; the device is current. An error says why the stage cannot work there.
    virtual Result<std::unique_ptr<StageInstance>> setUp(const StageDevice &device, int width, int height) = 0;
    /// Does beforehand what takes long, such as to compile, so that `setUp` is quick. Any thread; needs no device that
    /// is current.
    virtual Status rehearse(const StageDevice &) { return {}; }
};

/// The stage of a filter; null if the filter is none.
Stage *stageOf(Filter filter);

} // namespace jetscope

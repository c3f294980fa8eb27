// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/measure/probebench.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/vpi/vpilibrary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// What the experiments about VPI share: the library, two pictures by turns with what VPI must make of them, and a scene
// beside CUDA. Not verified on hardware.
namespace jetscope {

/// The library, which has at least one of these backends on this machine; the error says what is missing.
Result<VpiLibrary> vpiForExperiment(std::uint64_t backends);
/// What results name as the device.
std::string vpiLabel(ProbeBench &bench, const VpiLibrary &library, std::uint64_t backend);

inline constexpr std::size_t kVpiPictures = 2;

/// Random bytes, others for each picture.
std::vector<std::byte> vpiPattern(std::size_t bytes, std::size_t picture);

/// What VPI must make of two pictures. Turns take the pictures alternately, so an output that shows the turn before
/// differs from what is expected: work that ran too early, or was not done, is seen. One thread.
class VpiCheck {
public:
    using Make = std::function<Result<std::vector<std::byte>>(std::size_t picture)>;

    /// Lets VPI make each output twice, by turns; `make` waits for all work. Errors: those of `make`, other bytes of
    /// the same picture, or the same bytes of both.
    Status learn(const Make &make);
    /// An error if these are not the bytes of the picture. As many bytes as were learnt.
    Status compare(const std::byte *seen, std::size_t picture) const;

private:
    std::array<std::vector<std::byte>, kVpiPictures> m_expected;
};

/// Memory of a picture, which the GPU reaches.
class VpiMemory {
public:
    enum class Kind { Device, Managed };

    /// `driver` outlives it.
    static Result<VpiMemory> create(const KernelDriver &driver, Kind kind, std::size_t bytes);
    VpiMemory(VpiMemory &&other) noexcept : m_driver(other.m_driver), m_address(std::exchange(other.m_address, 0)) {}
    VpiMemory &operator=(VpiMemory &&) = delete;
    ~VpiMemory()
    {
        if (m_address != 0)
            static_cast<void>(m_driver->free(m_address));
    }
    std::uint64_t address() const { return m_address; }
    std::byte *pixels() const { return reinterpret_cast<std::byte *>(m_address); } // NOLINT

private:
    explicit VpiMemory(const KernelDriver &driver) : m_driver(&driver) {}

    const KernelDriver *m_driver;
    std::uint64_t m_address = 0;
};

class VpiScene;

/// A CUDA copy between outputs that VPI's stream submits, and what CUDA said to it. VPI may call it as long as its work
/// is not complete, from a thread of its own.
struct VpiLateCopy {
    const VpiScene *scene = nullptr;
    std::size_t from = 0;
    std::size_t to = 0;
    int code = 0;

    static void submit(void *self);
    static void submitInStream(void *, void *self) { submit(self); }
};

/// VPI's stream, two grey pictures and their blurs on a CUDA device. One thread.
class VpiScene {
public:
    /// `backends`: the first that VPI has here is used. With `wraps`, VPI's stream wraps the CUDA stream.
    static Result<std::shared_ptr<VpiScene>> create(ProbeBench &bench, std::span<const std::uint64_t> backends,
                                                    bool wraps);
    ~VpiScene();
    VpiScene(const VpiScene &) = delete;
    VpiScene &operator=(const VpiScene &) = delete;

    /// Makes the CUDA context current on this thread.
    Status use() const { return check("cuCtxSetCurrent", m_driver.setCurrentContext(m_context)); }
    /// Memory for one more output; its number.
    Result<std::size_t> addOutput(VpiMemory::Kind kind);
    /// The picture that the output does not show.
    std::size_t nextPicture(std::size_t output) const { return 1 - m_outputs[output].picture; }
    /// A blur of a picture into an output. After a wait that failed there is no further work, but its error: what was
    /// submitted before may be unfinished, and its host functions must not meet other work of VPI.
    Status blur(std::size_t picture, std::size_t output);
    Status waitForVpi();
    Status waitForStream() const { return check("cuStreamSynchronize", m_driver.synchronizeStream(m_stream)); }
    Status waitForAll() const { return check("cuCtxSynchronize", m_driver.synchronizeContext()); }
    Status attach(std::size_t output, unsigned target) const
    {
        return check("cuStreamAttachMemAsync",
                     m_driver.attach(m_stream, m_outputs[output].memory.address(), 0, target));
    }
    /// A CUDA copy between outputs in the CUDA stream; the driver's code. Also on a thread of VPI.
    int copy(std::size_t from, std::size_t to) const;
    /// A copy that VPI may call. It stays until VPI's stream is gone: after an error of a wait, VPI may call it at any
    /// time.
    VpiLateCopy &addLateCopy(std::size_t from, std::size_t to);
    /// An error if the output does not show the blur of the picture.
    Status compareOnDevice(std::size_t output, std::size_t picture);
    Status compareManaged(std::size_t output, std::size_t picture) const
    {
        return m_check.compare(m_outputs[output].memory.pixels(), picture);
    }

    const VpiLibrary &library() const { return m_library; }
    vpi::Stream vpiStream() const { return m_vpiStream.get(); }
    std::string label(ProbeBench &bench) const { return vpiLabel(bench, m_library, m_backend); }

private:
    struct Picture {
        VpiMemory memory;
        VpiHandle image;
        std::size_t picture = 0; ///< Of an output: the picture whose blur it shows.
    };
    VpiScene(VpiLibrary library, KernelDriver driver, ProbeBench &bench)
        : m_library(std::move(library)), m_driver(driver), m_width(bench.width()), m_height(bench.height())
    {
    }
    Status check(const char *call, int code) const { return m_driver.check(call, code); }
    std::size_t bytes() const { return static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height); }
    Status openContext(ProbeBench &bench);
    Status openVpi(bool wraps);
    Result<Picture> makePicture(VpiMemory::Kind kind) const;
    Status makeInputs();
    Status learn();
    Status read(std::size_t output);

    const VpiLibrary m_library;
    const KernelDriver m_driver;
    const int m_width;
    const int m_height;
    std::uint64_t m_backend = 0;
    void *m_context = nullptr;
    void *m_stream = nullptr;
    std::vector<Picture> m_inputs;
    std::vector<Picture> m_outputs;
    std::deque<VpiLateCopy> m_lateCopies; ///< Their addresses stay.
    VpiHandle m_vpiStream;                ///< Its work is complete when it goes, before what the work uses.
    Status m_waited;                      ///< The first wait that failed.
    VpiCheck m_check;
    std::vector<std::byte> m_read;
};

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The work of the child process that tries the library of a stage.
#include "gpu/stages/devicetrial.h"
#include "gpu/stages/librarystage.h"
#include "gpu/stages/stagetrial.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <sys/mman.h>
#include <unistd.h>

namespace jetscope {

namespace {

struct TrialSize {
    int width;
    int height;
};

/// The usual sizes of frames are multiples of 16; the first one is none, so its rows have padding.
constexpr TrialSize kTrialSizes[] = {{33, 17}, {64, 36}};
/// For stages that refuse small pictures.
constexpr TrialSize kLargeSize = {1280, 720};

/// A picture whose last byte is the last one before a page that may not be touched. Ends with the process.
class GuardedPicture {
public:
    GuardedPicture(PixelFormat format, int width, int height) : m_layout(makeImageLayout(format, width, height))
    {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t pages = (m_layout.bytes + page - 1) / page * page;
        void *const memory = mmap(nullptr, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED
            || mprotect(static_cast<std::byte *>(memory) + page, pages, PROT_READ | PROT_WRITE) != 0)
            return;
        m_pixels = static_cast<std::byte *>(memory) + page + pages - m_layout.bytes;
    }

    std::byte *pixels() const { return m_pixels; }
    std::size_t bytes() const { return m_layout.bytes; }
    void fill(int value) { std::memset(m_pixels, value, m_layout.bytes); }
    void fillRandomly()
    {
        std::uint32_t random = 17;
        for (std::size_t i = 0; i < m_layout.bytes; ++i)
            m_pixels[i] = static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24);
    }
    std::vector<std::byte> copy() const { return {m_pixels, m_pixels + m_layout.bytes}; }
    /// Whether a byte belongs to a pixel and not to the padding behind a row.
    bool isPixel(std::size_t byte) const { return byte % m_layout.planes[0].pitch < m_layout.planes[0].rowBytes; }
    StageImage image() const
    {
        return {m_layout.format, m_layout.width, m_layout.height, m_pixels, m_layout.planes[0].pitch};
    }

private:
    ImageLayout m_layout;
    std::byte *m_pixels = nullptr;
};

/// A byte that kept its value in both runs, which began with different values, was not written.
std::string judgeOutput(const GuardedPicture &picture, const std::vector<std::byte> &first, std::byte firstFill,
                        std::byte secondFill)
{
    for (std::size_t i = 0; i < picture.bytes(); ++i) {
        const bool kept = first[i] == firstFill && picture.pixels()[i] == secondFill;
        if (picture.isPixel(i) && kept)
            return "it did not write every pixel of its output";
        if (!picture.isPixel(i) && !kept)
            return "it wrote outside of its output, behind the end of a row";
    }
    return {};
}

bool declaresInputWritten(StageInstance &instance)
{
    const std::vector<StageTouch> touches = instance.touches(0);
    return std::any_of(touches.begin(), touches.end(),
                       [](const StageTouch &touch) { return !touch.memory && touch.access == Access::Write; });
}

std::string tryRuns(StageInstance &instance, const TrialSize &size)
{
    GuardedPicture input(instance.reads(), size.width, size.height);
    GuardedPicture output(instance.makes(), size.width, size.height);
    if (!input.pixels() || !output.pixels())
        return "there is no memory for its trial";
    const std::byte fills[] = {std::byte{0x5a}, std::byte{0xa5}};
    std::vector<std::byte> first;
    for (std::size_t run = 0; run < std::size(fills); ++run) {
        input.fillRandomly();
        const std::vector<std::byte> before = input.copy();
        output.fill(static_cast<int>(fills[run]));
        const Status ran = instance.run({run, input.image(), output.image(), nullptr});
        if (!ran.ok())
            return ran.error().text;
        if (before != input.copy() && !declaresInputWritten(instance))
            return "it changed its input without declaring that it writes it";
        if (run == 0)
            first = output.copy();
    }
    return judgeOutput(output, first, fills[0], fills[1]);
}

/// None if the stage refuses the size.
std::optional<std::string> trySize(Stage &stage, const TrialSize &size, std::string &refusal)
{
    const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(StageDevice(), size.width, size.height);
    if (!instance.ok()) {
        refusal = instance.error().text;
        return std::nullopt;
    }
    return tryRuns(*instance.value(), size);
}

std::string tryInHostMemory(Stage &stage)
{
    bool ran = false;
    std::string refusal;
    const auto tryOne = [&](const TrialSize &size) {
        const std::optional<std::string> reason = trySize(stage, size, refusal);
        ran = ran || reason.has_value();
        return reason.value_or("");
    };
    for (const TrialSize &size : kTrialSizes)
        if (const std::string reason = tryOne(size); !reason.empty())
            return reason;
    if (!ran)
        if (const std::string reason = tryOne(kLargeSize); !reason.empty())
            return reason;
    return ran ? std::string() : refusal;
}

/// On the first device. Without one, there is nothing to try: the stage will not run, either.
std::string tryInCudaMemory(Stage &stage)
{
    const Result<std::unique_ptr<DeviceTrial>> trial = DeviceTrial::open("libcuda.so.1", 0);
    if (!trial.ok())
        return {};
    std::string refusal;
    for (const TrialSize &size : {kTrialSizes[0], kLargeSize}) {
        const Result<std::unique_ptr<StageInstance>> instance =
            stage.setUp({StageDevice::Memory::Cuda, 0, 0, 0}, size.width, size.height);
        if (!instance.ok()) {
            refusal = instance.error().text;
            continue;
        }
        StageInstance &tried = *instance.value();
        const Result<std::string> judged =
            trial.value()->judge({tried.reads(), tried.makes(), size.width, size.height, declaresInputWritten(tried),
                                  [&tried](const StageFrame &frame) { return tried.run(frame); }});
        return judged.ok() ? judged.value() : judged.error().message();
    }
    return refusal;
}

} // namespace

std::string trialOfStage(Stage &stage, bool inHostMemory, bool inCudaMemory)
{
    std::string reason = inHostMemory ? tryInHostMemory(stage) : std::string();
    if (reason.empty() && inCudaMemory)
        reason = tryInCudaMemory(stage);
    return reason;
}

std::string trialOfLibrary(const StageAddress &address)
{
    const Result<std::unique_ptr<LibraryStage>> stage = LibraryStage::create(address);
    if (!stage.ok())
        return stage.error().text;
    const std::uint32_t memory = stage.value()->library().stage().memory;
    return trialOfStage(*stage.value(), (memory & JETSCOPE_HOST) != 0, (memory & JETSCOPE_CUDA) != 0);
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// An experiment about a Jetson's buffers as VPI wraps them: by their descriptor and by an EGLImage. Not verified on
// hardware.
#include "gpu/measure/experiments.h"

#include "gpu/measure/vpiscene.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/nviva/nvivasurface.h"
#include "gpu/stages/vpi/vpistage.h"

#include <vector>

namespace jetscope {

namespace {

constexpr double kNsInMicrosecond = 1000;
constexpr std::size_t kPixelBytes = 4;
constexpr int kShrinks = 2; ///< By how much the rescaled picture is smaller.

/// How VPI gets the picture.
enum class Wrapping { HostMemory, Descriptor, EglImage };

/// Two pictures, each in a Jetson's buffer and in host memory, VPI's stream for VIC and a smaller picture. One thread.
class VpiBufferScene {
public:
    static Result<std::shared_ptr<VpiBufferScene>> create(ProbeBench &bench)
    {
        JETSCOPE_TRY_ASSIGN(VpiLibrary library, vpiForExperiment(vpi::kVic));
        if (vpiTools().library.empty() && bench.device().facts().software)
            return sentence("the figures would be those of VIC, not of the software iGPU; take a CUDA device");
        std::shared_ptr<VpiBufferScene> scene(new VpiBufferScene(std::move(library), bench));
        JETSCOPE_TRY(scene->makePictures());
        const Status learnt = scene->m_check.learn([&](std::size_t picture) -> Result<std::vector<std::byte>> {
            JETSCOPE_TRY(scene->rescale(Wrapping::HostMemory, picture));
            return scene->read();
        });
        JETSCOPE_TRY(learnt);
        return scene;
    }

    /// Wraps a picture, rescales it and checks the output; the times of both in microseconds.
    Result<std::pair<double, double>> turn(Wrapping wrapping)
    {
        const std::size_t picture = 1 - m_shown;
        JETSCOPE_TRY_ASSIGN(const auto times, rescale(wrapping, picture));
        JETSCOPE_TRY_ASSIGN(const std::vector<std::byte> seen, read());
        JETSCOPE_TRY(m_check.compare(seen.data(), picture));
        return times;
    }

    std::string label(ProbeBench &bench) const { return vpiLabel(bench, m_library, vpi::kVic); }

private:
    struct Picture {
        std::vector<std::byte> pixels;
        std::unique_ptr<NvivaSurface> surface;
    };
    VpiBufferScene(VpiLibrary library, ProbeBench &bench)
        : m_library(std::move(library)), m_width(bench.width()), m_height(bench.height())
    {
    }

    Status makePictures()
    {
        JETSCOPE_TRY_ASSIGN(const NvivaSurfaceApi api, NvivaSurfaceApi::load(nvivaTools().surfaces));
        const std::size_t bytes = static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height) * kPixelBytes;
        for (std::size_t picture = 0; picture < kVpiPictures; ++picture) {
            Picture made{vpiPattern(bytes, picture), nullptr};
            JETSCOPE_TRY_ASSIGN(made.surface, NvivaSurface::create(api, m_width, m_height));
            JETSCOPE_TRY(made.surface->write(made.pixels.data()));
            m_pictures.push_back(std::move(made));
        }
        const vpi::Functions &f = m_library.functions();
        void *made = nullptr;
        JETSCOPE_TRY(m_library.check(
            "vpiImageCreate",
            f.createImage(m_width / kShrinks, m_height / kShrinks, vpi::kRgba8, vpi::kVic | vpi::kCpu, &made)));
        m_small = VpiHandle(made, f.destroyImage);
        JETSCOPE_TRY(m_library.check("vpiStreamCreate", f.createStream(vpi::kVic, &made)));
        m_stream = VpiHandle(made, f.destroyStream);
        return {};
    }

    /// Only VIC is enabled: other backends could make VPI copy.
    Result<VpiHandle> wrap(Wrapping wrapping, const Picture &picture) const
    {
        vpi::ImageData data;
        switch (wrapping) {
        case Wrapping::HostMemory:
            data = m_library.describe(vpi::kRgba8, m_width, m_height, vpi::kHostPitchLinear, picture.pixels.data(),
                                      static_cast<std::size_t>(m_width) * kPixelBytes);
            break;
        case Wrapping::Descriptor:
            data = VpiLibrary::describeNvBuffer(picture.surface->descriptor());
            break;
        case Wrapping::EglImage:
            data = VpiLibrary::describeEglImage(picture.surface->image());
            break;
        }
        void *made = nullptr;
        JETSCOPE_TRY(m_library.check("vpiImageCreateWrapper",
                                     m_library.functions().wrapImage(&data, nullptr, vpi::kVic, &made)));
        return VpiHandle(made, m_library.functions().destroyImage);
    }

    Result<std::pair<double, double>> rescale(Wrapping wrapping, std::size_t picture)
    {
        const vpi::Functions &f = m_library.functions();
        const std::int64_t begin = nowNs();
        JETSCOPE_TRY_ASSIGN(VpiHandle wrapper, wrap(wrapping, m_pictures[picture]));
        const std::int64_t wrapped = nowNs();
        m_wrappers.push_back(std::move(wrapper));
        m_shown = picture;
        const Status submitted = m_library.check(
            "vpiSubmitRescale",
            f.rescale(m_stream.get(), vpi::kVic, m_wrappers.back().get(), m_small.get(), vpi::kLinear, vpi::kClamp, 0));
        JETSCOPE_TRY(m_library.check("vpiStreamSync", f.syncStream(m_stream.get())));
        const std::int64_t done = nowNs();
        m_wrappers.clear();
        JETSCOPE_TRY(submitted);
        return std::pair(static_cast<double>(wrapped - begin) / kNsInMicrosecond,
                         static_cast<double>(done - wrapped) / kNsInMicrosecond);
    }

    Result<std::vector<std::byte>> read() const
    {
        const vpi::Functions &f = m_library.functions();
        vpi::ImageData data;
        JETSCOPE_TRY(m_library.check("vpiImageLockData",
                                     f.lockImage(m_small.get(), vpi::kLockRead, vpi::kHostPitchLinear, &data)));
        std::vector<std::byte> seen;
        const auto *const pixels = m_library.pixelsOf(data);
        for (int y = 0; y < data.height; ++y) {
            const std::byte *const row = pixels + std::ptrdiff_t{y} * data.pitchBytes;
            seen.insert(seen.end(), row, row + static_cast<std::size_t>(data.width) * kPixelBytes);
        }
        JETSCOPE_TRY(m_library.check("vpiImageUnlock", f.unlockImage(m_small.get())));
        return seen;
    }

    const VpiLibrary m_library;
    const int m_width;
    const int m_height;
    std::vector<Picture> m_pictures; ///< They go when no wrapper is left.
    std::size_t m_shown = 0;         ///< The picture of the newest output.
    VpiHandle m_small;
    std::vector<VpiHandle> m_wrappers; ///< That VPI may use: after an error of a wait, until its stream is gone.
    VpiHandle m_stream;                ///< Its work is complete when it goes.
    VpiCheck m_check;
};

} // namespace

Result<PreparedExperiment> prepareVpiBuffers(ProbeBench &bench)
{
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<VpiBufferScene> scene, VpiBufferScene::create(bench));
    PreparedExperiment prepared;
    prepared.measuredOn = scene->label(bench);
    prepared.design.columns = {{"the time to wrap the picture", "us", {.least = 0.02}},
                               {"rescaling on VIC with its wait", "us", {.least = 0.02}}};
    prepared.design.variants = {"host memory", "a buffer of the Jetson by its descriptor",
                                "a buffer of the Jetson by its EGLImage"};
    prepared.design.comparisons = {{0, 1, 1}, {0, 2, 1}, {1, 2, 0}, {1, 2, 1}};
    for (const Wrapping wrapping : {Wrapping::HostMemory, Wrapping::Descriptor, Wrapping::EglImage})
        addStep(prepared, [scene, wrapping]() -> Result<std::vector<double>> {
            JETSCOPE_TRY_ASSIGN(const auto times, scene->turn(wrapping));
            return std::vector{times.first, times.second};
        });
    return prepared;
}

} // namespace jetscope

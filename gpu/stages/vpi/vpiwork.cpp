// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpiwork.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace jetscope {

namespace {

constexpr int kMarkReach = 2; ///< Pixels of a mark to each side of its corner.
constexpr unsigned char kMarkValue = 255;
constexpr float kNeighbourDistance = 8; ///< The only one that PVA takes.

class GaussianWork final : public VpiWork {
public:
    explicit GaussianWork(const VpiParts &parts) : m_parts(parts) {}

    Status submit(std::uint64_t, vpi::Stream stream, vpi::Image input, vpi::Image output) override
    {
        const VpiPlan &plan = m_parts.plan;
        const auto sigma = static_cast<float>(plan.sigma);
        return m_parts.library.check("vpiSubmitGaussianFilter",
                                     m_parts.library.functions().gaussian(stream, plan.backend, input, output,
                                                                          plan.size, plan.size, sigma, sigma,
                                                                          vpi::kClamp));
    }

private:
    const VpiParts m_parts;
};

class RescaleWork final : public VpiWork {
public:
    static Result<std::unique_ptr<VpiWork>> create(const VpiParts &parts)
    {
        void *small = nullptr;
        const vpi::Functions &f = parts.library.functions();
        const auto scaled = [&](int pixels) { return static_cast<std::int32_t>(pixels * parts.plan.scale); };
        JETSCOPE_TRY(parts.library.check(
            "vpiImageCreate",
            f.createImage(scaled(parts.width), scaled(parts.height), vpi::kRgba8, parts.backends, &small)));
        return std::unique_ptr<VpiWork>(new RescaleWork(parts, VpiHandle(small, f.destroyImage)));
    }

    Status submit(std::uint64_t, vpi::Stream stream, vpi::Image input, vpi::Image output) override
    {
        JETSCOPE_TRY(rescale(stream, input, m_small.get()));
        return rescale(stream, m_small.get(), output);
    }

private:
    RescaleWork(const VpiParts &parts, VpiHandle small) : m_parts(parts), m_small(std::move(small)) {}

    Status rescale(vpi::Stream stream, vpi::Image from, vpi::Image to)
    {
        return m_parts.library.check(
            "vpiSubmitRescale",
            m_parts.library.functions().rescale(stream, m_parts.plan.backend, from, to, vpi::kLinear, vpi::kClamp, 0));
    }

    const VpiParts m_parts;
    const VpiHandle m_small;
};

class ConvertWork final : public VpiWork {
public:
    explicit ConvertWork(const VpiParts &parts) : m_parts(parts) {}

    Status submit(std::uint64_t, vpi::Stream stream, vpi::Image input, vpi::Image output) override
    {
        return m_parts.library.check(
            "vpiSubmitConvertImageFormat",
            m_parts.library.functions().convert(stream, m_parts.plan.backend, input, output, nullptr));
    }

private:
    const VpiParts m_parts;
};

/// Corners, marked on a copy of the input.
class HarrisWork final : public VpiWork {
public:
    static Result<std::unique_ptr<VpiWork>> create(const VpiParts &parts)
    {
        std::unique_ptr<HarrisWork> work(new HarrisWork(parts));
        JETSCOPE_TRY(work->allocate());
        return std::unique_ptr<VpiWork>(std::move(work));
    }

    Status submit(std::uint64_t frame, vpi::Stream stream, vpi::Image input, vpi::Image) override
    {
        const VpiLibrary &library = m_parts.library;
        const vpi::Functions &f = library.functions();
        vpi::Image read = input;
        if (m_wide.get()) {
            const std::uint64_t helper = m_parts.backends & ~m_parts.plan.backend;
            JETSCOPE_TRY(
                library.check("vpiSubmitConvertImageFormat", f.convert(stream, helper, input, m_wide.get(), nullptr)));
            read = m_wide.get();
        }
        JETSCOPE_TRY_ASSIGN(const VpiCorners::Arrays arrays, m_parts.corners->begin(frame));
        return library.check("vpiSubmitHarrisCornerDetector",
                             f.harris(stream, m_parts.plan.backend, m_payload.get(), read, arrays.corners,
                                      arrays.scores, &m_parameters));
    }

    Status prepare(const StageFrame &frame) override { return m_parts.plan.isReadByCpuStage ? copy(frame) : Status(); }

    Status finish(const StageFrame &frame) override
    {
        if (m_parts.plan.isReadByCpuStage)
            return {};
        JETSCOPE_TRY_ASSIGN(const std::vector<StagePoint> corners, m_parts.corners->read(frame.number));
        JETSCOPE_TRY(copy(frame));
        for (const StagePoint &corner : corners)
            JETSCOPE_TRY(mark(frame, corner));
        return {};
    }

private:
    explicit HarrisWork(const VpiParts &parts) : m_parts(parts) {}

    Status allocate()
    {
        const VpiLibrary &library = m_parts.library;
        const vpi::Functions &f = library.functions();
        void *made = nullptr;
        JETSCOPE_TRY(library.check("vpiCreateHarrisCornerDetector",
                                   f.createHarris(m_parts.plan.backend, m_parts.width, m_parts.height, &made)));
        m_payload = VpiHandle(made, f.destroyPayload);
        if (m_parts.plan.backend == vpi::kPva) { // It reads 16 bits only.
            JETSCOPE_TRY(library.check(
                "vpiImageCreate", f.createImage(m_parts.width, m_parts.height, vpi::kS16, m_parts.backends, &made)));
            m_wide = VpiHandle(made, f.destroyImage);
        }
        JETSCOPE_TRY(library.check("vpiInitHarrisCornerDetectorParams", f.initHarris(&m_parameters)));
        m_parameters.strength = static_cast<float>(m_parts.plan.strength);
        m_parameters.distance = kNeighbourDistance;
        return {};
    }

    Status copy(const StageFrame &frame) const
    {
        const auto rowBytes = static_cast<std::size_t>(frame.input.width);
        if (!m_parts.cuda) {
            for (std::size_t y = 0; y < static_cast<std::size_t>(frame.input.height); ++y)
                std::memcpy(frame.output.pixels + y * frame.output.pitch, frame.input.pixels + y * frame.input.pitch,
                            rowBytes);
            return {};
        }
        driver::Copy2d copy;
        copy.from.device = reinterpret_cast<std::uintptr_t>(frame.input.pixels);
        copy.from.pitch = frame.input.pitch;
        copy.to.device = reinterpret_cast<std::uintptr_t>(frame.output.pixels);
        copy.to.pitch = frame.output.pitch;
        copy.widthBytes = rowBytes;
        copy.height = static_cast<std::size_t>(frame.input.height);
        return m_parts.cuda->check("cuMemcpy2DAsync", m_parts.cuda->copy2dAsync(&copy, frame.stream));
    }

    /// A white square; what is outside of the picture is cut off.
    Status mark(const StageFrame &frame, const StagePoint &corner) const
    {
        // Also false for NaN, which cannot become an integer.
        if (!(corner.x >= 0 && corner.y >= 0 && corner.x < static_cast<float>(frame.output.width)
              && corner.y < static_cast<float>(frame.output.height)))
            return {};
        const int left = std::max(0, static_cast<int>(corner.x) - kMarkReach);
        const int top = std::max(0, static_cast<int>(corner.y) - kMarkReach);
        const int right = std::min(frame.output.width - 1, static_cast<int>(corner.x) + kMarkReach);
        const int bottom = std::min(frame.output.height - 1, static_cast<int>(corner.y) + kMarkReach);
        std::byte *const first =
            frame.output.pixels + static_cast<std::size_t>(top) * frame.output.pitch + static_cast<std::size_t>(left);
        const auto width = static_cast<std::size_t>(right - left) + 1;
        const auto height = static_cast<std::size_t>(bottom - top) + 1;
        if (m_parts.cuda)
            return m_parts.cuda->check("cuMemsetD2D8Async",
                                       m_parts.cuda->set2dAsync(reinterpret_cast<std::uintptr_t>(first),
                                                                frame.output.pitch, kMarkValue, width, height,
                                                                frame.stream));
        for (std::size_t y = 0; y < height; ++y)
            std::memset(first + y * frame.output.pitch, kMarkValue, width);
        return {};
    }

    const VpiParts m_parts;
    VpiHandle m_payload;
    VpiHandle m_wide; ///< The input with 16 bits; only for PVA.
    vpi::HarrisParameters m_parameters;
};

} // namespace

Result<std::unique_ptr<VpiWork>> VpiWork::create(const VpiParts &parts)
{
    switch (parts.plan.algorithm) {
    case VpiAlgorithm::Gaussian:
        return std::unique_ptr<VpiWork>(std::make_unique<GaussianWork>(parts));
    case VpiAlgorithm::Rescale:
        return RescaleWork::create(parts);
    case VpiAlgorithm::Convert:
        return std::unique_ptr<VpiWork>(std::make_unique<ConvertWork>(parts));
    case VpiAlgorithm::Harris:
        break;
    }
    return HarrisWork::create(parts);
}

std::uint64_t vpiFormatOf(const VpiPlan &plan, PixelFormat format)
{
    if (format == PixelFormat::Rgba8)
        return vpi::kRgba8;
    return plan.algorithm == VpiAlgorithm::Convert ? vpi::kY8Er : vpi::kU8;
}

std::uint64_t backendsFor(const VpiPlan &plan, const VpiLibrary &library)
{
    if (plan.algorithm != VpiAlgorithm::Harris || plan.backend != vpi::kPva)
        return plan.backend;
    return plan.backend | ((library.backends() & vpi::kCuda) != 0 ? vpi::kCuda : vpi::kCpu);
}

} // namespace jetscope

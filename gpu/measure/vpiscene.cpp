// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/vpiscene.h"

#include "gpu/stages/vpi/vpistage.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace jetscope {

namespace {

constexpr int kBlurSize = 5;
constexpr float kBlurSigma = 1.2F;

} // namespace

Result<VpiLibrary> vpiForExperiment(std::uint64_t backends)
{
    const VpiTools &tools = vpiTools();
    JETSCOPE_TRY_ASSIGN(VpiLibrary library,
                        tools.library.empty() ? VpiLibrary::find(0) : VpiLibrary::load(tools.library, tools.major));
    if ((library.backends() & backends) == 0)
        return sentence("VPI " + library.version() + " has no " + backendNames(backends) + " on this machine; it has "
                        + backendNames(library.backends()));
    return library;
}

std::string vpiLabel(ProbeBench &bench, const VpiLibrary &library, std::uint64_t backend)
{
    const std::string &label = vpiTools().label;
    return label.empty() ? bench.device().facts().name + ", VPI " + library.version() + " on " + backendNames(backend)
                         : label;
}

std::vector<std::byte> vpiPattern(std::size_t bytes, std::size_t picture)
{
    std::vector<std::byte> pattern(bytes);
    std::uint32_t value = static_cast<std::uint32_t>(picture) * 2654435761U + 1;
    for (std::byte &each : pattern)
        each = static_cast<std::byte>((value = value * 1664525 + 1013904223) >> 24);
    return pattern;
}

/// Twice by turns: what is late by one turn or two differs from the first time.
Status VpiCheck::learn(const Make &make)
{
    for (const bool isAgain : {false, true})
        for (std::size_t picture = 0; picture < kVpiPictures; ++picture) {
            JETSCOPE_TRY_ASSIGN(std::vector<std::byte> made, make(picture));
            if (isAgain && made != m_expected[picture])
                return sentence("VPI makes other bytes of the same picture when it is asked again, so nothing can be "
                                "compared");
            m_expected[picture] = std::move(made);
        }
    if (m_expected[0] == m_expected[1])
        return sentence("VPI makes the same bytes of two pictures, so nothing can be compared");
    return {};
}

Status VpiCheck::compare(const std::byte *seen, std::size_t picture) const
{
    const auto isOf = [&](std::size_t each) {
        return std::memcmp(m_expected[each].data(), seen, m_expected[each].size()) == 0;
    };
    if (isOf(picture))
        return {};
    return sentence(isOf(1 - picture)
                        ? "the bytes are those of the turn before, so the work was not ordered"
                        : "the bytes are not those that VPI makes of this picture, so the work was not ordered");
}

Result<VpiMemory> VpiMemory::create(const KernelDriver &driver, Kind kind, std::size_t bytes)
{
    VpiMemory memory(driver);
    if (kind == Kind::Managed)
        JETSCOPE_TRY(
            driver.check("cuMemAllocManaged", driver.allocateManaged(&memory.m_address, bytes, driver::kAttachGlobal)));
    else
        JETSCOPE_TRY(driver.check("cuMemAlloc", driver.allocate(&memory.m_address, bytes)));
    return memory;
}

void VpiLateCopy::submit(void *self)
{
    auto *const copy = static_cast<VpiLateCopy *>(self);
    const Status current = copy->scene->use();
    copy->code = current.ok() ? copy->scene->copy(copy->from, copy->to) : static_cast<int>(current.error().code);
}

Result<std::shared_ptr<VpiScene>> VpiScene::create(ProbeBench &bench, std::span<const std::uint64_t> backends,
                                                   bool wraps)
{
    std::uint64_t wanted = 0;
    for (const std::uint64_t each : backends)
        wanted |= each;
    JETSCOPE_TRY_ASSIGN(VpiLibrary library, vpiForExperiment(wanted));
    const VpiTools &tools = vpiTools();
    if (tools.library.empty() && bench.device().facts().software)
        return sentence("the software iGPU has no CUDA streams that VPI can wrap; take a CUDA device");
    JETSCOPE_TRY_ASSIGN(const KernelDriver driver, KernelDriver::load(tools.driver));
    std::shared_ptr<VpiScene> scene(new VpiScene(std::move(library), driver, bench));
    scene->m_backend = *std::find_if(backends.begin(), backends.end(),
                                     [&](std::uint64_t each) { return (scene->m_library.backends() & each) != 0; });
    JETSCOPE_TRY(scene->openContext(bench));
    JETSCOPE_TRY(scene->openVpi(wraps));
    JETSCOPE_TRY(scene->makeInputs());
    JETSCOPE_TRY(scene->learn());
    return scene;
}

VpiScene::~VpiScene()
{
    static_cast<void>(use()); // Before the context is used by destructors.
    m_vpiStream = {};         // It may still call late copies, which use outputs and the CUDA stream.
    m_inputs.clear();
    m_outputs.clear();
    if (m_stream)
        static_cast<void>(m_driver.destroyStream(m_stream));
}

Status VpiScene::openContext(ProbeBench &bench)
{
    const std::string &id = bench.device().facts().id;
    const int ordinal = id.starts_with("cuda:") ? std::atoi(id.c_str() + 5) : 0;
    int device = 0;
    JETSCOPE_TRY(check("cuInit", m_driver.init(0)));
    JETSCOPE_TRY(check("cuDeviceGet", m_driver.deviceGet(&device, ordinal)));
    JETSCOPE_TRY(check("cuDevicePrimaryCtxRetain", m_driver.retainPrimaryContext(&m_context, device)));
    JETSCOPE_TRY(use());
    return check("cuStreamCreate", m_driver.createStream(&m_stream, driver::kNonBlocking));
}

Status VpiScene::openVpi(bool wraps)
{
    const vpi::Functions &f = m_library.functions();
    const std::uint64_t backends = m_backend | vpi::kCuda;
    void *made = nullptr;
    if (wraps)
        JETSCOPE_TRY(m_library.check("vpiStreamCreateWrapperCUDA", f.wrapCudaStream(m_stream, backends, &made)));
    else
        JETSCOPE_TRY(m_library.check("vpiStreamCreate", f.createStream(backends, &made)));
    m_vpiStream = VpiHandle(made, f.destroyStream);
    return {};
}

Result<VpiScene::Picture> VpiScene::makePicture(VpiMemory::Kind kind) const
{
    JETSCOPE_TRY_ASSIGN(VpiMemory memory, VpiMemory::create(m_driver, kind, bytes()));
    const vpi::ImageData data = m_library.describe(vpi::kU8, m_width, m_height, vpi::kCudaPitchLinear, memory.pixels(),
                                                   static_cast<std::size_t>(m_width));
    const vpi::Functions &f = m_library.functions();
    void *made = nullptr;
    JETSCOPE_TRY(m_library.check("vpiImageCreateWrapper", f.wrapImage(&data, nullptr, m_backend | vpi::kCuda, &made)));
    return Picture{std::move(memory), VpiHandle(made, f.destroyImage)};
}

Status VpiScene::makeInputs()
{
    for (std::size_t picture = 0; picture < kVpiPictures; ++picture) {
        JETSCOPE_TRY_ASSIGN(Picture made, makePicture(VpiMemory::Kind::Device));
        const std::vector<std::byte> pattern = vpiPattern(bytes(), picture);
        JETSCOPE_TRY(check("cuMemcpyHtoD", m_driver.copyToDevice(made.memory.address(), pattern.data(), bytes())));
        m_inputs.push_back(std::move(made));
    }
    // The copies may return before their bytes arrive, and VPI's streams do not wait for them.
    return check("cuCtxSynchronize", m_driver.synchronizeContext());
}

/// In an output that no turn uses.
Status VpiScene::learn()
{
    JETSCOPE_TRY_ASSIGN(const std::size_t output, addOutput(VpiMemory::Kind::Device));
    return m_check.learn([&](std::size_t picture) -> Result<std::vector<std::byte>> {
        const Status submitted = blur(picture, output);
        JETSCOPE_TRY(waitForVpi());
        JETSCOPE_TRY(submitted);
        JETSCOPE_TRY(waitForAll());
        JETSCOPE_TRY(read(output));
        return m_read;
    });
}

Result<std::size_t> VpiScene::addOutput(VpiMemory::Kind kind)
{
    JETSCOPE_TRY_ASSIGN(Picture made, makePicture(kind));
    m_outputs.push_back(std::move(made));
    return m_outputs.size() - 1;
}

Status VpiScene::waitForVpi()
{
    Status waited = m_library.check("vpiStreamSync", m_library.functions().syncStream(m_vpiStream.get()));
    if (m_waited.ok())
        m_waited = waited;
    return waited;
}

Status VpiScene::blur(std::size_t picture, std::size_t output)
{
    JETSCOPE_TRY(m_waited);
    m_outputs[output].picture = picture;
    return m_library.check("vpiSubmitGaussianFilter",
                           m_library.functions().gaussian(m_vpiStream.get(), m_backend, m_inputs[picture].image.get(),
                                                          m_outputs[output].image.get(), kBlurSize, kBlurSize,
                                                          kBlurSigma, kBlurSigma, vpi::kClamp));
}

int VpiScene::copy(std::size_t from, std::size_t to) const
{
    driver::Copy2d copy;
    copy.from.device = m_outputs[from].memory.address();
    copy.to.device = m_outputs[to].memory.address();
    copy.from.pitch = copy.to.pitch = copy.widthBytes = static_cast<std::size_t>(m_width);
    copy.height = static_cast<std::size_t>(m_height);
    return m_driver.copy2dAsync(&copy, m_stream);
}

VpiLateCopy &VpiScene::addLateCopy(std::size_t from, std::size_t to)
{
    return m_lateCopies.emplace_back(VpiLateCopy{this, from, to});
}

Status VpiScene::read(std::size_t output)
{
    m_read.resize(bytes());
    return check("cuMemcpyDtoH", m_driver.copyToHost(m_read.data(), m_outputs[output].memory.address(), bytes()));
}

Status VpiScene::compareOnDevice(std::size_t output, std::size_t picture)
{
    JETSCOPE_TRY(read(output));
    return m_check.compare(m_read.data(), picture);
}

} // namespace jetscope

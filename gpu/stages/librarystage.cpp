// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/librarystage.h"

#include "core/settings/pipelineconfig.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stagetrial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>

#include <dlfcn.h>

namespace jetscope {

namespace {

constexpr std::size_t kMaxTouches = 8;
constexpr std::uint32_t kMaxOptions = 32;
constexpr std::size_t kMaxText = 400;

/// A text of the library, cut off if it is long.
std::string textOf(const char *text)
{
    const std::string whole = text ? text : "";
    return whole.size() > kMaxText ? whole.substr(0, kMaxText) + "…" : whole;
}

bool isOptionName(const char *name)
{
    return name && *name
        && std::string_view(name).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// What is wrong with the description of a stage; empty if nothing is.
std::string faultOf(const jetscope_stage &stage)
{
    if (stage.version != JETSCOPE_STAGE_VERSION)
        return "it was made for version " + std::to_string(stage.version)
            + " of jetscope_stage.h, and this Jetscope has " + std::to_string(JETSCOPE_STAGE_VERSION)
            + "; build it again with the header of this Jetscope";
    if (!stage.name || !*stage.name || !stage.help || !*stage.help)
        return "it has no name or no sentence of help";
    if (!stage.plan || !stage.set_up || !stage.run || !stage.tear_down)
        return "one of plan, set_up, run and tear_down is null";
    if ((stage.memory & (JETSCOPE_HOST | JETSCOPE_CUDA)) == 0)
        return "it takes neither host memory nor CUDA memory";
    if (stage.reads != JETSCOPE_RGBA8 && stage.reads != JETSCOPE_GREY8)
        return "it reads the unknown format " + std::to_string(stage.reads);
    if (stage.option_count > kMaxOptions || (stage.option_count > 0 && !stage.options))
        return "its table of options is null or has more than " + std::to_string(kMaxOptions) + " rows";
    for (std::uint32_t i = 0; i < stage.option_count; ++i) {
        const jetscope_option &option = stage.options[i];
        const bool ordered = option.least <= option.value && option.value <= option.most; // Also false for NaN.
        if (!isOptionName(option.name) || !option.help || !ordered || !std::isfinite(option.most - option.least))
            return "the option in row " + std::to_string(i) + " has a malformed name, no help or no range";
    }
    return {};
}

jetscope_image imageOf(const StageImage &image)
{
    return {image.format == PixelFormat::Grey8 ? std::uint32_t{JETSCOPE_GREY8} : std::uint32_t{JETSCOPE_RGBA8},
            image.width, image.height, image.pixels, image.pitch};
}

/// Held in each call. One for each library: stages with other options have the same code and its globals.
std::mutex &mutexOf(const jetscope_stage &stage)
{
    static std::mutex mutex;
    static std::map<const jetscope_stage *, std::mutex> mutexes;
    const std::lock_guard lock(mutex);
    return mutexes[&stage];
}

class LibraryInstance final : public StageInstance {
public:
    LibraryInstance(const jetscope_stage &stage, PixelFormat reads, PixelFormat makes, void *state)
        : StageInstance(reads, makes), m_stage(stage), m_calls(mutexOf(stage)), m_state(state)
    {
    }
    ~LibraryInstance() override
    {
        const std::lock_guard lock(m_calls);
        m_stage.tear_down(m_state);
    }
    LibraryInstance(const LibraryInstance &) = delete;
    LibraryInstance &operator=(const LibraryInstance &) = delete;

protected:
    Status runFrame(const StageFrame &frame) override
    {
        const std::lock_guard lock(m_calls);
        const jetscope_frame given{frame.number, imageOf(frame.input), imageOf(frame.output), frame.stream};
        if (const char *reason = m_stage.run(m_state, &given))
            return sentence("the stage \"" + textOf(m_stage.name) + "\" failed: " + textOf(reason));
        return {};
    }

    std::vector<StageTouch> touchesOf(std::uint64_t frame) override
    {
        if (!m_stage.touches)
            return {};
        const std::lock_guard lock(m_calls);
        std::array<jetscope_touch, kMaxTouches> list{};
        const std::size_t count = std::min(m_stage.touches(m_state, frame, list.data(), list.size()), list.size());
        std::vector<StageTouch> touches;
        for (std::size_t i = 0; i < count; ++i)
            for (const auto &[bit, access] :
                 {std::pair{JETSCOPE_READ, Access::Read}, std::pair{JETSCOPE_WRITE, Access::Write}})
                if ((list[i].access & static_cast<std::uint32_t>(bit)) != 0)
                    touches.push_back({list[i].memory, list[i].bytes, access});
        return touches;
    }

private:
    const jetscope_stage &m_stage;
    std::mutex &m_calls;
    void *const m_state;
};

Capability takes(const jetscope_stage &stage, std::uint32_t memory, const char *words)
{
    if ((stage.memory & memory) != 0)
        return Capability::yes();
    return Capability::no("The stage \"" + textOf(stage.name) + "\" " + words + ".");
}

} // namespace

Result<StageLibrary> StageLibrary::load(const std::string &path)
{
    std::error_code error;
    const std::string file = std::filesystem::absolute(path, error).string(); // Else dlopen would search for it.
    if (error || !std::filesystem::is_regular_file(file, error))
        return sentence("there is no file " + quotedValue(path));
    void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *const text = dlerror();
        return sentence("it cannot be loaded: " + textOf(text));
    }
    const auto get = reinterpret_cast<decltype(&jetscope_stage_get)>(dlsym(library, "jetscope_stage_get"));
    if (!get)
        return sentence("it exports no function jetscope_stage_get; jetscope_stage.h describes it");
    const jetscope_stage *const stage = get(JETSCOPE_STAGE_VERSION);
    if (!stage)
        return sentence("it does not have version " + std::to_string(JETSCOPE_STAGE_VERSION)
                        + " of jetscope_stage.h; build it again with the header of this Jetscope");
    if (const std::string fault = faultOf(*stage); !fault.empty())
        return sentence(fault);
    return StageLibrary(stage, file);
}

std::vector<FilterOption> StageLibrary::options() const
{
    std::vector<FilterOption> options;
    for (std::uint32_t i = 0; i < m_stage->option_count; ++i) {
        const jetscope_option &each = m_stage->options[i];
        const double step = std::isfinite(each.step) && each.step > 0 ? each.step : 0;
        options.push_back({each.name, textOf(each.help), each.least, each.most, each.value, step, each.value, {}});
    }
    return options;
}

Result<std::unique_ptr<LibraryStage>> LibraryStage::create(const StageAddress &address)
{
    JETSCOPE_TRY_ASSIGN(StageLibrary library, StageLibrary::load(address.path));
    std::vector<FilterOption> options = library.options();
    JETSCOPE_TRY(setOptions(options, address, true));
    return std::unique_ptr<LibraryStage>(new LibraryStage(std::move(library), std::move(options)));
}

Result<std::unique_ptr<StageInstance>> LibraryStage::setUp(const StageDevice &device, int width, int height)
{
    const jetscope_stage &stage = m_library.stage();
    const std::string called = "the stage \"" + textOf(stage.name) + "\" ";
    jetscope_setup setup{};
    setup.memory = device.memory == StageDevice::Memory::Host ? JETSCOPE_HOST : JETSCOPE_CUDA;
    setup.input = {stage.reads, width, height, nullptr, 0};
    std::vector<double> values;
    for (const FilterOption &option : m_options)
        values.push_back(option.value);
    setup.options = values.data();
    const std::lock_guard lock(mutexOf(stage));
    if (const char *reason = stage.plan(&setup, &setup.output))
        return sentence(called + "cannot be used: " + textOf(reason));
    if (setup.output.width != width || setup.output.height != height)
        return sentence(called + "makes pictures of " + std::to_string(setup.output.width) + "x"
                        + std::to_string(setup.output.height) + " pixels of frames of " + std::to_string(width) + "x"
                        + std::to_string(height) + "; it must keep the size");
    if (setup.output.format != JETSCOPE_RGBA8 && setup.output.format != JETSCOPE_GREY8)
        return sentence(called + "makes the unknown format " + std::to_string(setup.output.format));
    void *state = nullptr;
    if (const char *reason = stage.set_up(&setup, &state))
        return sentence(called + "cannot be set up: " + textOf(reason));
    const auto formatOf = [](std::uint32_t format) {
        return format == JETSCOPE_GREY8 ? PixelFormat::Grey8 : PixelFormat::Rgba8;
    };
    return std::unique_ptr<StageInstance>(
        std::make_unique<LibraryInstance>(stage, formatOf(stage.reads), formatOf(setup.output.format), state));
}

LoadedStage loadLibraryStage(const StageAddress &address)
{
    const std::string file = std::filesystem::path(address.path).filename().string();
    const auto refuse = [&](const std::string &reason) {
        return unusableStage(file, "The stage \"" + file + "\" is not used: " + reason + ".");
    };
    if (const Capability tried = tryStage(stageTrialPlan(address)); !tried.available)
        return refuse(tried.reason);
    Result<std::unique_ptr<LibraryStage>> code = LibraryStage::create(address);
    if (!code.ok())
        return refuse(code.error().text);
    const jetscope_stage &stage = code.value()->library().stage();
    FilterRow row;
    row.label = textOf(stage.name);
    row.help = textOf(stage.help);
    row.options = code.value()->options();
    row.onCpu = takes(stage, JETSCOPE_HOST, "takes CUDA memory only, which the software iGPU does not have");
    row.onCuda = takes(stage, JETSCOPE_CUDA, "takes host memory only, and frames are in CUDA memory here");
    return {std::move(row), std::move(code).value()};
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpilibrary.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace jetscope {

namespace {

constexpr int kNewestVpi = 4;
constexpr int kOldestVpi = 2;
constexpr std::int32_t kTrialWidth = 24; ///< Of the image that shows where addresses are.
constexpr std::int32_t kTrialHeight = 18;

std::string libraryName(int major)
{
    return "libnvvpi.so." + std::to_string(major);
}

/// The names under which a major version may be found: by the linker, and where its packages put it.
std::array<std::string, 3> placesOf(int major)
{
    const std::string folder = "/opt/nvidia/vpi" + std::to_string(major) + "/lib/";
    return {libraryName(major), folder + "aarch64-linux-gnu/" + libraryName(major),
            folder + "x86_64-linux-gnu/" + libraryName(major)};
}

/// Whether a file is where it is said to be, or in the list of what the linker finds.
bool isThere(const std::string &place, const std::string &linkerList)
{
    if (place.starts_with('/'))
        return access(place.c_str(), R_OK) == 0;
    return linkerList.find('\0' + place + '\0') != std::string::npos;
}

/// The names that the linker has are in its cache, each with an end of zero; folders of the environment come first.
std::string linkerList()
{
    std::ifstream file("/etc/ld.so.cache", std::ios::binary);
    return '\0' + std::string(std::istreambuf_iterator<char>(file), {});
}

Error noVpi(int major)
{
    return sentence((major == 0 ? std::string("none of libnvvpi.so.4, .3 and .2") : "no " + libraryName(major))
                    + " was found where the linker looks and in /opt/nvidia/vpi*; install VPI, which comes with "
                      "JetPack");
}

std::string lastLoadError()
{
    const char *const text = dlerror();
    return text ? text : "the library cannot be loaded";
}

} // namespace

Result<VpiLibrary> VpiLibrary::find(int major)
{
    for (int each = kNewestVpi; each >= kOldestVpi; --each) {
        if (major != 0 && each != major)
            continue;
        for (const std::string &place : placesOf(each))
            if (void *const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
                dlclose(library); // `load` opens it again, for good.
                return load(place, each);
            }
    }
    return noVpi(major);
}

Status VpiLibrary::look()
{
    // An environment that names folders of libraries may have it anywhere: only loading it would tell.
    if (const char *const folders = std::getenv("LD_LIBRARY_PATH"); folders && *folders)
        return {};
    const std::string list = linkerList();
    for (int major = kNewestVpi; major >= kOldestVpi; --major)
        for (const std::string &place : placesOf(major))
            if (isThere(place, list))
                return {};
    return noVpi(0);
}

Result<VpiLibrary> VpiLibrary::load(const std::string &path, int major)
{
    void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return sentence(lastLoadError() + "; install VPI again");
    VpiLibrary library;
    library.m_path = path;
    library.m_functions = vpi::Functions(handle);
    if (const std::string &missing = library.m_functions.missing(); !missing.empty())
        return sentence(path + " has no function " + missing + ", so it is no VPI 2, 3 or 4");
    library.m_version = library.m_functions.getVersion();
    if (library.major() != major)
        return sentence(path + " should be VPI " + std::to_string(major) + " but says that it is VPI "
                        + library.version() + "; install VPI again");
    JETSCOPE_TRY(library.askBackends());
    JETSCOPE_TRY(library.findAddressWord());
    return library;
}

Status VpiLibrary::askBackends()
{
    vpi::Context context = nullptr;
    JETSCOPE_TRY(check("vpiContextGetCurrent", m_functions.currentContext(&context)));
    return check("vpiContextGetFlags", m_functions.contextFlags(context, &m_backends));
}

/// Locks an image, compares what VPI says of it with the documented structure, and sees which word is the address.
Status VpiLibrary::findAddressWord()
{
    const vpi::Functions &f = m_functions;
    void *made = nullptr;
    JETSCOPE_TRY(check("vpiImageCreate", f.createImage(kTrialWidth, kTrialHeight, vpi::kU8, vpi::kCpu, &made)));
    const VpiHandle image(made, f.destroyImage);
    vpi::ImageData data;
    JETSCOPE_TRY(check("vpiImageLockData", f.lockImage(image.get(), vpi::kLockRead, vpi::kHostPitchLinear, &data)));
    JETSCOPE_TRY(check("vpiImageUnlock", f.unlockImage(image.get())));
    // Versions 2 and 3 do not write the second word, and the larger one is the address: offsets are small.
    m_addressWord = major() >= 4 && data.words[1] > data.words[0] ? 1 : 0;
    const bool isAsDocumented = data.bufferType == vpi::kHostPitchLinear && data.format == vpi::kU8
        && data.planeCount == 1 && data.width == kTrialWidth && data.height == kTrialHeight
        && data.pitchBytes >= kTrialWidth && data.words[m_addressWord] != 0;
    if (!isAsDocumented)
        return sentence(m_path + " describes images otherwise than the documentation of VPI " + std::to_string(major())
                        + "; take another version by version=N");
    return {};
}

std::string VpiLibrary::version() const
{
    return std::to_string(m_version / 1'000'000) + "." + std::to_string(m_version / 10'000 % 100) + "."
        + std::to_string(m_version / 100 % 100);
}

vpi::ImageData VpiLibrary::describe(std::uint64_t format, int width, int height, int bufferType, const void *pixels,
                                    std::size_t pitch) const
{
    vpi::ImageData data;
    data.bufferType = bufferType;
    data.format = format;
    data.width = width;
    data.height = height;
    data.pitchBytes = static_cast<std::int32_t>(pitch);
    data.words[m_addressWord] = reinterpret_cast<std::uintptr_t>(pixels);
    return data;
}

/// The handle lies where pitch-linear images have their format: in a union.
vpi::ImageData VpiLibrary::describeNvBuffer(int descriptor)
{
    vpi::ImageData data;
    data.bufferType = vpi::kNvBuffer;
    std::memcpy(&data.format, &descriptor, sizeof descriptor);
    return data;
}

vpi::ImageData VpiLibrary::describeEglImage(void *image)
{
    vpi::ImageData data;
    data.bufferType = vpi::kEglImage;
    std::memcpy(&data.format, &image, sizeof image);
    return data;
}

const std::byte *VpiLibrary::pixelsOf(const vpi::ImageData &data) const
{
    const std::uint64_t address = data.words[0] + (major() >= 4 ? data.words[1] : 0); // An address and an offset.
    return reinterpret_cast<const std::byte *>(address);                              // NOLINT
}

Status VpiLibrary::check(const char *call, int status) const
{
    if (status == vpi::kSuccess)
        return {};
    const char *const name = m_functions.statusName(status);
    std::array<char, vpi::kMessageBytes> message{};
    static_cast<void>(m_functions.lastMessage(message.data(), vpi::kMessageBytes));
    message.back() = '\0';
    return Error{call, status,
                 std::string(name ? name : "an unknown status") + (message[0] ? ": " : "") + message.data()};
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/kernelinstance.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/stagetrial.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>
#include <fstream>

namespace jetscope::testing {

// Own kernels on the made-up driver of JETSCOPE_FAKE_DRIVER.

inline constexpr int kArchitecture = 90;
inline constexpr const char *kRgbaHead = "__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 "
                                         "*out, size_t outPitch, int width, int height)";

inline std::string rgbaKernel(const std::string &body = "out[0] = in[0];")
{
    return std::string(kRgbaHead) + " { " + body + " }\n";
}

/// A function of the driver's for tests.
template <class Signature>
Signature *driverFunction(const char *name)
{
    void *const library = dlopen(JETSCOPE_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Signature *>(dlsym(library, name));
}

inline int askDriver(const char *function)
{
    return driverFunction<int()>(function)();
}

inline StageDevice kernelDevice()
{
    return {StageDevice::Memory::Cuda, 0, kArchitecture / 10, kArchitecture % 10};
}

/// A picture in the memory of the made-up device.
struct Picture {
    explicit Picture(PixelFormat format) : layout(makeImageLayout(format, 40, 20)), bytes(layout.bytes) {}
    StageImage image() { return {layout.format, layout.width, layout.height, bytes.data(), layout.planes[0].pitch}; }
    ImageLayout layout;
    std::vector<std::byte> bytes;
};

/// One run; the number of the module whose kernel it was. 0 if it failed.
inline int numberOfRun(StageInstance &instance, std::uintptr_t stream = 1)
{
    Picture input(instance.reads());
    Picture output(instance.makes());
    const Status ran = instance.run({0, input.image(), output.image(), reinterpret_cast<void *>(stream)}); // NOLINT
    return ran.ok() ? static_cast<int>(output.bytes[5]) : 0;
}

/// The files of a test and its cache.
class KernelFolder : public QTemporaryDir {
public:
    std::string write(const char *name, const std::string &text) const
    {
        const std::string path = filePath(name).toStdString();
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
        return path;
    }
    /// Why a kernel of this text is not compiled; empty if it is.
    QString errorOf(const std::string &text) const
    {
        const Result<KernelSource> source = KernelSource::read({write("tried.cu", text), {}});
        if (!source.ok())
            return QString::fromStdString(source.error().text);
        const Result<BuiltKernel> built = buildKernel(source.value(), "tried.cu", kArchitecture);
        return built.ok() ? QString() : QString::fromStdString(built.error().text);
    }
};

} // namespace jetscope::testing

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/cameraoptions.h"

#include "gpu/sources/sourceoptions.h"

namespace jetscope {

namespace {

/// Whether the option is valid; if not, `legal` completes "size is …".
bool readOption(const SourceUri::Option &option, CameraOptions &options, std::string &legal)
{
    if (option.key == "size") {
        legal = "WIDTHxHEIGHT in pixels, from 1x1 to 8192x8192";
        options.size = readPictureSize(option.value);
        return options.size.has_value();
    }
    if (option.key == "fps") {
        legal = "a rate from 0.1 to 1000 frames per second";
        options.fps = readPictureRate(option.value);
        return options.fps.has_value();
    }
    if (option.key == "format") {
        std::vector<std::string_view> names;
        for (const ReadableFormat &format : readableFormats())
            names.push_back(format.name);
        legal = alternatives(names);
        options.format = formatNamed(option.value);
        return options.format != nullptr;
    }
    legal = "best (user memory where the driver takes it), mmap (the driver's memory), userptr (ours) or dmabuf (the "
            "driver's, handed to "
            "the GPU)";
    if (option.value == "mmap")
        options.memory = CameraOptions::Memory::Mapped;
    else if (option.value == "userptr")
        options.memory = CameraOptions::Memory::User;
    else if (option.value == "dmabuf")
        options.memory = CameraOptions::Memory::Dmabuf;
    return option.value == "best" || options.memory != CameraOptions::Memory::Best;
}

} // namespace

Result<CameraOptions> readCameraOptions(const SourceUri &uri)
{
    CameraOptions options;
    options.path = uri.path;
    if (!uri.path.empty() && uri.path.front() != '/')
        return Error{inQuotes(uri.text), 0,
                     inQuotes(uri.path) + " is no device: write v4l2:/dev/video0, or v4l2: for the first camera"};
    for (const SourceUri::Option &option : uri.options) {
        const bool known = option.key == "size" || option.key == "fps" || option.key == "format" || option.key == "io";
        if (!known)
            return Error{inQuotes(uri.text), 0,
                         "a v4l2: source has no option " + inQuotes(option.key) + ": use size, fps, format or io"};
        std::string legal;
        if (!readOption(option, options, legal))
            return Error{inQuotes(uri.text), 0,
                         inQuotes(option.value) + " cannot be used: " + option.key + " is " + legal};
    }
    return options;
}

} // namespace jetscope

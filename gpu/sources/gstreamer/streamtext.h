// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/streampipeline.h"
#include "gpu/sources/nvbuf/nvbufapi.h"
#include "gpu/sources/sourceuri.h"

#include <string>

namespace jetscope {

/// The pipeline for a URI, see StreamRecipe; empty for one that needs no pipeline. An error if the URI is invalid or an
/// element is missing.
Result<std::string> pipelineTextOf(const SourceUri &uri);

/// Opens a stream. `api` is the library for a Jetson's hardware buffers, or the reason why it is missing.
Result<std::unique_ptr<FrameSource>> openStream(const Result<NvBufApi> &api, const SourceUri &uri);

/// Returns `text` if GStreamer has all these elements (each listed with its package); otherwise an error that names the
/// missing one.
Result<std::string> needing(const SourceUri &uri, std::initializer_list<std::pair<const char *, const char *>> elements,
                            std::string text);

// Shared by the sources that use pipelines.
SourceInfo streamInfo(const std::string &shown, const ImageLayout &layout, double fps);
/// An error if the picture's layout differs from the source's.
Status copyPicture(const StreamPicture &picture, const SourceInfo &info, std::byte *into);
Error changedPictures(const SourceInfo &info, const ImageLayout &now);

/// The login of a URL, and the URL without it.
StreamLogin loginOf(const std::string &url);
std::string withoutLogin(const std::string &url);

/// The port of a URL; `standard` if it names none.
int portOf(const std::string &url, int standard);

/// A URL for display: without its password.
std::string withoutPassword(const std::string &url);

} // namespace jetscope

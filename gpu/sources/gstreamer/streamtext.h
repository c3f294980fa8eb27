// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/streampipeline.h"
#include "gpu/sources/sourceuri.h"

#include <string>

namespace jetscope {

/// The pipeline that a URI stands for, up to where its pictures come out; an error when the URI is none, or an element
/// is missing.
Result<std::string> pipelineTextOf(const SourceUri &uri);

/// `text`, if GStreamer has all these elements (each with the package that has it); else which is missing.
Result<std::string> needing(const SourceUri &uri, std::initializer_list<std::pair<const char *, const char *>> elements,
                            std::string text);

// What sources of pipelines share.
SourceInfo streamInfo(const std::string &shown, const ImageLayout &layout, double fps);
/// An error when the picture is not what the source's pictures are.
Status copyPicture(const StreamPicture &picture, const SourceInfo &info, std::byte *into);
Error changedPictures(const SourceInfo &info, const ImageLayout &now);

/// A URL as it may be shown: without the password in it.
std::string withoutPassword(const std::string &url);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/framesource.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Decoded pictures of one size, one after another. Errors are whole sentences that name the file.
class PictureReader {
public:
    virtual ~PictureReader() = default;

    virtual int width() const = 0;
    virtual int height() const = 0;
    virtual double fps() const = 0;              ///< 0 if the input has no rate.
    virtual std::string description() const = 0; ///< "clip.avi", "frames (12 pictures)"

    virtual StreamFacts facts() const = 0;             ///< Of the file; constant.
    virtual SourceFaults faults() const { return {}; } ///< So far. Capture thread.
    virtual std::string remark() const { return {}; }  ///< A problem that does not end the file. Capture thread.

    /// When the decoded picture is to be shown, from the beginning of the file; none if the file does not say.
    virtual std::optional<std::int64_t> stampNs() const { return std::nullopt; }

    /// Decodes the next picture. False at the end.
    virtual Result<bool> advance() = 0;
    /// Writes the decoded picture as BGR rows. Called at most once after each successful `advance`.
    virtual Status copyTo(const ImageLayout &layout, std::byte *into) = 0;
    /// Restarts before the first picture.
    virtual Status rewind() = 0;
};

Result<std::unique_ptr<PictureReader>> openVideo(const std::filesystem::path &path);
/// Opens one picture or several; there must be at least one path.
Result<std::unique_ptr<PictureReader>> openPictures(std::vector<std::filesystem::path> paths, std::string description);

/// Decodes up to `count` next pictures in `layout` now and delivers them from memory, so that reading them costs one
/// copy and no decoder limits what is measured. The error says that they would take too much memory, or is the
/// decoder's.
Result<std::unique_ptr<PictureReader>> preloadPictures(PictureReader &decoder, const ImageLayout &layout,
                                                       std::uint64_t count);

/// Whether the name has the extension of a picture.
bool isPictureName(const std::filesystem::path &path);
/// The pictures directly in a folder, "2.png" before "10.png".
Result<std::vector<std::filesystem::path>> picturesIn(const std::filesystem::path &folder);

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/picturereader.h"
#include "gpu/sources/sourceoptions.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxPreloadedBytes = std::size_t{2} << 30;

class PreloadedPictures final : public PictureReader {
public:
    PreloadedPictures(const PictureReader &decoder, std::vector<std::vector<std::byte>> pictures)
        : m_width(decoder.width()),
          m_height(decoder.height()),
          m_fps(decoder.fps()),
          m_description(decoder.description() + " · " + std::to_string(pictures.size())
                        + (pictures.size() == 1 ? " picture" : " pictures") + " in memory"),
          m_facts(decoder.facts()),
          m_faults(decoder.faults()),
          m_pictures(std::move(pictures))
    {
    }

    int width() const override { return m_width; }
    int height() const override { return m_height; }
    double fps() const override { return m_fps; }
    std::string description() const override { return m_description; }
    StreamFacts facts() const override { return m_facts; }
    SourceFaults faults() const override { return m_faults; }

    Result<bool> advance() override
    {
        m_at = m_at ? *m_at + 1 : 0;
        return *m_at < m_pictures.size();
    }

    Status copyTo(const ImageLayout &, std::byte *into) override
    {
        const std::vector<std::byte> &picture = m_pictures[*m_at];
        std::memcpy(into, picture.data(), picture.size());
        return {};
    }

    Status rewind() override
    {
        m_at.reset();
        return {};
    }

private:
    const int m_width;
    const int m_height;
    const double m_fps;
    const std::string m_description;
    const StreamFacts m_facts;
    const SourceFaults m_faults;
    const std::vector<std::vector<std::byte>> m_pictures;
    std::optional<std::size_t> m_at; ///< Empty before the first picture.
};

} // namespace

Result<std::unique_ptr<PictureReader>> preloadPictures(PictureReader &decoder, const ImageLayout &layout,
                                                       std::uint64_t count)
{
    const std::size_t most = kMaxPreloadedBytes / std::max<std::size_t>(1, layout.bytes);
    if (count > most)
        return Error{inQuotes("preload=" + std::to_string(count)), 0,
                     "pictures of " + pictureText(layout)
                         + " would take more than 2 GiB: use preload=" + std::to_string(most) + " or less"};
    std::vector<std::vector<std::byte>> pictures;
    while (pictures.size() < count) {
        JETSCOPE_TRY_ASSIGN(const bool decoded, decoder.advance());
        if (!decoded)
            break;
        pictures.emplace_back(layout.bytes);
        JETSCOPE_TRY(decoder.copyTo(layout, pictures.back().data()));
    }
    return std::unique_ptr<PictureReader>(std::make_unique<PreloadedPictures>(decoder, std::move(pictures)));
}

} // namespace jetscope

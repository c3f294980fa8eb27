// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/framesource.h"
#include "gpu/sources/severaladdress.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jetscope {

namespace {

Result<SourceCalls> syntheticCalls()
{
    return SourceCalls{checkSynthetic, openSynthetic};
}

Result<SourceCalls> patternCalls()
{
    return SourceCalls{checkPattern, openPattern};
}

Result<SourceCalls> cameraCalls()
{
    return SourceCalls{checkCamera, openSystemCamera};
}

Result<SourceCalls> severalCalls()
{
    return SourceCalls{checkSeveral, openSeveral};
}

/// A kind of source, selected by the scheme of its URI.
struct Family {
    SourceKind kind;
    Result<SourceCalls> (*calls)(); ///< May load a module, so it is called only for a source that is named.
    bool hasSizes = false;          ///< Takes the option `size`.
    bool hasRate = false;           ///< Comes at a rate of its own, whoever reads it.
};

constexpr std::array<Family, 10> kFamilies{{
    {{"synthetic", "synthetic:"}, syntheticCalls, true},
    {{"pattern", "pattern:"}, patternCalls, true},
    {{"file", "file:picture.png"}, fileCalls},
    {{"v4l2", "v4l2:/dev/video0"}, cameraCalls, true, true},
    {{"csi", "csi:0"}, csiCalls, true, true},
    {{"rtsp", "rtsp://camera/stream"}, streamCalls, false, true},
    {{"http", "http://camera/stream"}, streamCalls, false, true},
    {{"https", "https://camera/stream"}, streamCalls, false, true},
    {{"gst", "gst:videotestsrc"}, streamCalls},
    {{"several", "several:synthetic: | pattern:"}, severalCalls, false, true},
}};
static_assert(std::all_of(kFamilies.begin(), kFamilies.end(), [](const Family &row) {
    return row.kind.example.starts_with(row.kind.scheme) && row.kind.example[row.kind.scheme.size()] == ':';
}));

Result<const Family *> familyOf(const SourceUri &uri)
{
    const auto family = std::find_if(kFamilies.begin(), kFamilies.end(),
                                     [&](const Family &row) { return row.kind.scheme == uri.scheme; });
    if (family == kFamilies.end())
        return Error{inQuotes(uri.text), 0,
                     "there is no file of this name and no kind of source named " + inQuotes(uri.scheme)
                         + ": give a file's path, or synthetic: for the test card"};
    return &*family;
}

Result<SourceCalls> callsFor(const SourceUri &uri)
{
    JETSCOPE_TRY_ASSIGN(const Family *family, familyOf(uri));
    Result<SourceCalls> calls = family->calls();
    // The scheme only, because an address may contain a password.
    return calls.ok() ? calls : Error{inQuotes(uri.scheme + ":"), calls.error().code, calls.error().text};
}

/// Whether its frames are made by this program.
bool isGenerated(const SourceUri &uri)
{
    return uri.scheme == "synthetic" || uri.scheme == "pattern";
}

} // namespace

Status checkSourceUri(std::string_view text)
{
    JETSCOPE_TRY_ASSIGN(const SourceUri uri, parseSourceUri(text));
    JETSCOPE_TRY_ASSIGN(const SourceCalls calls, callsFor(uri));
    return calls.check(uri);
}

std::vector<SourceKind> sourceKinds()
{
    std::vector<SourceKind> kinds;
    for (const Family &family : kFamilies)
        kinds.push_back(family.kind);
    return kinds;
}

bool isOwnPipeline(std::string_view text)
{
    if (const std::optional<SeveralAddress> several = severalIn(text))
        return std::any_of(several->sources.begin(), several->sources.end(),
                           [](const std::string &each) { return isOwnPipeline(each); });
    const Result<SourceUri> uri = parseSourceUri(text);
    return uri.ok() && uri.value().scheme == "gst";
}

bool opensNothing(std::string_view text)
{
    if (const std::optional<SeveralAddress> several = severalIn(text))
        return std::all_of(several->sources.begin(), several->sources.end(),
                           [](const std::string &each) { return opensNothing(each); });
    const Result<SourceUri> uri = parseSourceUri(text);
    return uri.ok() && isGenerated(uri.value());
}

Result<std::string> sourceWithSize(std::string_view text, int width, int height)
{
    JETSCOPE_TRY_ASSIGN(const SourceUri uri, parseSourceUri(text));
    JETSCOPE_TRY_ASSIGN(const Family *family, familyOf(uri));
    if (!family->hasSizes)
        return Error{inQuotes(uri.text), 0,
                     "frames of this source have one size only: leave out the sizes, or take synthetic: or a camera"};
    return withOption(uri, "size", std::to_string(width) + "x" + std::to_string(height));
}

std::string repeatedSource(std::string_view text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    if (!uri.ok() || uri.value().scheme != "file")
        return std::string(text);
    for (const SourceUri::Option &option : uri.value().options)
        if (option.key == "loop" || option.key == "frames")
            return std::string(text);
    return withOption(uri.value(), "loop", "1");
}

std::string sourceAtItsRate(std::string_view text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    if (!uri.ok() || (uri.value().scheme != "file" && !isGenerated(uri.value())))
        return std::string(text);
    for (const SourceUri::Option &option : uri.value().options)
        if (option.key == "rate")
            return std::string(text);
    return withOption(uri.value(), "rate", "real");
}

bool hasItsRate(std::string_view text)
{
    const Result<SourceUri> uri = parseSourceUri(text);
    if (!uri.ok())
        return false;
    const Result<const Family *> family = familyOf(uri.value());
    const auto &options = uri.value().options;
    return family.ok()
        && (family.value()->hasRate || std::any_of(options.begin(), options.end(), [](const SourceUri::Option &option) {
                return option.key == "rate" && option.value == "real";
            }));
}

Result<std::unique_ptr<FrameSource>> openSource(std::string_view text, Pacing pacing)
{
    JETSCOPE_TRY_ASSIGN(const SourceUri uri, parseSourceUri(text));
    JETSCOPE_TRY_ASSIGN(const SourceCalls calls, callsFor(uri));
    return calls.open(uri, pacing);
}

} // namespace jetscope

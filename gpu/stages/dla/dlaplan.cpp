// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlaplan.h"

#include "core/pipelineconfig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>

namespace jetscope {

namespace {

constexpr std::uintmax_t kMostLoadableBytes = std::uintmax_t{1} << 30;
constexpr std::uint64_t kMostTensorSide = 16384;
constexpr std::size_t kGroupBytes = 32; ///< Of the channels that lie beside each other in NCxHWx.

struct ElementRow {
    std::uint8_t type;
    tensor::Element element;
    const char *name;
    double scale; ///< That brings 0 to 255 into the range that networks expect.
};
constexpr std::array kElements = {ElementRow{cudla::kFloat, tensor::Element::Float, "float", 1.0 / 255},
                                  ElementRow{cudla::kHalf, tensor::Element::Half, "half", 1.0 / 255},
                                  ElementRow{cudla::kInt8, tensor::Element::Int8, "int8", 0.5},
                                  ElementRow{cudla::kUint8, tensor::Element::Uint8, "uint8", 1.0}};

const ElementRow *elementRow(std::uint8_t type)
{
    const auto *const found =
        std::find_if(kElements.begin(), kElements.end(), [type](const ElementRow &row) { return row.type == type; });
    return found == kElements.end() ? nullptr : found;
}

const char *formatName(std::uint8_t format)
{
    switch (format) {
    case cudla::kNchw:
        return "NCHW";
    case cudla::kNhwc:
        return "NHWC";
    case cudla::kNcxHwx:
        return "NCxHWx";
    default:
        return "unknown format";
    }
}

Result<double> numberFor(const std::string &key, const std::string &text, double least, double most)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double value = 0;
    in >> value;
    if (!in.fail() && in.peek() == std::istringstream::traits_type::eof() && value >= least && value <= most)
        return value;
    std::ostringstream range;
    range.imbue(std::locale::classic());
    range << least << " to " << most;
    return sentence("the option \"" + key + "\" must be a number from " + range.str() + ", not " + quotedValue(text));
}

Result<int> wholeFor(const std::string &key, const std::string &text, int most)
{
    JETSCOPE_TRY_ASSIGN(const double value, numberFor(key, text, 0, most));
    if (value != std::floor(value))
        return sentence("the option \"" + key + "\" must be a whole number, not " + quotedValue(text));
    return static_cast<int>(value);
}

Status readOption(DlaPlan &plan, const std::string &key, const std::string &text)
{
    if (key == "dla") {
        JETSCOPE_TRY_ASSIGN(plan.dla, wholeFor(key, text, 15));
    } else if (key == "channel") {
        JETSCOPE_TRY_ASSIGN(plan.drawing.channel, wholeFor(key, text, 65535));
    } else if (key == "scale") {
        JETSCOPE_TRY_ASSIGN(plan.scale, numberFor(key, text, 1e-6, 1e3));
    } else if (key == "mean") {
        JETSCOPE_TRY_ASSIGN(plan.mean, numberFor(key, text, -1e3, 1e3));
    } else if (key == "low" || key == "high") {
        JETSCOPE_TRY_ASSIGN(const double value, numberFor(key, text, -1e6, 1e6));
        (key == "low" ? plan.drawing.low : plan.drawing.high) = static_cast<float>(value);
    } else if (key == "order" && (text == "rgb" || text == "bgr")) {
        plan.isBgr = text == "bgr";
    } else if (key == "mode" && text == "standalone") {
        return sentence("standalone mode of cuDLA is not built into Jetscope; leave out mode=standalone");
    } else if (key != "mode" || text != "hybrid") {
        return sentence("there is no option " + quotedValue(key + "=" + text)
                        + "; there are dla, scale, mean, order=rgb or bgr, channel, low, high and mode=hybrid");
    }
    return {};
}

/// What the descriptor leaves at 0 lies without gaps.
std::size_t strideOr(std::uint32_t given, std::size_t otherwise)
{
    return given != 0 ? given : otherwise;
}

} // namespace

Result<DlaPlan> DlaPlan::parse(const StageAddress &address)
{
    DlaPlan plan;
    plan.file = address.path;
    for (const auto &[key, text] : address.options)
        JETSCOPE_TRY(readOption(plan, key, text));
    if (!(plan.drawing.low < plan.drawing.high))
        return sentence("the option \"low\" must be below \"high\"");
    return plan;
}

tensor::Packing DlaPlan::packing(tensor::Element element) const
{
    const auto *const row = std::find_if(kElements.begin(), kElements.end(),
                                         [element](const ElementRow &each) { return each.element == element; });
    return {static_cast<float>(mean), static_cast<float>(scale.value_or(row->scale)), isBgr};
}

Result<std::vector<std::uint8_t>> readLoadable(const std::string &file)
{
    std::error_code error;
    const std::uintmax_t bytes =
        std::filesystem::is_regular_file(file, error) ? std::filesystem::file_size(file, error) : 0;
    if (error || !std::filesystem::is_regular_file(file, error))
        return sentence("there is no file " + quotedValue(file));
    if (bytes == 0 || bytes > kMostLoadableBytes)
        return sentence("the file " + quotedValue(file) + " has " + std::to_string(bytes)
                        + " bytes, so it is no loadable");
    std::vector<std::uint8_t> all(static_cast<std::size_t>(bytes));
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
    if (!in)
        return sentence("the file " + quotedValue(file) + " cannot be read");
    return all;
}

Result<tensor::Shape> shapeOf(const cudla::TensorDescriptor &d)
{
    const std::string called = "the tensor " + quotedValue(std::string(d.name, strnlen(d.name, sizeof d.name)));
    const ElementRow *const row = elementRow(d.dataType);
    if (!row || d.dataFormat < cudla::kNchw || d.dataFormat > cudla::kNcxHwx || d.pixelMapping != 0)
        return sentence(called + " has element type " + std::to_string(d.dataType) + ", format "
                        + std::to_string(d.dataFormat) + " and mapping " + std::to_string(d.pixelMapping)
                        + ", which Jetscope does not know");
    if (d.n != 1 || d.c == 0 || d.h == 0 || d.w == 0 || d.c > 65536 || d.h > kMostTensorSide || d.w > kMostTensorSide)
        return sentence(called + " is " + std::to_string(d.n) + "x" + std::to_string(d.c) + "x" + std::to_string(d.h)
                        + "x" + std::to_string(d.w) + ", and Jetscope takes one picture of at most 65536x16384x16384");
    tensor::Shape shape;
    shape.element = row->element;
    shape.channels = static_cast<int>(d.c);
    shape.height = static_cast<int>(d.h);
    shape.width = static_cast<int>(d.w);
    shape.bytes = d.size;
    const auto element = static_cast<std::size_t>(tensor::elementBytes(row->element));
    if (d.dataFormat == cudla::kNcxHwx)
        shape.group = static_cast<int>(kGroupBytes / element);
    else if (d.dataFormat == cudla::kNhwc)
        shape.group = shape.channels == 3 && d.size >= d.h * d.w * 4 * element ? 4 : shape.channels;
    shape.pixelStride = static_cast<std::size_t>(shape.group) * element;
    shape.rowStride = strideOr(d.stride[1], d.w * shape.pixelStride);
    shape.groupStride = strideOr(d.stride[2], d.h * shape.rowStride);
    const auto groups = static_cast<std::size_t>((shape.channels + shape.group - 1) / shape.group);
    const std::size_t end = (groups - 1) * shape.groupStride + (d.h - 1) * shape.rowStride
        + (d.w - 1) * shape.pixelStride + shape.pixelStride;
    if (shape.rowStride < d.w * shape.pixelStride || end > d.size
        || (groups > 1 && shape.groupStride < d.h * shape.rowStride))
        return sentence(called + " has rows of " + std::to_string(shape.rowStride) + " and channels of "
                        + std::to_string(shape.groupStride) + " bytes, which do not fit into "
                        + std::to_string(d.size));
    return shape;
}

std::string describe(const char *role, const cudla::TensorDescriptor &d)
{
    const ElementRow *const row = elementRow(d.dataType);
    return std::string(role) + " \"" + std::string(d.name, strnlen(d.name, sizeof d.name))
        + "\": " + std::to_string(d.n) + "x" + std::to_string(d.c) + "x" + std::to_string(d.h) + "x"
        + std::to_string(d.w) + " " + (row ? row->name : "unknown type") + ", " + formatName(d.dataFormat) + ", "
        + std::to_string(d.size) + " bytes";
}

} // namespace jetscope

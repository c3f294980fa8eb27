// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlaplan.h"

#include "core/settings/pipelineconfig.h"
#include "core/system/regularfile.h"
#include "gpu/stages/stageoptions.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace jetscope {

namespace {

constexpr std::uintmax_t kMaxLoadableBytes = std::uintmax_t{1} << 30;
constexpr std::uint64_t kMaxTensorSide = 16384;
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

std::vector<FilterOption> dlaOptions()
{
    return {{"dla", "The number of the DLA.", 0, 15, 0, 1, 0, {}},
            {"mean", "What is taken from each colour before it is scaled.", -1000, 1000, 0, 1, 0, {}, 3},
            {"scale", "What each colour is multiplied by.", 0, 1000, 0, 0.001, 0, {}, 6, "by element type"},
            wordOption("order", "The order of the input's channels.", {"rgb", "bgr"}),
            {"channel", "The channel of the output that a heat map shows.", 0, 65535, 0, 1, 0, {}},
            {"low", "The value from which a heat map is clear.", -1e6, 1e6, 0, 0.1, 0, {}, 3},
            {"high", "The value at which a heat map is red.", -1e6, 1e6, 1, 0.1, 1, {}, 3},
            wordOption("mode",
                       "How cuDLA shares memory and order with CUDA: in its streams, or by NvSciBuf and NvSciSync.",
                       {"hybrid", "standalone"})};
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
    plan.options = dlaOptions();
    JETSCOPE_TRY(setOptions(plan.options, address, true));
    const auto number = [&](const char *name) { return optionNamed(plan.options, name).value; };
    if (wordOf(optionNamed(plan.options, "mode")) == "standalone")
        plan.mode = DlaMode::Standalone;
    plan.dla = static_cast<int>(number("dla"));
    plan.mean = number("mean");
    if (number("scale") != 0)
        plan.scale = number("scale");
    plan.isBgr = wordOf(optionNamed(plan.options, "order")) == "bgr";
    plan.drawing.channel = static_cast<int>(number("channel"));
    plan.drawing.low = static_cast<float>(number("low"));
    plan.drawing.high = static_cast<float>(number("high"));
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

Status checkLoadableFile(const std::string &file)
{
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status))
        return sentence("there is no file " + quotedValue(file));
    if (!std::filesystem::is_regular_file(status))
        return sentence(quotedValue(file) + " is no file");
    return {};
}

Result<std::vector<std::uint8_t>> readLoadable(const std::string &file)
{
    JETSCOPE_TRY(checkLoadableFile(file));
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (error || bytes == 0 || bytes > kMaxLoadableBytes)
        return sentence("the file " + quotedValue(file) + " has " + std::to_string(error ? 0 : bytes)
                        + " bytes, so it is no loadable");
    std::vector<std::uint8_t> all(static_cast<std::size_t>(bytes));
    const Result<FileStream> in = openRegularFile(file);
    if (!in.ok() || std::fread(all.data(), 1, all.size(), in.value().get()) != all.size())
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
    if (d.n != 1 || d.c == 0 || d.h == 0 || d.w == 0 || d.c > 65536 || d.h > kMaxTensorSide || d.w > kMaxTensorSide)
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
    return std::string(role) + " " + quotedValue(std::string(d.name, strnlen(d.name, sizeof d.name))) + ": "
        + std::to_string(d.n) + "x" + std::to_string(d.c) + "x" + std::to_string(d.h) + "x" + std::to_string(d.w) + " "
        + (row ? row->name : "unknown type") + ", " + formatName(d.dataFormat) + ", " + std::to_string(d.size)
        + " bytes";
}

} // namespace jetscope

// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/verify/verifyworld.h"

#include <memory>
#include <string>

namespace jetscope::testing {

/// A whole board that keeps the documents: the software iGPU with EGLStreams, buffers and GL interop that move bytes,
/// the fakes of NVIDIA's libraries, a camera, the files of the kernel and its trace. It breaks one of the documented
/// facts: that of the row named `fault`, or none. One instance at a time.
class FakeJetson {
public:
    enum class Board { OrinNx, Thor };
    explicit FakeJetson(std::string fault = {}, Board board = Board::OrinNx);
    ~FakeJetson();
    FakeJetson(const FakeJetson &) = delete;
    FakeJetson &operator=(const FakeJetson &) = delete;

    VerifyWorld &world();

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope::testing

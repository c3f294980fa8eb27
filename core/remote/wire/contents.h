// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

// The contents of messages that are not about a pipeline.

/// Exact: ends with different numbers do not understand each other.
inline constexpr std::uint32_t kProtocol = 3;
/// A feature of an end: it reads packed messages.
inline constexpr const char *kZstdFeature = "zstd";

/// The first message of both ends. Its number and build stand first in every protocol.
struct Hello {
    static constexpr MessageKind kKind = MessageKind::Hello;
    std::uint32_t protocol = kProtocol;
    std::string build;  ///< Builds of one id are the same program, but for the processor.
    std::string arch;   ///< "aarch64"
    std::string bootId; ///< Another one after each start of the machine.
    std::uint32_t pid = 0;
    std::int64_t nowNs = 0; ///< The machine's monotonic clock.
    std::vector<std::string> features;
};

/// The end closes the connection on purpose.
struct Goodbye {
    static constexpr MessageKind kKind = MessageKind::Goodbye;
    std::string reason; ///< A sentence; may be empty.
};

/// The far end may send so many more bytes of this class.
struct Grant {
    static constexpr MessageKind kKind = MessageKind::Grant;
    MessageClass messageClass = MessageClass::Control;
    std::uint32_t bytes = 0;
};

/// By class, how many messages were not sent for want of credit, since the connection began.
struct NotSent {
    static constexpr MessageKind kKind = MessageKind::NotSent;
    std::array<std::uint64_t, kMessageClassCount> messages{};
};

/// Answered by a Pong at once. Times are those of each end's own monotonic clock.
struct Ping {
    static constexpr MessageKind kKind = MessageKind::Ping;
    std::int64_t sentNs = 0;
};
struct Pong {
    static constexpr MessageKind kKind = MessageKind::Pong;
    std::int64_t pingSentNs = 0;
    std::int64_t pingCameNs = 0;
    std::int64_t sentNs = 0;
};

/// Runs the program itself with these arguments at the far end. Ids are given by who asks. If the command of this id
/// runs, or has ended, nothing is started: it goes on to tell what it prints.
struct RunCommand {
    static constexpr MessageKind kKind = MessageKind::RunCommand;
    std::uint32_t id = 0;
    std::vector<std::string> arguments;                           ///< Without the name of the program.
    std::string folder;                                           ///< Its working folder; empty: the far end's.
    std::vector<std::pair<std::string, std::string>> environment; ///< Beside the far end's own.
    std::uint64_t taken = 0;                                      ///< How much of what it prints is here, in bytes.
};
struct CommandInput {
    static constexpr MessageKind kKind = MessageKind::CommandInput;
    std::uint32_t id = 0;
    std::vector<std::byte> bytes; ///< None: its standard input ends.
};
struct CommandSignal {
    static constexpr MessageKind kKind = MessageKind::CommandSignal;
    enum class Signal : std::uint8_t { Interrupt, Terminate, Kill };
    std::uint32_t id = 0;
    Signal signal = Signal::Interrupt;
};
struct CommandOutput {
    static constexpr MessageKind kKind = MessageKind::CommandOutput;
    enum class Stream : std::uint8_t { Output, Error };
    std::uint32_t id = 0;
    Stream stream = Stream::Output;
    std::vector<std::byte> bytes;
};
struct CommandEnd {
    static constexpr MessageKind kKind = MessageKind::CommandEnd;
    std::uint32_t id = 0;
    std::int32_t exitCode = 0;
    std::int32_t signal = 0; ///< That ended it; 0: none did.
    std::string error;       ///< Why it could not be started; else empty.
};

/// Answered by FileBlocks and a FileEnd.
struct ReadFile {
    static constexpr MessageKind kKind = MessageKind::ReadFile;
    std::uint32_t id = 0;
    std::string path;
    std::uint64_t fromByte = 0; ///< To go on with a file that came in part.
    std::string version{};      ///< Of a capture that came in part: another one is not sent. Empty: any.
};
/// Answered by a FileEnd that says how much is there already. Followed by FileBlocks behind that and a FileEnd, which
/// is answered by another one once the whole file is there.
struct WriteFile {
    static constexpr MessageKind kKind = MessageKind::WriteFile;
    std::uint32_t id = 0;
    std::string path;
    std::uint64_t fromByte = 0;
};
struct FileBlock {
    static constexpr MessageKind kKind = MessageKind::FileBlock;
    std::uint32_t id = 0;
    std::uint64_t fromByte = 0;
    std::vector<std::byte> bytes; ///< At most kMaxFileBlock.
};
struct FileEnd {
    static constexpr MessageKind kKind = MessageKind::FileEnd;
    std::uint32_t id = 0;
    std::uint64_t size = 0; ///< Of the whole file.
    std::string error;      ///< Why it is not whole; else empty.
    std::string sum{};      ///< SHA-256 of a capture; else empty.
};
/// No more blocks of this file are wanted; it is not answered.
struct CancelFile {
    static constexpr MessageKind kKind = MessageKind::CancelFile;
    std::uint32_t id = 0;
};
/// Small, so that what is urgent never waits long behind one.
inline constexpr std::size_t kMaxFileBlock = 32 << 10;

void fields(Wire &wire, Hello &hello);
void fields(Wire &wire, Goodbye &goodbye);
void fields(Wire &wire, Grant &grant);
void fields(Wire &wire, NotSent &notSent);
void fields(Wire &wire, Ping &ping);
void fields(Wire &wire, Pong &pong);
void fields(Wire &wire, RunCommand &command);
void fields(Wire &wire, CommandInput &input);
void fields(Wire &wire, CommandSignal &signal);
void fields(Wire &wire, CommandOutput &output);
void fields(Wire &wire, CommandEnd &end);
void fields(Wire &wire, ReadFile &read);
void fields(Wire &wire, WriteFile &write);
void fields(Wire &wire, FileBlock &block);
void fields(Wire &wire, FileEnd &end);
void fields(Wire &wire, CancelFile &cancel);

/// Of this process, now.
Hello ownHello();

} // namespace jetscope

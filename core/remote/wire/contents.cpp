// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/contents.h"

namespace jetscope {

void fields(Wire &w, Hello &h)
{
    w.members(h, h.protocol, h.build, h.arch, h.bootId, h.pid, h.nowNs, h.features);
}

void fields(Wire &w, Goodbye &g)
{
    w.members(g, g.reason);
}

void fields(Wire &w, Grant &g)
{
    w.members(g, g.messageClass, g.bytes);
}

void fields(Wire &w, NotSent &n)
{
    w.members(n, n.messages);
}

void fields(Wire &w, Ping &p)
{
    w.members(p, p.sentNs);
}

void fields(Wire &w, Pong &p)
{
    w.members(p, p.pingSentNs, p.pingCameNs, p.sentNs);
}

void fields(Wire &w, RunCommand &c)
{
    w.members(c, c.id, c.arguments, c.folder, c.environment, c.taken);
}

void fields(Wire &w, CommandInput &i)
{
    w.members(i, i.id, i.bytes);
}

void fields(Wire &w, CommandSignal &s)
{
    w.members(s, s.id, s.signal);
}

void fields(Wire &w, CommandOutput &o)
{
    w.members(o, o.id, o.stream, o.bytes);
}

void fields(Wire &w, CommandEnd &e)
{
    w.members(e, e.id, e.exitCode, e.signal, e.error);
}

void fields(Wire &w, ReadFile &r)
{
    w.members(r, r.id, r.path, r.fromByte, r.version);
}

void fields(Wire &w, WriteFile &f)
{
    w.members(f, f.id, f.path, f.fromByte);
}

void fields(Wire &w, FileBlock &b)
{
    w.members(b, b.id, b.fromByte, b.bytes);
}

void fields(Wire &w, FileEnd &e)
{
    w.members(e, e.id, e.size, e.error, e.sum);
}

void fields(Wire &w, CancelFile &c)
{
    w.members(c, c.id);
}

} // namespace jetscope

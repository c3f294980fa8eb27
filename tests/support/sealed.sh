#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command where it can harm nothing: every file system is read-only but one empty folder in memory ($TMPDIR), there
# is no network, no process of others is seen, and the command has no rights of root. For tests that do random things.
# usage: sealed.sh COMMAND...; exit code 77 where the machine does not allow it.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
    users=()
    [ "$(id -u)" -eq 0 ] || users=(--user --map-root-user)
    spaces=(unshare "${users[@]}" --mount --pid --net --ipc --fork --kill-child)
    if ! "${spaces[@]}" true 2>/dev/null; then
        echo "this machine allows no mount namespaces: nothing was run"
        exit 77
    fi
    folder=$(mktemp -d)
    trap 'rmdir "$folder"' EXIT
    "${spaces[@]}" "$0" --inside "$folder" "$@"
    exit
fi

folder=$2
shift 2
mount --make-rprivate /
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$folder"
mount -t proc proc /proc
while read -r _ _ _ _ place _; do
    place=$(printf '%b' "$place")
    [ "$place" = "$folder" ] || mount -o remount,bind,ro "$place" 2>/dev/null || umount -l "$place"
done </proc/self/mountinfo
rights=(--no-new-privs --bounding-set=-all --inh-caps=-all)
[ "$(awk 'NR == 1 { print $3 }' /proc/self/uid_map)" -lt 4294967295 ] || rights+=(--reuid=65534 --regid=65534 --clear-groups)
cd "$folder"
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
export HOME=$folder TMPDIR=$folder XDG_RUNTIME_DIR=$folder QT_QPA_PLATFORM=offscreen
exec setpriv "${rights[@]}" "$@"

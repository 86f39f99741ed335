#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds viatty and installs it in /usr/local, with the packages that building needs: as root,
# or as a user, through sudo.
set -eu
cd "$(dirname "$0")"
sh .ci/deps build
make=$(command -v gmake || command -v make)
"$make" program
if [ "$(id -u)" -eq 0 ]; then
	"$make" install
else
	sudo "$make" install
fi

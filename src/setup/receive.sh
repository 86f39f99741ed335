#!/bin/sh
# SPDX-License-Identifier: MIT
# Run on the host by `viatty ssh --install`: says that it runs and on what system, reads a script up
# to a line with only a dot, and runs that with the rest of its standard input. `read` takes no
# byte too many. Like picture.sh it is sent as one line, and has neither ' nor !.

echo "viatty-ssh: ready $(uname -sm).";
newline=$(printf "\n.");
newline=${newline%.};
script=;
while IFS= read -r line || exit; do
	if [ "$line" = . ]; then break; fi;
	script=$script$line$newline;
done;
eval "$script"

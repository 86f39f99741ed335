# Completion of viatty and osc52 in bash, version 4 or later.
# Generated from the table of commands: make generated.

_viatty_commands='copy paste title color progress status link linkify notify run doctor raw setup'
_viatty_words='help version'

# What can follow command $1: sets options and operands.
_viatty_options()
{
	options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version'
	case $1 in
	copy)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version -s --string -n --trim-newline -p --primary -S --selection -t --type --confirm -c --clear --allow-empty --tee --max'
		operands='FILES' ;;
	paste)
		options=' --route --term --timeout --no-probe --json -f --force -q --quiet -v --verbose -h --help -V --version -n --no-newline --add-newline -p --primary -S --selection -t --type -l --list-types --max --raw-output'
		operands='' ;;
	title)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version -i --icon -W --window -n --window-name -o --outer --push --pop --while -g --get'
		operands='' ;;
	color)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version --reset --while --theme --chart'
		operands='foreground background cursor' ;;
	progress)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version -b --busy -e --error -p --paused -c --clear -s --scan'
		operands='' ;;
	status)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version --app --id --kind --progress --title --message'
		operands='idle working blocked done error clear' ;;
	link)
		options=' --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex -f --force -q --quiet -v --verbose -h --help -V --version --file --id -n --no-newline --fallback --when --format --host'
		operands='' ;;
	linkify)
		options=' --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex -f --force -q --quiet -v --verbose -h --help -V --version -e --rule -s --strip -l --list --when --format --host'
		operands='FILES' ;;
	notify)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version -u --urgency -t --expire --stay -a --app -i --icon --sound -c --type --when --id --proto -b --bell --no-bell -B --button --wait --print-id --close'
		operands='' ;;
	run)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex -f --force -q --quiet -v --verbose -h --help -V --version -m --min --on --title -p --progress --no-status -u --urgency -t --expire --stay -a --app -i --icon --sound -c --type --when --id --proto -b --bell --no-bell'
		operands='' ;;
	doctor)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe --json -f --force -q --quiet -v --verbose -h --help -V --version --live'
		operands='copy primary clear confirm title title-stack color notify progress status link paste raw' ;;
	raw)
		options=' -T --tty -w --wrap --route --term --timeout --no-probe -P --print --print=raw --print=esc --print=hex --json -f --force -q --quiet -v --verbose -h --help -V --version -e --escapes -F --filter'
		operands='' ;;
	setup)
		options=' --term --timeout --no-probe -q --quiet -v --verbose -h --help -V --version --for'
		operands='tmux screen vim neovim emacs bash zsh fish ssh git lazygit tig helix fzf yazi mc claude codex gemini opencode' ;;
	help)
		operands=$_viatty_commands ;;
	esac
}

# What option $2 of command $1 can be set to: sets values. Fails for an option
# without a value; one whose value is optional ends in = here.
_viatty_values()
{
	case "$1 $2" in
	*' -T' | *' --tty') values='FILES' ;;
	*' -w' | *' --wrap') values='auto none tmux screen tmux?' ;;
	*' --route') values='auto direct client-tty passthrough plain load-buffer tmux-buffer native' ;;
	*' --term') values='alacritty apple-terminal contour foot ghostty hterm iterm2 jetbrains kitty konsole linux mintty mlterm putty qterminal rio rxvt-unicode st termius termux vscode vte warp wezterm windows-terminal xterm xtermjs zutty code codium cool-retro-term gnome-console gnome-terminal guake intellij iterm kgx lxterminal mate-terminal pterm ptyxis roxterm sakura terminator termite tilda tilix urxvt wt xfce4-terminal yakuake' ;;
	*' --timeout') values='' ;;
	*' --print=') values='raw esc hex' ;;
	copy' -s' | copy' --string') values='' ;;
	copy' -S' | copy' --selection') values='' ;;
	copy' -t' | copy' --type') values='text/plain text/html text/uri-list image/png image/jpeg image/svg+xml' ;;
	copy' --max') values='' ;;
	paste' -S' | paste' --selection') values='' ;;
	paste' -t' | paste' --type') values='text/plain text/html text/uri-list image/png image/jpeg image/svg+xml' ;;
	paste' --max') values='' ;;
	status' --app') values='' ;;
	status' --id') values='' ;;
	status' --kind') values='permission question auth' ;;
	status' --progress') values='' ;;
	status' --title') values='' ;;
	status' --message') values='' ;;
	link' --file') values='FILES' ;;
	link' --id') values='' ;;
	link' --fallback') values='both text url' ;;
	link' --when') values='auto always never' ;;
	link' --format') values='file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' ;;
	link' --host') values='' ;;
	linkify' -e' | linkify' --rule') values='' ;;
	linkify' --when') values='auto always never' ;;
	linkify' --format') values='file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' ;;
	linkify' --host') values='' ;;
	notify' -u' | notify' --urgency') values='low normal critical' ;;
	notify' -t' | notify' --expire') values='' ;;
	notify' -a' | notify' --app') values='' ;;
	notify' -i' | notify' --icon') values='error warning info question help file-manager system-monitor text-editor' ;;
	notify' --sound') values='system silent error warning info question' ;;
	notify' -c' | notify' --type') values='' ;;
	notify' --when') values='always unfocused invisible' ;;
	notify' --id') values='' ;;
	notify' --proto') values='99 777 9 bell' ;;
	notify' -B' | notify' --button') values='' ;;
	notify' --close') values='' ;;
	run' -m' | run' --min') values='' ;;
	run' --on') values='always fail ok' ;;
	run' --title') values='' ;;
	run' -u' | run' --urgency') values='low normal critical' ;;
	run' -t' | run' --expire') values='' ;;
	run' -a' | run' --app') values='' ;;
	run' -i' | run' --icon') values='error warning info question help file-manager system-monitor text-editor' ;;
	run' --sound') values='system silent error warning info question' ;;
	run' -c' | run' --type') values='' ;;
	run' --when') values='always unfocused invisible' ;;
	run' --id') values='' ;;
	run' --proto') values='99 777 9 bell' ;;
	setup' --for') values='' ;;
	*) return 1 ;;
	esac
}

# Where a command line begins: sets line to the number of operands of command $1 before
# it, if the option $2 (or '', none) makes the others one.
_viatty_line()
{
	case "$1 $2" in
	title' --while') line=1 ;;
	color' --while') line=2 ;;
	run' ') line=0 ;;
	esac
}

_viatty()
{
	local current=${COMP_WORDS[COMP_CWORD]} command='' options='' values=''
	local operands='' option='' prefix='' ended='' first='' line='' seen=0 word i

	COMPREPLY=()
	[[ ${COMP_WORDS[0]##*/} == osc52 ]] && command=copy
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]} option=''
		if [[ $word == '=' ]]; then
			# --option=value comes as three words
			[[ -n $ended ]] || option=${COMP_WORDS[i - 1]}=
			((i++))
		elif [[ -z $ended && $word == -- ]]; then
			ended=yes
		elif [[ -z $ended && $word == -* ]]; then
			_viatty_line "$command" "$word"
			[[ ${COMP_WORDS[i + 1]} != '=' ]] || continue
			_viatty_values "$command" "$word" || continue
			option=$word
			((i++))
		elif [[ -z $command && " $_viatty_commands $_viatty_words " == *" $word "* ]]; then
			command=$word
			_viatty_line "$command" ''
		elif [[ $seen == "$line" ]]; then
			# what follows is a command line of its own
			first=$i
			break
		else
			((seen++))
		fi
	done
	# what was skipped as a value is the current word if it ran past it
	((i > COMP_CWORD)) || option=''
	if [[ -n $first ]]; then
		option=''
	elif [[ -z $ended && $current == '=' ]]; then
		option=${COMP_WORDS[COMP_CWORD - 1]}= current=
	elif [[ -z $ended && -z $option && $current == --*=* ]]; then
		option=${current%%=*}= prefix=$option current=${current#*=}
	fi

	_viatty_options "$command"
	if [[ -n $option ]]; then
		_viatty_values "$command" "$option" ||
			_viatty_values "$command" "${option%=}"
	elif [[ -n $first ]]; then
		values=COMMAND
	elif [[ -z $ended && $current == -* ]]; then
		values=$options
	elif [[ $seen == "$line" ]]; then
		values=COMMAND
	elif [[ -z $command ]]; then
		values="$_viatty_commands $_viatty_words"
	else
		values=$operands
	fi
	if [[ $values == COMMAND && -z $first ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$current")
	elif [[ $values == COMMAND ]] && declare -F _command_offset >/dev/null; then
		_command_offset "$first"
	elif [[ $values == COMMAND || $values == FILES ]]; then
		compopt -o default
	else
		mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$values" \
			-- "$current")
	fi
}
complete -F _viatty viatty osc52

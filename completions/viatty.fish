# Completion of viatty and osc52 in fish.
# Generated from the table of commands: make generated.

set -g __viatty_commands copy paste title progress link linkify notify run doctor raw setup
set -g __viatty_with_value -T --tty -w --wrap --route --term --timeout

# Whether the command given so far is this one; '' asks for none.
function __viatty_command_is
    set -l found ''
    set -l is_value no
    for word in (commandline -opc)[2..-1]
        if test $is_value = yes
            set is_value no
        else if contains -- $word $__viatty_with_value
            set is_value yes
        else if contains -- $word $__viatty_commands
            set found $word
            break
        end
    end
    test "$found" = "$argv[1]"
end

# Whether an operand is completed and not an option.
function __viatty_is_operand
    not string match -q -- '-*' (commandline -ct)
end

complete -c viatty -f
complete -c viatty -n '__viatty_command_is ""' -a copy -d 'set the clipboard from standard input, files or texts'
complete -c viatty -n '__viatty_command_is ""' -a paste -d 'print the clipboard on standard output'
complete -c viatty -n '__viatty_command_is ""' -a title -d 'set, keep, restore or print the title'
complete -c viatty -n '__viatty_command_is ""' -a progress -d 'show how far something is in the taskbar or tab'
complete -c viatty -n '__viatty_command_is ""' -a link -d 'print a text that is a link'
complete -c viatty -n '__viatty_command_is ""' -a linkify -d 'make URLs and places in files links in what programs print'
complete -c viatty -n '__viatty_command_is ""' -a notify -d 'show a notification at the person\'s desk'
complete -c viatty -n '__viatty_command_is ""' -a run -d 'run a command and notify when it has ended'
complete -c viatty -n '__viatty_command_is ""' -a doctor -d 'say what works here, what does not, and why'
complete -c viatty -n '__viatty_command_is ""' -a raw -d 'send any escape sequence from standard input or operands'
complete -c viatty -n '__viatty_command_is ""' -a setup -d 'print the lines that make another program use viatty'
complete -c viatty -s T -l tty -r -F -d 'write there: a device, stdout, stderr, pane:%3'
complete -c viatty -s w -l wrap -x -a 'auto none tmux screen tmux?' -d 'layers from the inside out, as in tmux,screen; none'
complete -c viatty -l route -x -a 'auto direct client-tty passthrough plain load-buffer tmux-buffer' -d 'force a route'
complete -c viatty -l term -x -a 'alacritty apple-terminal contour foot ghostty hterm iterm2 jetbrains kitty konsole linux mintty mlterm putty qterminal rio rxvt-unicode st termius termux vscode vte warp wezterm windows-terminal xterm xtermjs zutty code codium cool-retro-term gnome-console gnome-terminal guake intellij iterm kgx lxterminal mate-terminal pterm ptyxis roxterm sakura terminator termite tilda tilix urxvt wt xfce4-terminal yakuake' -d 'take the terminal to be this one, see viatty(1)'
complete -c viatty -l timeout -x -d 'give up after so long without progress (5, tmux 3)'
complete -c viatty -l no-probe -d 'put no questions to the terminal'
complete -c viatty -s P -l print -a 'raw esc hex' -d 'print the bytes (-Pesc readable) and send nothing'
complete -c viatty -l json -d 'report on standard output, as JSON'
complete -c viatty -s f -l force -d 'send what is too large or known not to work'
complete -c viatty -s q -l quiet -d 'no warnings'
complete -c viatty -s v -l verbose -d 'say the route, the device, layers and size'
complete -c viatty -s h -l help -d 'print this help'
complete -c viatty -l version -d 'print the version'

complete -c viatty -n '__viatty_command_is copy' -s s -l string -x -d 'copy this text (may be repeated)'
complete -c viatty -n '__viatty_command_is copy' -s n -l trim-newline -d 'leave out one newline at the end'
complete -c viatty -n '__viatty_command_is copy' -s p -l primary -d 'set the primary selection instead of the clipboard'
complete -c viatty -n '__viatty_command_is copy' -s S -l selection -x -d 'set these selections: c clipboard, p primary, q, s, 0-7'
complete -c viatty -n '__viatty_command_is copy' -s c -l clear -d 'empty the selection'
complete -c viatty -n '__viatty_command_is copy' -l allow-empty -d 'empty the selection if there is nothing to copy'
complete -c viatty -n '__viatty_command_is copy' -l tee -d 'pass standard input on to standard output'
complete -c viatty -n '__viatty_command_is copy' -l max -x -d 'refuse to copy more than this'
complete -c viatty -n '__viatty_command_is copy; and __viatty_is_operand' -F

complete -c viatty -n '__viatty_command_is paste' -s n -l no-newline -d 'leave out one newline at the end'
complete -c viatty -n '__viatty_command_is paste' -l add-newline -d 'end it with one newline more'
complete -c viatty -n '__viatty_command_is paste' -s p -l primary -d 'print the primary selection instead of the clipboard'
complete -c viatty -n '__viatty_command_is paste' -s S -l selection -x -d 'print this selection: c clipboard, p primary, q, s, 0-7'
complete -c viatty -n '__viatty_command_is paste' -l max -x -d 'refuse to print more than this (64 MiB)'
complete -c viatty -n '__viatty_command_is paste' -l raw-output -d 'print control characters even to a terminal'

complete -c viatty -n '__viatty_command_is title' -s i -l icon -d 'set the icon name of the terminal only'
complete -c viatty -n '__viatty_command_is title' -s W -l window -d 'set the window\'s title only'
complete -c viatty -n '__viatty_command_is title' -s n -l window-name -d 'name the window of tmux or Screen'
complete -c viatty -n '__viatty_command_is title' -s o -l outer -d 'set the title of the terminal around tmux or Screen'
complete -c viatty -n '__viatty_command_is title' -l push -d 'keep the present title for --pop'
complete -c viatty -n '__viatty_command_is title' -l pop -d 'restore the title that was kept last'
complete -c viatty -n '__viatty_command_is title' -l while -d 'the first TEXT is the title while the rest runs as a command'
complete -c viatty -n '__viatty_command_is title' -s g -l get -d 'print the title'

complete -c viatty -n '__viatty_command_is progress' -s b -l busy -d 'show that it goes on, not how far'
complete -c viatty -n '__viatty_command_is progress' -s e -l error -d 'show that it went wrong'
complete -c viatty -n '__viatty_command_is progress' -s p -l paused -d 'show that it waits'
complete -c viatty -n '__viatty_command_is progress' -s c -l clear -d 'show nothing any more'
complete -c viatty -n '__viatty_command_is progress' -s s -l scan -d 'pass standard input on, and show the progress found in it'

complete -c viatty -n '__viatty_command_is link' -l file -r -F -d 'link to a file: PATH, PATH:LINE or PATH:LINE:COL'
complete -c viatty -n '__viatty_command_is link' -l id -x -d 'links of one id are one; auto: made of the URL'
complete -c viatty -n '__viatty_command_is link' -s n -l no-newline -d 'print no newline at the end'
complete -c viatty -n '__viatty_command_is link' -l fallback -x -a 'both text url' -d 'without links print text, url, or both: TEXT (URL)'
complete -c viatty -n '__viatty_command_is link' -l when -x -a 'auto always never' -d 'make links: auto (where they are shown), always, never'
complete -c viatty -n '__viatty_command_is link' -l format -x -a 'file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' -d 'the URL of a file: an editor\'s name, or with {path} {line} {col}'
complete -c viatty -n '__viatty_command_is link' -l host -x -d 'whose files they are (default: this host), or none'

complete -c viatty -n '__viatty_command_is linkify' -s e -l rule -x -d 'link what REGEX=TEMPLATE matches (may be repeated)'
complete -c viatty -n '__viatty_command_is linkify' -s s -l strip -d 'take links out instead'
complete -c viatty -n '__viatty_command_is linkify' -s l -l list -d 'print where links lead, each once'
complete -c viatty -n '__viatty_command_is linkify' -l when -x -a 'auto always never' -d 'make links: auto (where they are shown), always, never'
complete -c viatty -n '__viatty_command_is linkify' -l format -x -a 'file kitty vscode vscode-insiders vscodium cursor zed idea sublime textmate macvim' -d 'the URL of a file: an editor\'s name, or with {path} {line} {col}'
complete -c viatty -n '__viatty_command_is linkify' -l host -x -d 'whose files they are (default: this host), or none'
complete -c viatty -n '__viatty_command_is linkify; and __viatty_is_operand' -F

complete -c viatty -n '__viatty_command_is notify' -s u -l urgency -x -a 'low normal critical' -d 'low, normal or critical'
complete -c viatty -n '__viatty_command_is notify' -s t -l expire -x -d 'take it away after so long'
complete -c viatty -n '__viatty_command_is notify' -l stay -d 'leave it until somebody takes it away'
complete -c viatty -n '__viatty_command_is notify' -s a -l app -x -d 'the application that it comes from'
complete -c viatty -n '__viatty_command_is notify' -s i -l icon -x -a 'error warning info question help file-manager system-monitor text-editor' -d 'an icon by its name (repeated: if the first is not known)'
complete -c viatty -n '__viatty_command_is notify' -l sound -x -a 'system silent error warning info question' -d 'system, silent, error, warn, info, ...'
complete -c viatty -n '__viatty_command_is notify' -s c -l type -x -d 'what it is about, for filters (may be repeated)'
complete -c viatty -n '__viatty_command_is notify' -l when -x -a 'always unfocused invisible' -d 'only if the terminal is then unfocused or invisible'
complete -c viatty -n '__viatty_command_is notify' -l id -x -d 'its name: the next of the same name replaces it'
complete -c viatty -n '__viatty_command_is notify' -l proto -x -a '99 777 9 bell' -d '99, 777, 9 or bell; not chosen by us'
complete -c viatty -n '__viatty_command_is notify' -s b -l bell -d 'ring as well, or instead where none is shown'
complete -c viatty -n '__viatty_command_is notify' -l no-bell -d 'do not ring, not even inside of tmux'
complete -c viatty -n '__viatty_command_is notify' -l icon-file -r -F -d 'an icon: a PNG, JPEG or GIF'
complete -c viatty -n '__viatty_command_is notify' -s B -l button -x -d 'a button, for --wait (may be repeated)'
complete -c viatty -n '__viatty_command_is notify' -l wait -d 'print what became of it: clicked, button 1, closed'
complete -c viatty -n '__viatty_command_is notify' -l close -x -d 'take this one back'
complete -c viatty -n '__viatty_command_is notify' -l alive -d 'print the ids of those that are shown'

complete -c viatty -n '__viatty_command_is run' -s m -l min -x -d 'notify only if it took so long'
complete -c viatty -n '__viatty_command_is run' -l on -x -a 'always fail ok' -d 'always, or only on fail or ok'
complete -c viatty -n '__viatty_command_is run' -l title -x -d 'the title, instead of its name'
complete -c viatty -n '__viatty_command_is run' -s p -l progress -d 'show in the taskbar or tab that it runs'
complete -c viatty -n '__viatty_command_is run' -l pid -x -d 'wait for this process instead'
complete -c viatty -n '__viatty_command_is run' -s u -l urgency -x -a 'low normal critical' -d 'low, normal or critical'
complete -c viatty -n '__viatty_command_is run' -s t -l expire -x -d 'take it away after so long'
complete -c viatty -n '__viatty_command_is run' -l stay -d 'leave it until somebody takes it away'
complete -c viatty -n '__viatty_command_is run' -s a -l app -x -d 'the application that it comes from'
complete -c viatty -n '__viatty_command_is run' -s i -l icon -x -a 'error warning info question help file-manager system-monitor text-editor' -d 'an icon by its name (repeated: if the first is not known)'
complete -c viatty -n '__viatty_command_is run' -l sound -x -a 'system silent error warning info question' -d 'system, silent, error, warn, info, ...'
complete -c viatty -n '__viatty_command_is run' -s c -l type -x -d 'what it is about, for filters (may be repeated)'
complete -c viatty -n '__viatty_command_is run' -l when -x -a 'always unfocused invisible' -d 'only if the terminal is then unfocused or invisible'
complete -c viatty -n '__viatty_command_is run' -l id -x -d 'its name: the next of the same name replaces it'
complete -c viatty -n '__viatty_command_is run' -l proto -x -a '99 777 9 bell' -d '99, 777, 9 or bell; not chosen by us'
complete -c viatty -n '__viatty_command_is run' -s b -l bell -d 'ring as well, or instead where none is shown'
complete -c viatty -n '__viatty_command_is run' -l no-bell -d 'do not ring, not even inside of tmux'
complete -c viatty -n '__viatty_command_is run; and __viatty_is_operand' -x -a '(__fish_complete_subcommand --fcs-skip=2 $__viatty_with_value -m --min --on --title --pid -u --urgency -t --expire -a --app -i --icon --sound -c --type --when --id --proto)'

complete -c viatty -n '__viatty_command_is doctor' -l live -d 'copy a word by one route after another until it can be pasted'
complete -c viatty -n '__viatty_command_is doctor; and __viatty_is_operand' -a 'copy paste'

complete -c viatty -n '__viatty_command_is raw' -s e -l escapes -d 'read \\e, \\a, \\xNN, \\n, \\r, \\t and \\\\ in STRING'

complete -c viatty -n '__viatty_command_is setup' -l for -x -d 'for this version instead of the one found here'
complete -c viatty -n '__viatty_command_is setup; and __viatty_is_operand' -a 'tmux screen vim neovim emacs bash zsh fish ssh git'

complete -c osc52 -f
complete -c osc52 -s T -l tty -r -F -d 'write there: a device, stdout, stderr, pane:%3'
complete -c osc52 -s w -l wrap -x -a 'auto none tmux screen tmux?' -d 'layers from the inside out, as in tmux,screen; none'
complete -c osc52 -l route -x -a 'auto direct client-tty passthrough plain load-buffer tmux-buffer' -d 'force a route'
complete -c osc52 -l term -x -a 'alacritty apple-terminal contour foot ghostty hterm iterm2 jetbrains kitty konsole linux mintty mlterm putty qterminal rio rxvt-unicode st termius termux vscode vte warp wezterm windows-terminal xterm xtermjs zutty code codium cool-retro-term gnome-console gnome-terminal guake intellij iterm kgx lxterminal mate-terminal pterm ptyxis roxterm sakura terminator termite tilda tilix urxvt wt xfce4-terminal yakuake' -d 'take the terminal to be this one, see viatty(1)'
complete -c osc52 -l timeout -x -d 'give up after so long without progress (5, tmux 3)'
complete -c osc52 -l no-probe -d 'put no questions to the terminal'
complete -c osc52 -s P -l print -a 'raw esc hex' -d 'print the bytes (-Pesc readable) and send nothing'
complete -c osc52 -l json -d 'report on standard output, as JSON'
complete -c osc52 -s f -l force -d 'send what is too large or known not to work'
complete -c osc52 -s q -l quiet -d 'no warnings'
complete -c osc52 -s v -l verbose -d 'say the route, the device, layers and size'
complete -c osc52 -s h -l help -d 'print this help'
complete -c osc52 -l version -d 'print the version'
complete -c osc52 -s s -l string -x -d 'copy this text (may be repeated)'
complete -c osc52 -s n -l trim-newline -d 'leave out one newline at the end'
complete -c osc52 -s p -l primary -d 'set the primary selection instead of the clipboard'
complete -c osc52 -s S -l selection -x -d 'set these selections: c clipboard, p primary, q, s, 0-7'
complete -c osc52 -s c -l clear -d 'empty the selection'
complete -c osc52 -l allow-empty -d 'empty the selection if there is nothing to copy'
complete -c osc52 -l tee -d 'pass standard input on to standard output'
complete -c osc52 -l max -x -d 'refuse to copy more than this'
complete -c osc52 -n '__viatty_is_operand' -F

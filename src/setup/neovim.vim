" viatty setup neovim: makes "+ and "* the clipboard and the primary selection of
" the terminal. Save this as a plugin; it works with init.vim and init.lua:
"
"     mkdir -p ~/.config/nvim/plugin
"     viatty setup neovim > ~/.config/nvim/plugin/viatty.vim
"
" For every yank, also without a register:  set clipboard=unnamedplus
"
" "+p inserts what neovim itself has yanked last. :ViattyPaste inserts what other
" programs have copied below the cursor line, where a desktop tool can read it. While
" neovim reads the terminal, no other program can query it: elsewhere, as over ssh,
" paste with the keys of the terminal, or run `viatty paste` in a shell.
"
" A copy that fails is an error message, each time; one that was sent but is probably
" lost is a warning, once for each reason. :messages has all of it, with the remedy.
" While a copy is being sent, only the newest text waits for its turn, so the clipboard
" has what was yanked last.
"
" neovim 0.10 and later can write OSC 52 itself. tmux drops that unless set-clipboard
" is on, in nested tmux in each of them, and reading waits for a reply that often does
" not arrive. viatty avoids both.

if !exists('*s:viatty_copy')

let s:viatty_yanked = {'+': [[''], 'v'], '*': [[''], 'v']}
" neovim may have been started from a desktop, with a different PATH.
let s:viatty = executable('viatty') ? 'viatty' : '@VIATTY@'

" On the screen only the first line, shortened if it is long, so that neovim does not
" wait for Enter; :messages has all of it.
function! s:viatty_says(lines, highlight)
	let l:room = (&cmdheight - 1) * &columns + get(v:, 'echospace', &columns - 30)
	let l:shortmess = &shortmess
	set shortmess+=T
	redraw
	execute 'echohl' a:highlight
	for l:line in a:lines
		echomsg l:line
	endfor
	if len(a:lines) > 1 || strdisplaywidth(a:lines[0]) >= l:room
		redraw
		echo strdisplaywidth(a:lines[0]) < l:room ? a:lines[0]
			\ : printf('%.' . (l:room - 4) . 'S...', a:lines[0])
	endif
	echohl None
	let &shortmess = l:shortmess
endfunction

" A warning is shown once, an error each time.
let s:viatty_warned = {}
let s:viatty_job = 0

function! s:viatty_ended(job, status, event) dict
	let l:lines = filter(copy(self.stderr), 'v:val !=# ""')
	let s:viatty_job = 0
	if a:status != 0 && a:status != 7
		call s:viatty_says(l:lines != [] ? l:lines
			\ : ['viatty ended with status ' . a:status], 'ErrorMsg')
	elseif l:lines != [] && !has_key(s:viatty_warned, join(l:lines))
		let s:viatty_warned[join(l:lines)] = 1
		call s:viatty_says(l:lines, 'WarningMsg')
	endif
	call s:viatty_next()
endfunction

" Starts the copy that waits, unless one is running. viatty runs as a job: it reads the
" text while neovim continues.
let s:viatty_waiting = {}

function! s:viatty_next()
	if s:viatty_waiting == {} || s:viatty_job > 0
		return
	endif
	let l:register = keys(s:viatty_waiting)[0]
	let l:lines = remove(s:viatty_waiting, l:register)
	try
		let s:viatty_job = jobstart([s:viatty, 'copy', '-q']
			\ + (l:register ==# '*' ? ['--primary'] : []),
			\ {'stderr_buffered': v:true, 'on_exit': function('s:viatty_ended')})
		call chansend(s:viatty_job, l:lines)
		call chanclose(s:viatty_job, 'stdin')
	catch
		call s:viatty_says(['viatty could not be started: ' . v:exception], 'ErrorMsg')
	endtry
endfunction

" The last line is empty, which would add a newline to a block. A text that still waits
" for the same selection is replaced.
function! s:viatty_copy(register, lines, regtype)
	let l:block = a:regtype =~# "^[b\<C-v>]" && a:lines[-1] ==# ''
	let s:viatty_yanked[a:register] = [a:lines, a:regtype]
	let s:viatty_waiting[a:register] = l:block ? a:lines[:-2] : a:lines
	call s:viatty_next()
endfunction

" With :wq right after the yank, the job would be killed with neovim. It gives up by
" itself if the terminal accepts nothing for five seconds.
function! s:viatty_leave()
	while s:viatty_job > 0
		let l:job = s:viatty_job
		if jobwait([l:job], 5000)[0] == -1
			return
		endif
		if s:viatty_job == l:job
			let s:viatty_job = 0
			call s:viatty_next()
		endif
	endwhile
endfunction

function! s:viatty_paste()
	let l:result = {'stdout_buffered': v:true, 'stderr_buffered': v:true}
	try
		let l:status = jobwait([jobstart([s:viatty, 'paste'], l:result)])[0]
	catch
		return s:viatty_says(['viatty could not be started: ' . v:exception], 'ErrorMsg')
	endtry
	if l:status == 0
		call append('.', l:result.stdout[-1] ==# '' ? l:result.stdout[:-2]
			\ : l:result.stdout)
	else
		call s:viatty_says(filter(l:result.stderr, 'v:val !=# ""')
			\ + ['hint: paste with the keys of the terminal'], 'ErrorMsg')
	endif
endfunction

command! ViattyPaste call s:viatty_paste()

let g:clipboard = {
	\ 'name': 'viatty',
	\ 'copy': {
	\   '+': function('s:viatty_copy', ['+']),
	\   '*': function('s:viatty_copy', ['*']),
	\ },
	\ 'paste': {
	\   '+': {-> s:viatty_yanked['+']},
	\   '*': {-> s:viatty_yanked['*']},
	\ },
	\ }

augroup viatty
	autocmd!
	autocmd VimLeavePre * call s:viatty_leave()
augroup END

endif

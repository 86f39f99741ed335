" viatty setup neovim: makes "+ and "* the clipboard and the primary selection of
" the terminal. Save this as a plugin; it works with init.vim and init.lua:
"
"     mkdir -p ~/.config/nvim/plugin
"     viatty setup neovim > ~/.config/nvim/plugin/viatty.vim
"
" For every yank, also without a register:  set clipboard=unnamedplus
"
" "+p inserts what neovim itself has yanked last. While neovim reads the terminal,
" no other program can query it: to insert what other programs have copied, paste
" with the keys of the terminal, or run `viatty paste` in a shell.
"
" A copy that fails is an error message; :messages has all of it.
@>=0.10 "
@>=0.10 " This neovim can write OSC 52 itself. tmux drops that unless set-clipboard is on,
@>=0.10 " in nested tmux in each of them, and reading waits for a reply that often does not
@>=0.10 " arrive. viatty avoids both.

if !exists('*s:viatty_copy')

let s:viatty_yanked = {'+': [[''], 'v'], '*': [[''], 'v']}
let s:viatty_jobs = []
" neovim may have been started from a desktop, with a different PATH.
let s:viatty = executable('viatty') ? 'viatty' : '@PATH@'

" The first line of what viatty says. A long one is shortened on the screen, so that
" neovim does not wait for Enter; :messages has all of it.
function! s:viatty_failed(line)
	let l:room = (&cmdheight - 1) * &columns + get(v:, 'echospace', &columns - 30)
	let l:shortmess = &shortmess
	set shortmess+=T
	redraw
	echohl ErrorMsg
	echomsg a:line
	if strdisplaywidth(a:line) >= l:room
		redraw
		echo printf('%.' . (l:room - 4) . 'S...', a:line)
	endif
	echohl None
	let &shortmess = l:shortmess
endfunction

function! s:viatty_ended(job, status, event) dict
	if a:status != 0
		call s:viatty_failed(self.stderr[0])
	endif
endfunction

" viatty runs as a job: it reads the text while neovim continues. The last line is
" empty, which would add a newline to a block.
function! s:viatty_copy(register, lines, regtype)
	let s:viatty_yanked[a:register] = [a:lines, a:regtype]
	let l:block = a:regtype =~# "^[b\<C-v>]" && a:lines[-1] ==# ''
	try
		let l:job = jobstart([s:viatty, 'copy', '-q'] + (a:register ==# '*' ? ['--primary'] : []),
			\ {'stderr_buffered': v:true, 'on_exit': function('s:viatty_ended')})
		call chansend(l:job, l:block ? a:lines[:-2] : a:lines)
		call chanclose(l:job, 'stdin')
		let s:viatty_jobs = [l:job]
	catch
		call s:viatty_failed('viatty could not be started: ' . v:exception)
	endtry
endfunction

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
	" With :wq right after the yank, the job would be killed with neovim. It gives
	" up by itself if the terminal accepts nothing for five seconds.
	autocmd VimLeavePre * call jobwait(s:viatty_jobs, 5000)
augroup END

endif

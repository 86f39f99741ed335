" viatty setup neovim: "+ and "* are the clipboard and the primary selection of
" the desk. It is a file of its own, for an init.vim and an init.lua alike:
"
"     mkdir -p ~/.config/nvim/plugin
"     viatty setup neovim > ~/.config/nvim/plugin/viatty.vim
"
" For every yank, also without a register:  set clipboard=unnamedplus
"
" "+p puts what neovim itself has yanked last. What others have copied has to be
" asked of the terminal, and neovim reads the terminal: paste it with the keys
" of the terminal, or by `viatty paste` in a shell.
@>=0.10 "
@>=0.10 " This neovim could write OSC 52 itself. In tmux that is dropped unless tmux has
@>=0.10 " set-clipboard on, and over several tmux unless all of them have it, and reading
@>=0.10 " waits for an answer that often does not come. viatty needs none of it.

if !exists('*s:viatty_copy')

let s:viatty_yanked = {'+': [[''], 'v'], '*': [[''], 'v']}
let s:viatty_jobs = []
" A window system may have started neovim with another PATH than yours.
let s:viatty = executable('viatty') ? 'viatty' : '@PATH@'

" viatty is not waited for: it reads what it is sent while neovim goes on. The
" lines end in an empty one, which for a block would be a newline too many.
function! s:viatty_copy(register, lines, regtype)
	let s:viatty_yanked[a:register] = [a:lines, a:regtype]
	let l:block = a:regtype =~# "^[b\<C-v>]" && a:lines[-1] ==# ''
	try
		let l:job = jobstart([s:viatty, 'copy'] + (a:register ==# '*' ? ['--primary'] : []))
		call chansend(l:job, l:block ? a:lines[:-2] : a:lines)
		call chanclose(l:job, 'stdin')
		let s:viatty_jobs = [l:job]
	catch
		echomsg 'viatty could not be started: ' . v:exception
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
	" A :wq right behind the yank: what is on its way would end with neovim. It
	" gives up by itself after five seconds in which the terminal takes nothing.
	autocmd VimLeavePre * call jobwait(s:viatty_jobs, 5000)
augroup END

endif

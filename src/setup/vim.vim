" viatty setup vim: makes "+ and "* the clipboard and the primary selection of the
" terminal, also in a vim built without +clipboard. Save this as a plugin; a new
" ~/.vimrc would replace the settings of defaults.vim:
"
"     mkdir -p ~/.vim/plugin
"     viatty setup vim > ~/.vim/plugin/viatty.vim
"
" "+yy, "+dd, "*y and so on copy. To copy all that is yanked or deleted without a
" register, set in ~/.vimrc:
"
"     let g:viatty_unnamed = 1
"
" :y + and :let @+ = 'text' work in vim 9.2, which has clipboard providers. Where they
" do not, use :ViattyCopy, which copies the line, :%ViattyCopy, the file,
" :ViattyCopy @a, a register, or :ViattyCopy expand('%:p'), any expression.
"
" "+p inserts what vim itself has yanked last. To insert what other programs have
" copied, use :ViattyPaste: it releases the terminal to viatty until the reply has
" arrived, and inserts the clipboard below the cursor line.
"
" A copy that fails is an error message; :messages has all of it.
@<8.1 " This needs vim 8.1 or later; older versions ignore it.

if has('job') && exists('##TextYankPost') && !has('gui_running')
	\ && !exists('*s:ViattySend')

" The register of the pending yank: '+', '*', or '' for neither.
let s:viatty_register = ''

" vim may have been started with a different PATH.
let s:viatty = executable('viatty') ? 'viatty' : '@PATH@'

function! s:ViattyRegister(register)
	let s:viatty_register = a:register
	return has('clipboard') ? '"' . a:register : ''
endfunction

" A long line is shortened on the screen, so that vim does not wait for Enter; :messages
" has all of it.
function! s:ViattyFailed(line)
	if a:line =~# '^hint: '
		return
	endif
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

" vim's child ends with 122 if it cannot be executed (EXEC_FAILED in os_unix.c).
function! s:ViattyEnded(status)
	if a:status == 122
		call s:ViattyFailed('viatty could not be started: ' . s:viatty)
	endif
endfunction

" viatty runs as a job. It reads a file, which preserves every byte, and which is
" open when it is deleted.
function! s:ViattySend(lines, options)
	let l:file = tempname()
	call writefile(a:lines, l:file, 'b')
	let s:viatty_job = job_start([s:viatty, 'copy', '-q'] + a:options, {'in_io': 'file',
		\ 'in_name': l:file, 'out_io': 'null',
		\ 'err_cb': {channel, line -> s:ViattyFailed(line)},
		\ 'exit_cb': {job, status -> s:ViattyEnded(status)}})
	call delete(l:file)
endfunction

" With :wq right after the yank, the job still needs vim to find the terminal. It
" gives up by itself if the terminal accepts nothing for five seconds.
function! s:ViattyLeave()
	let l:left = 500
	while l:left > 0 && exists('s:viatty_job') && job_status(s:viatty_job) ==# 'run'
		sleep 10m
		let l:left -= 1
	endwhile
endfunction

function! s:ViattyYank(register, lines, type)
	call s:ViattySend(a:lines + (a:type ==# 'V' ? [''] : []),
		\ a:register ==# '*' ? ['--primary'] : [])
endfunction

function! s:ViattyYanked(event)
	let l:register = s:viatty_register
	let s:viatty_register = ''
	if l:register ==# '' && a:event.regname =~# '^[+*]$' && !s:viatty_provides
		let l:register = a:event.regname
	elseif l:register ==# '' && a:event.regname ==# '' && get(g:, 'viatty_unnamed', 0)
		let l:register = '+'
	endif
	if l:register !=# ''
		call s:ViattyYank(l:register, a:event.regcontents, a:event.regtype)
	endif
endfunction

" Lines, or the value of an expression.
function! s:ViattyCopy(first, last, expression) abort
	let l:value = a:expression ==# '' ? getline(a:first, a:last) : eval(a:expression)
	call s:ViattySend(type(l:value) == type([]) ? l:value + ['']
		\ : split(l:value, "\n", 1), [])
endfunction

" sh redirects the messages, because not every shell can.
function! s:ViattyPaste()
	let l:file = tempname()
	let l:messages = tempname()
	silent execute '!exec sh -c ''"$0" paste >"$1" 2>"$2"'' ' . shellescape(s:viatty, 1)
		\ . ' ' . shellescape(l:file, 1) . ' ' . shellescape(l:messages, 1)
	let l:failed = v:shell_error
	if !l:failed
		call append('.', readfile(l:file))
	endif
	let l:line = get(readfile(l:messages), 0, '')
	call delete(l:file)
	call delete(l:messages)
	redraw!
	if l:failed && l:line !=# ''
		call s:ViattyFailed(l:line)
	endif
endfunction

command! ViattyPaste call s:ViattyPaste()
command! -range -nargs=? -complete=expression ViattyCopy
	\ call s:ViattyCopy(<line1>, <line2>, <q-args>)

augroup viatty
	autocmd!
	autocmd TextYankPost * call s:ViattyYanked(v:event)
	autocmd VimLeavePre * call s:ViattyLeave()
augroup END

let s:viatty_provides = exists('v:clipproviders')
if s:viatty_provides
	" vim 9.2: see :help clipboard-providers.
	let s:viatty_yanked = {'+': ['v', ['']], '*': ['v', ['']]}

	function! s:ViattyProvide(register, type, lines)
		let s:viatty_yanked[a:register] = [a:type, a:lines]
		call s:ViattyYank(a:register, a:lines, a:type)
	endfunction

	let v:clipproviders['viatty'] = {
		\ 'copy': {
		\   '+': function('s:ViattyProvide'),
		\   '*': function('s:ViattyProvide'),
		\ },
		\ 'paste': {
		\   '+': {register -> s:viatty_yanked[register]},
		\   '*': {register -> s:viatty_yanked[register]},
		\ },
		\ }
	set clipmethod^=viatty
else
	nnoremap <expr> "+ <SID>ViattyRegister('+')
	nnoremap <expr> "* <SID>ViattyRegister('*')
	xnoremap <expr> "+ <SID>ViattyRegister('+')
	xnoremap <expr> "* <SID>ViattyRegister('*')

	augroup viatty
		" A cancelled command is not a yank.
		autocmd CursorMoved,TextChanged,InsertEnter * let s:viatty_register = ''
		if exists('##ModeChanged')
			autocmd ModeChanged no*:n let s:viatty_register = ''
		endif
	augroup END
endif

endif

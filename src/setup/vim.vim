" viatty setup vim: makes "+ and "* the clipboard and the primary selection of the
" terminal, also in a vim built without +clipboard. Before vim 9.2, which has clipboard
" providers, these copy nothing, and :ViattyCopy does:
"
"     :y +            :ViattyCopy             (the line)
"     :1,5y +         :1,5ViattyCopy
"     :%y +           :%ViattyCopy
"     :let @+ = @a    :ViattyCopy @a          (any expression: expand('%:p'))
"
" Save this as a plugin; a new ~/.vimrc would replace the settings of defaults.vim:
"
"     mkdir -p ~/.vim/plugin
"     viatty setup vim > ~/.vim/plugin/viatty.vim
"
" "+yy, "+dd, "*y and so on copy. To copy all that is yanked or deleted without a
" register, set in ~/.vimrc:
"
"     let g:viatty_unnamed = 1
"
" "+p inserts what vim itself has yanked last. To insert what other programs have
" copied, use :ViattyPaste: it releases the terminal to viatty until the reply has
" arrived, and inserts the clipboard below the cursor line.
"
" A copy that fails is an error message, each time; one that was sent but is probably
" lost is a warning, once for each reason. :messages has all of it, with the remedy.
" While a copy is being sent, only the newest text waits for its turn, so the clipboard
" has what was yanked last.
" vim before 8.1 ignores it.

if has('job') && exists('##TextYankPost') && !has('gui_running')
	\ && !exists('*s:ViattySend')

" The register of the pending yank: '+', '*', or '' for neither.
let s:viatty_register = ''

" vim may have been started with a different PATH.
let s:viatty = executable('viatty') ? 'viatty' : '@VIATTY@'

function! s:ViattyRegister(register)
	let s:viatty_register = a:register
	return has('clipboard') ? '"' . a:register : ''
endfunction

" On the screen only the first line, shortened if it is long, so that vim does not wait
" for Enter; :messages has all of it.
function! s:ViattySays(lines, highlight)
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

" A warning is shown once; an error each time. vim's child ends with 122 if it cannot be
" executed (EXEC_FAILED in os_unix.c).
let s:viatty_warned = {}

function! s:ViattyEnded(file, job, status)
	let l:lines = filereadable(a:file) ? filter(readfile(a:file), 'v:val !=# ""') : []
	call delete(a:file)
	unlet s:viatty_job
	if a:status == 122
		call s:ViattySays(['viatty could not be started: ' . s:viatty], 'ErrorMsg')
	elseif a:status != 0 && a:status != 7
		call s:ViattySays(l:lines != [] ? l:lines
			\ : ['viatty ended with status ' . a:status], 'ErrorMsg')
	elseif l:lines != [] && !has_key(s:viatty_warned, join(l:lines))
		let s:viatty_warned[join(l:lines)] = 1
		call s:ViattySays(l:lines, 'WarningMsg')
	endif
	call s:ViattyNext()
endfunction

" Starts the copy that waits, unless one is running. viatty runs as a job. It reads a
" file, which preserves every byte, and which is open when it is deleted. Its messages
" are in a file, because a callback for them may come after that of the exit.
let s:viatty_waiting = {}

function! s:ViattyNext()
	if exists('s:viatty_job') || s:viatty_waiting == {}
		return
	endif
	let l:options = keys(s:viatty_waiting)[0]
	let l:file = tempname()
	let l:messages = tempname()
	call writefile(remove(s:viatty_waiting, l:options), l:file, 'b')
	let s:viatty_job = job_start([s:viatty, 'copy', '-q'] + split(l:options),
		\ {'in_io': 'file', 'in_name': l:file, 'out_io': 'null',
		\ 'err_io': 'file', 'err_name': l:messages,
		\ 'exit_cb': function('s:ViattyEnded', [l:messages])})
	call delete(l:file)
	" Nothing calls s:ViattyEnded() for a job that was not started.
	if job_status(s:viatty_job) ==# 'fail'
		unlet s:viatty_job
	endif
endfunction

" A text that still waits for the same selection is replaced.
function! s:ViattySend(lines, options)
	let s:viatty_waiting[a:options] = a:lines
	call s:ViattyNext()
endfunction

" With :wq right after the yank, the job still needs vim to find the terminal. It
" gives up by itself if the terminal accepts nothing for five seconds.
function! s:ViattyLeave()
	let l:job = 0
	while exists('s:viatty_job') && (s:viatty_job isnot l:job || l:left > 0)
		let l:left = s:viatty_job is l:job ? l:left - 1 : 500
		let l:job = s:viatty_job
		" calls s:ViattyEnded(), which starts the next
		call job_status(l:job)
		sleep 10m
	endwhile
endfunction

function! s:ViattyYank(register, lines, type)
	call s:ViattySend(a:lines + (a:type ==# 'V' ? [''] : []),
		\ a:register ==# '*' ? '--primary' : '')
endfunction

function! s:ViattyYanked(event)
	let l:register = s:viatty_register
	let s:viatty_register = ''
	" With autoselect the end of Visual mode comes here too (end_visual_mode() in normal.c).
	if mode() =~# "^[vV\<C-v>]"
		return
	endif
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
		\ : split(l:value, "\n", 1), '')
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
	let l:lines = readfile(l:messages)
	call delete(l:file)
	call delete(l:messages)
	redraw!
	if l:failed && l:lines != []
		call s:ViattySays(l:lines, 'ErrorMsg')
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
	" A cancelled command is no yank, and a put is no copy of what it replaces.
	for s:viatty_name in ['"+', '"*']
		execute 'nnoremap' s:viatty_name . '<Esc> <Esc>'
		execute 'xnoremap' s:viatty_name . '<Esc> <Esc>'
		for s:viatty_put in ['p', 'P', 'gp', 'gP', ']p', '[p']
			execute 'xnoremap' s:viatty_name . s:viatty_put . ' '
				\ . (has('clipboard') ? s:viatty_name : '') . s:viatty_put
		endfor
	endfor

	augroup viatty
		" A cancelled command is not a yank.
		autocmd CursorMoved,TextChanged,InsertEnter * let s:viatty_register = ''
		if exists('##ModeChanged')
			autocmd ModeChanged no*:n let s:viatty_register = ''
		endif
	augroup END
endif

endif

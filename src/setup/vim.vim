" viatty setup vim: "+ and "* are the clipboard and the primary selection of the
" desk, also in a vim that was built without +clipboard. Add this to ~/.vimrc:
"
"     viatty setup vim >> ~/.vimrc
"
" "+yy "+dd and so on copy, and "*y with them. With this, every yank without a
" register does, too:
"
"     let g:viatty_unnamed = 1
"
" "+p puts what vim itself has yanked last. What others have copied has to be
" asked of the terminal, and its answer arrives as typed keys, for which vim
" waits as well. :ViattyPaste therefore lets viatty have the terminal until it
" has answered, and puts the clipboard behind the cursor's line.
@<8.1 " This needs vim 8.1 or later: an older one takes no notice of it.

if has('job') && exists('##TextYankPost') && !has('gui_running')
	\ && !exists('*s:ViattySend')

" Where the yank that is being typed goes: '+', '*', or '' for nowhere.
let s:viatty_register = ''

" vim may have been started with another PATH than yours.
let s:viatty = executable('viatty') ? 'viatty' : '@PATH@'

function! s:ViattyRegister(register)
	let s:viatty_register = a:register
	return has('clipboard') ? '"' . a:register : ''
endfunction

" viatty is not waited for. It reads a file, which has every byte as it was
" yanked and is open when it is deleted.
function! s:ViattySend(lines, options)
	let l:file = tempname()
	call writefile(a:lines, l:file, 'b')
	let s:viatty_job = job_start([s:viatty, 'copy'] + a:options, {'in_io': 'file',
		\ 'in_name': l:file, 'out_io': 'null', 'err_io': 'null'})
	call delete(l:file)
endfunction

" A :wq right behind the yank: what is on its way finds the terminal by vim. It
" gives up by itself after five seconds in which the terminal takes nothing.
function! s:ViattyLeave()
	let l:left = 500
	while l:left > 0 && exists('s:viatty_job') && job_status(s:viatty_job) ==# 'run'
		sleep 10m
		let l:left -= 1
	endwhile
endfunction

function! s:ViattyYanked(event)
	let l:register = s:viatty_register
	let s:viatty_register = ''
	if l:register ==# '' && a:event.regname =~# '^[+*]$'
		let l:register = a:event.regname
	elseif l:register ==# '' && a:event.regname ==# '' && a:event.operator ==# 'y'
		\ && get(g:, 'viatty_unnamed', 0)
		let l:register = '+'
	endif
	if l:register !=# ''
		call s:ViattySend(a:event.regcontents + (a:event.regtype ==# 'V' ? [''] : []),
			\ l:register ==# '*' ? ['--primary'] : [])
	endif
endfunction

function! s:ViattyPaste()
	let l:file = tempname()
	silent execute '!' . shellescape(s:viatty) . ' paste >' . shellescape(l:file)
	if v:shell_error == 0
		call append('.', readfile(l:file))
	endif
	call delete(l:file)
	redraw!
	if v:shell_error
		echomsg 'viatty paste gave up; viatty doctor paste says why'
	endif
endfunction

command! ViattyPaste call s:ViattyPaste()
nnoremap <expr> "+ <SID>ViattyRegister('+')
nnoremap <expr> "* <SID>ViattyRegister('*')
xnoremap <expr> "+ <SID>ViattyRegister('+')
xnoremap <expr> "* <SID>ViattyRegister('*')

augroup viatty
	autocmd!
	autocmd TextYankPost * call s:ViattyYanked(v:event)
	autocmd VimLeavePre * call s:ViattyLeave()
	" What was begun and given up is no yank.
	autocmd CursorMoved,TextChanged,InsertEnter * let s:viatty_register = ''
	if exists('##ModeChanged')
		autocmd ModeChanged no*:n let s:viatty_register = ''
	endif
augroup END

endif

" viatty setup vim: makes "+ and "* the clipboard and the primary selection of the
" terminal, also in a vim built without +clipboard. Add this to ~/.vimrc:
"
"     viatty setup vim >> ~/.vimrc
"
" "+yy, "+dd, "*y and so on copy. To copy every yank without a register, set:
"
"     let g:viatty_unnamed = 1
"
" "+p inserts what vim itself has yanked last. To insert what other programs have
" copied, use :ViattyPaste: it releases the terminal to viatty until the reply has
" arrived, and inserts the clipboard below the cursor line.
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

" viatty runs as a job. It reads a file, which preserves every byte, and which is
" open when it is deleted.
function! s:ViattySend(lines, options)
	let l:file = tempname()
	call writefile(a:lines, l:file, 'b')
	let s:viatty_job = job_start([s:viatty, 'copy'] + a:options, {'in_io': 'file',
		\ 'in_name': l:file, 'out_io': 'null', 'err_io': 'null'})
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
	" A cancelled command is not a yank.
	autocmd CursorMoved,TextChanged,InsertEnter * let s:viatty_register = ''
	if exists('##ModeChanged')
		autocmd ModeChanged no*:n let s:viatty_register = ''
	endif
augroup END

endif

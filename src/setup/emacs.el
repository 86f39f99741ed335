;; viatty setup emacs: copies killed and copied text to the clipboard of the
;; terminal. Add this to your init file:
;;
;;     viatty setup emacs >> ~/.emacs.d/init.el
;;
;; C-y yanks what Emacs itself has killed last. While Emacs reads the terminal, no
;; other program can query it: to yank what other programs have copied, paste with
;; the keys of the terminal.

(defvar viatty-program (or (executable-find "viatty") "@PATH@")
  "The program; a daemon may have been started with a different PATH.")

(defun viatty-copy (text)
  "Send TEXT to the clipboard of the terminal that shows this frame.
Emacs does not wait for it."
  (let ((process-environment
         ;; The frames of a daemon are on several terminals: use that of this frame.
         (or (frame-parameter nil 'environment) process-environment))
        (coding-system-for-write 'utf-8-unix)
        (file-name-handler-alist nil)
        (default-directory "/"))
    (ignore-errors
      (apply #'call-process-region text nil viatty-program nil 0 nil "copy"
             (when (and (daemonp) (not (getenv "TMUX")))
               (append (list "--tty" (terminal-name))
                       (when (getenv "STY") '("--wrap" "screen"))))))))

(defvar viatty--cut interprogram-cut-function
  "The function that copies in graphical frames.")

(setq interprogram-cut-function
      (lambda (text)
        (if (display-graphic-p)
            (when viatty--cut (funcall viatty--cut text))
          (viatty-copy text))))

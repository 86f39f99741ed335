;; viatty setup emacs: what is killed or copied in a terminal goes to the clipboard
;; of the desk. Add this to your init file:
;;
;;     viatty setup emacs >> ~/.emacs.d/init.el
;;
;; C-y yanks what Emacs itself has killed last. What others have copied has to be
;; asked of the terminal, which Emacs reads: paste it with the keys of the terminal.

(defvar viatty-program (or (executable-find "viatty") "@PATH@")
  "A daemon may have been started with another PATH than yours.")

(defun viatty-copy (text)
  "Send TEXT to the clipboard of the terminal that shows this frame.
Emacs does not wait for it."
  (let ((process-environment
         ;; A daemon's frames are at several terminals: that of this one counts.
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
  "What frames of a window system copy with.")

(setq interprogram-cut-function
      (lambda (text)
        (if (display-graphic-p)
            (when viatty--cut (funcall viatty--cut text))
          (viatty-copy text))))

;; viatty setup emacs: copies killed and copied text to the clipboard of the
;; terminal. Add this to your init file:
;;
;;     mkdir -p ~/.emacs.d
;;     viatty setup emacs >> ~/.emacs.d/init.el
;;
;; C-y yanks what Emacs itself has killed last. While Emacs reads the terminal, no
;; other program can query it: to yank what other programs have copied, paste with
;; the keys of the terminal. A copy that fails is shown in the echo area.

(defvar viatty-program (or (executable-find "viatty") "@PATH@")
  "The program; a daemon may have been started with a different PATH.")

(defvar viatty--last nil
  "The process of the last copy.")

(defun viatty--ended (process _event)
  "Show the first line of what viatty says if PROCESS has failed."
  (unless (process-live-p process)
    (with-current-buffer (process-buffer process)
      (unless (eq (process-exit-status process) 0)
        (goto-char (point-min))
        (message "%s" (buffer-substring (point-min) (line-end-position))))
      (kill-buffer))))

(defun viatty-copy (text)
  "Send TEXT to the clipboard of the terminal that shows this frame.
Emacs does not wait until the terminal has it."
  (let ((process-environment
         ;; The frames of a daemon are on several terminals: use that of this frame.
         (or (frame-parameter nil 'environment) process-environment))
        (file-name-handler-alist nil)
        (default-directory "/")
        (buffer (generate-new-buffer " *viatty*")))
    (condition-case failure
        (let ((process
               (make-process
                :name "viatty" :buffer buffer :noquery t :connection-type 'pipe
                :coding 'utf-8-unix :sentinel #'viatty--ended
                :command `(,viatty-program "copy" "-q"
                           ,@(when (and (daemonp) (not (getenv "TMUX")))
                               `("--tty" ,(terminal-name)
                                 ,@(when (getenv "STY") '("--wrap" "screen"))))))))
          (setq viatty--last process)
          (process-send-string process text)
          (process-send-eof process))
      (error (message "viatty could not be started: %s" (error-message-string failure))))))

(defun viatty--wait ()
  "Wait for the last copy: Emacs ends its processes when it exits.
viatty gives up if the terminal accepts nothing for five seconds."
  (let ((left 50))
    (while (and viatty--last (process-live-p viatty--last) (> left 0))
      (accept-process-output viatty--last 0.1)
      (setq left (1- left)))))

(add-hook 'kill-emacs-hook #'viatty--wait)

(defvar viatty--cut interprogram-cut-function
  "The function that copies in graphical frames.")

(setq interprogram-cut-function
      (lambda (text)
        (if (display-graphic-p)
            (when viatty--cut (funcall viatty--cut text))
          (viatty-copy text))))

;; viatty setup emacs: copies killed and copied text to the clipboard of the
;; terminal. Add this to your init file:
;;
;;     mkdir -p ~/.emacs.d
;;     viatty setup emacs >> ~/.emacs.d/init.el
;;
;; C-y yanks what Emacs itself has killed last. While Emacs reads the terminal, no
;; other program can query it: to yank what other programs have copied, paste with
;; the keys of the terminal.
;;
;; A copy that fails is shown in the echo area, each time; one that was sent but is
;; probably lost, once for each reason. While a copy is being sent, only the newest text
;; waits for its turn, so the clipboard has what was killed last.

(defvar viatty-program (or (executable-find "viatty") "@VIATTY@")
  "The program; a daemon may have been started with a different PATH.")

(defvar viatty--running nil
  "The process of the copy that is being sent.")

(defvar viatty--waiting nil
  "The copies that wait: an alist of terminals and lists for `viatty--start'.")

(defvar viatty--warned nil
  "The warnings that were shown.")

(defun viatty--say (text)
  "Show the first line of TEXT; the buffer *Messages* has all of it."
  (message "%s" text)
  (let ((message-log-max nil))
    (message "%s" (car (split-string text "\n")))))

(defun viatty--ended (process _event)
  "Show what viatty says, a warning only once, and start the next copy after PROCESS."
  (unless (process-live-p process)
    (let ((said (with-current-buffer (process-buffer process)
                  (prog1 (replace-regexp-in-string "\n+\\'" "" (buffer-string))
                    (kill-buffer)))))
      (cond ((not (memq (process-exit-status process) '(0 7)))
             (viatty--say (if (equal said "") "viatty failed" said)))
            ((not (or (equal said "") (member (cons (terminal-name) said) viatty--warned)))
             (push (cons (terminal-name) said) viatty--warned)
             (viatty--say said))))
    (viatty--next)))

(defun viatty--start (command environment text)
  "Start COMMAND in ENVIRONMENT, and send it TEXT."
  (let ((process-environment environment)
        (file-name-handler-alist nil)
        (default-directory "/"))
    (condition-case failure
        (let ((process (make-process
                        :name "viatty" :buffer (generate-new-buffer " *viatty*")
                        :noquery t :connection-type 'pipe :coding 'utf-8-unix
                        :sentinel #'viatty--ended :command command)))
          (setq viatty--running process)
          (ignore-errors                ; one that has ended says why itself
            (process-send-string process text)
            (process-send-eof process)))
      (error (message "viatty could not be started: %s" (error-message-string failure))))))

(defun viatty--next ()
  "Start a copy that waits, unless one is being sent."
  (unless (process-live-p viatty--running)
    (let ((next (pop viatty--waiting)))
      (when next
        (apply #'viatty--start (cdr next))))))

(defun viatty-copy (text)
  "Send TEXT to the clipboard of the terminal that shows this frame.
Emacs does not wait until the terminal has it.  TEXT replaces one that still waits."
  (let ((process-environment
         ;; The frames of a daemon are on several terminals: use that of this frame.
         (or (frame-parameter nil 'environment) process-environment)))
    (setf (alist-get (terminal-name) viatty--waiting nil nil #'equal)
          (list `(,viatty-program "copy" "-q"
                  ,@(when (and (daemonp) (not (getenv "TMUX")))
                      `("--tty" ,(terminal-name)
                        ,@(when (getenv "STY") '("--wrap" "screen")))))
                process-environment text)))
  (viatty--next))

(defun viatty--wait ()
  "Wait for the copies: Emacs ends its processes when it exits.
viatty gives up if the terminal accepts nothing for five seconds."
  (let ((left 50) last)
    (while (and (> left 0) (or (process-live-p viatty--running) viatty--waiting))
      (viatty--next)
      (unless (eq last viatty--running)
        (setq last viatty--running left 50))
      (accept-process-output viatty--running 0.1)
      (setq left (1- left)))))

(add-hook 'kill-emacs-hook #'viatty--wait)

(defvar viatty--cut interprogram-cut-function
  "The function that copies in graphical frames.")

(setq interprogram-cut-function
      (lambda (text)
        (if (display-graphic-p)
            (when viatty--cut (funcall viatty--cut text))
          (viatty-copy text))))

import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { Button } from '../buttons/Button';
import styles from './Dialog.module.css';
import { focusAfterDialog, focusDialogFirst } from './focusPlace';

interface DialogProps {
  readonly title: ReactNode;
  readonly message: ReactNode;
  /** A second line. */
  readonly advice?: string;
  readonly confirmLabel: string;
  /** Absent: the dialog only informs and offers no choice. */
  readonly cancelLabel?: string;
  /** `danger`: the confirmed action removes something. */
  readonly tone?: 'danger';
  /** Shown below the buttons. */
  readonly details?: ReactNode;
  readonly onConfirm: () => void;
  /** Called for 'Cancel' and Esc. */
  readonly onCancel: () => void;
}

/**
 * A modal dialog, open while it is rendered. The safe button comes first and so takes the focus. When the dialog closes, the
 * browser returns the focus to where it was.
 */
export function Dialog({
  title,
  message,
  advice,
  confirmLabel,
  cancelLabel,
  tone,
  details,
  onConfirm,
  onCancel,
}: DialogProps) {
  const id = useId();
  const dialog = useModal();
  const cancel = (event: SyntheticEvent<HTMLDialogElement>): void => {
    // The caller decides when it closes, by no longer rendering it.
    event.preventDefault();
    onCancel();
  };
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-message`}
      className={styles['dialog']}
      onCancel={cancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-message`} className={styles['message']}>
        <p>{message}</p>
        {advice !== undefined && <p className={styles['advice']}>{advice}</p>}
      </div>
      <div className={styles['actions']}>
        {cancelLabel !== undefined && <Button onClick={onCancel}>{cancelLabel}</Button>}
        <Button variant={tone ?? 'primary'} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
      {details && <div className={styles['details']}>{details}</div>}
    </dialog>
  );
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    if (element) focusDialogFirst(element);
    // The dialog is closed before it is removed, because only then the browser returns the focus.
    return () => {
      element?.close();
      // Chromium leaves the caret at the pressed button, and what the user types next would be lost.
      const field = element?.ownerDocument.querySelector<HTMLElement>('input:focus');
      field?.blur();
      field?.focus({ preventScroll: true });
      if (element) focusAfterDialog(element.ownerDocument);
    };
  }, []);
  return dialog;
}

import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { Button } from '../buttons/Button';
import styles from './Dialog.module.css';
import { focusAfterDialog, focusDialogFirst } from './focusPlace';

interface DialogProps {
  readonly title: string;
  readonly message: string;
  /** A second line. */
  readonly advice?: string;
  readonly confirmLabel: string;
  /** Absent: the dialog only informs and offers no choice. */
  readonly cancelLabel?: string;
  /** `danger`: what is confirmed takes something away. */
  readonly tone?: 'danger';
  /** Below the buttons. */
  readonly details?: ReactNode;
  readonly onConfirm: () => void;
  /** Cancel, and Esc. */
  readonly onCancel: () => void;
}

/**
 * A modal dialog, open while it is rendered. The safe button comes first and so takes the focus, which
 * the browser gives back to where it was when the dialog closes.
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
    // Closed while still in the document: only then does the browser give the focus back.
    return () => {
      element?.close();
      // Chromium leaves the caret where the mouse pressed the dialog's button: what is typed then would be lost.
      const field = element?.ownerDocument.querySelector<HTMLElement>('input:focus');
      field?.blur();
      field?.focus({ preventScroll: true });
      if (element) focusAfterDialog(element.ownerDocument);
    };
  }, []);
  return dialog;
}

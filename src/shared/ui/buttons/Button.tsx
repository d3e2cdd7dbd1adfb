import { useLayoutEffect, useRef, type ComponentPropsWithoutRef, type SyntheticEvent } from 'react';
import styles from './Button.module.css';
import { Spinner } from './Spinner';

/** The emphasis of a button. A screen has at most one `primary` button. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'className' | 'style'> {
  /** Default: `secondary`. */
  readonly variant?: ButtonVariant;
  /** The action is in progress: the button is disabled and shows a spinner instead of its text, at the same width. */
  readonly busy?: boolean;
  /** The button is as wide as its container. */
  readonly wide?: boolean;
  /** The button has no effect and is announced as disabled, but keeps the focus. */
  readonly keepsFocus?: boolean;
  /** A class for a component of the design system that sets its own colours. */
  readonly className?: string | undefined;
}

/** A button. `type` is `button` unless said otherwise, so that none submits a form by accident. */
export function Button({
  variant = 'secondary',
  busy = false,
  wide = false,
  keepsFocus = false,
  className,
  disabled,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button, busy);
  const isOff = disabled === true || busy;
  return (
    <button
      type="button"
      {...rest}
      ref={button}
      className={[styles['button'], className ?? styles[variant], wide && styles['wide']]
        .filter(Boolean)
        .join(' ')}
      disabled={isOff && !keepsFocus}
      aria-disabled={(isOff && keepsFocus) || undefined}
      onClick={isOff ? prevent : onClick}
      aria-busy={busy || undefined}
    >
      <span className={styles['content']}>{children}</span>
      {busy && (
        <span className={styles['wheel']}>
          <Spinner />
        </span>
      )}
    </button>
  );
}

/** Prevents the default action. A button with `keepsFocus` is not disabled and would submit its form. */
const prevent = (event: SyntheticEvent): void => event.preventDefault();

/** A disabled button loses the focus to the page; it gets the focus back when it works again. */
function useFocusKept(button: React.RefObject<HTMLButtonElement | null>, busy: boolean): void {
  const lost = useRef(false);
  useLayoutEffect(() => {
    const element = button.current;
    if (!element) return;
    const { activeElement, body } = element.ownerDocument;
    if (busy) lost.current = activeElement === element;
    else if (lost.current) {
      lost.current = false;
      if (activeElement === body || activeElement === element) element.focus({ preventScroll: true });
    }
  }, [button, busy]);
}

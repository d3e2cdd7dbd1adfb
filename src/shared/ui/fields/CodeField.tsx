import { OTPField } from '@base-ui/react/otp-field';
import { useEffectEvent, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import styles from './CodeField.module.css';
import field from './TextField.module.css';

/** Digits of a code. */
const length = 6;
const positions = Array.from({ length }, (_, index) => index + 1);

interface CodeFieldProps {
  /** Names the group of boxes. */
  readonly label: string;
  /** Names a box for screen readers: 'digit 2 of 6'. */
  readonly digitLabel: (position: number, length: number) => string;
  /** The code was wrong; until this ends, nothing can be entered. */
  readonly red: boolean;
  /** Each further one empties the boxes and puts the focus in the first. */
  readonly attempt: number;
  /** Whether the first box takes the focus by itself; not in a parent's frame (docs/behaviour.md#embedding). */
  readonly takesFocus: boolean;
  /** A check is under way: nothing can be changed, and the focus stays where it is. */
  readonly disabled?: boolean;
  /** The digits that are in, on every change; empty once an attempt has emptied the boxes. */
  readonly onChange: (code: string) => void;
  /** Six digits are in. */
  readonly onComplete?: (code: string) => void;
}

/**
 * Six boxes for a code, one digit each (docs/behaviour.md#code-boxes). The library spreads what is typed or pasted from the box where
 * it comes in; a whole code, however it comes, is taken from the first box on.
 */
export function CodeField(props: CodeFieldProps) {
  const { label, digitLabel, red } = props;
  const id = useId();
  const { code, locked, first, last, take, takeWhole } = useCode(props);
  return (
    <div className={field['field']}>
      <label id={`${id}-label`} className={field['label']} htmlFor={id}>
        {label}
      </label>
      <span id={`${id}-first`} hidden>
        {digitLabel(1, length)}
      </span>
      <OTPField.Root
        id={id}
        dir="ltr"
        length={length}
        value={code}
        readOnly={locked}
        aria-labelledby={`${id}-label`}
        className={styles['boxes']}
        onValueChange={take}
      >
        {positions.map((position) => (
          <OTPField.Input
            key={position}
            ref={position === 1 ? first : position === length ? last : undefined}
            className={`${field['input'] ?? ''} ${styles['box'] ?? ''}`}
            // The library's own would cut '123 456' off.
            maxLength={undefined}
            aria-invalid={red || undefined}
            // The library drops an `aria-label` of the first box, which is also what the group's label leads to.
            {...(position === 1
              ? { 'aria-labelledby': `${id}-label ${id}-first` }
              : { 'aria-label': digitLabel(position, length) })}
            onChange={(event) => {
              if (takeWhole(event.currentTarget.value)) event.preventBaseUIHandler();
            }}
            onPaste={(event) => {
              if (!takeWhole(event.clipboardData.getData('text/plain'))) return;
              event.preventDefault();
              event.preventBaseUIHandler();
            }}
          />
        ))}
      </OTPField.Root>
    </div>
  );
}

function useCode({ red, attempt, takesFocus, disabled = false, onChange, onComplete }: CodeFieldProps) {
  const [code, setCode] = useState('');
  const [emptiedFor, setEmptiedFor] = useState(attempt);
  const first = useRef<HTMLInputElement>(null);
  const last = useRef<HTMLInputElement>(null);
  if (emptiedFor !== attempt) {
    setEmptiedFor(attempt);
    setCode('');
  }
  useFocusAtStart(first, { attempt, takesFocus, onEmptied: () => onChange('') });
  const focusLastWith = useFocusOnceShown(last, code);
  const locked = disabled || red;
  const change = (next: string): void => {
    setCode(next);
    onChange(next);
  };
  /** What the library made of a key, or of a part of a code. */
  const take = (next: string): void => {
    change(next);
    if (next.length === length && code.length < length) onComplete?.(next);
  };
  /** @returns whether the text held a whole code */
  const takeWhole = (text: string): boolean => {
    const digits = text.replace(/[^0-9]/g, '').slice(0, length);
    if (locked || digits.length < length) return false;
    change(digits);
    focusLastWith(digits);
    onComplete?.(digits);
    return true;
  };
  return { code, locked, first, last, take, takeWhole };
}

type Box = RefObject<HTMLInputElement | null>;

/** When the field appears, if it may; and whenever an attempt has emptied it. */
function useFocusAtStart(
  boxRef: Box,
  given: { readonly attempt: number; readonly takesFocus: boolean; readonly onEmptied: () => void },
): void {
  const { attempt, takesFocus, onEmptied } = given;
  const seen = useRef(attempt);
  const emptied = useEffectEvent(onEmptied);
  useLayoutEffect(() => {
    if (takesFocus) boxRef.current?.focus();
  }, [boxRef, takesFocus]);
  useLayoutEffect(() => {
    if (seen.current === attempt) return;
    seen.current = attempt;
    emptied();
    boxRef.current?.focus();
  }, [boxRef, attempt]);
}

/** Moves the focus once the code is in the boxes: until then the library sends it back to the first empty one. */
function useFocusOnceShown(boxRef: Box, code: string): (awaited: string) => void {
  const awaited = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (awaited.current === code) boxRef.current?.focus();
    awaited.current = null;
  }, [boxRef, code]);
  return (next) => {
    awaited.current = next;
  };
}

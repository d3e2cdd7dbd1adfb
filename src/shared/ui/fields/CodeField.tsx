import {
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { codeLength, editCode, hasDigit, isCodePart, isDigit, wholeCode } from './codeText';
import styles from './CodeField.module.css';
import field from './TextField.module.css';

const boxes = Array.from({ length: codeLength }, (_, index) => index);

interface CodeFieldProps {
  readonly label: string;
  /** Describes the length of a code for screen readers, which do not show the boxes. */
  readonly description: string;
  /** The code was wrong. Until this ends, nothing can be entered. */
  readonly red: boolean;
  /** Each increment focuses the field, and empties it unless `keepsCode` is set. */
  readonly restarts: number;
  readonly keepsCode?: boolean;
  /** Whether the field takes the focus by itself; not in a parent's frame (docs/behaviour.md#embedding). */
  readonly takesFocus: boolean;
  /** A check is in progress. Nothing can be changed, and the focus stays where it is. */
  readonly disabled?: boolean;
  /** Called with the digits in the field on each change, and with an empty text when a restart has emptied it. */
  readonly onChange: (code: string) => void;
  /** Called when six digits are entered and none was cut off. */
  readonly onComplete?: (code: string) => void;
}

/**
 * Six boxes for a code, drawn under one real field (docs/behaviour.md#code-boxes), whose letter spacing puts each digit into
 * its box. The field is uncontrolled, because an input method loses its text when React writes into the field.
 */
export function CodeField(props: CodeFieldProps) {
  const { label, description, red, disabled = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const drawn = useRef<HTMLDivElement>(null);
  const { start, end, follow } = useSelection(input);
  const { read, paste } = useCode(input, props, follow);
  // The last box is the current one also if the caret is behind the last digit.
  const first = Math.min(start, codeLength - 1);
  const isCurrent = (box: number): boolean => box === first || (box > first && box < end);
  return (
    <div className={field['field']}>
      <label className={field['label']} htmlFor={id}>
        {label}
      </label>
      <div dir="ltr" className={styles['code']}>
        <div ref={drawn} aria-hidden="true" className={styles['boxes']}>
          {boxes.map((box) => (
            <span key={box} className={styles['box']} data-current={isCurrent(box) || undefined} />
          ))}
        </div>
        {/* Without `maxlength`, which would cut '123 456' off. */}
        <input
          ref={input}
          id={id}
          className={styles['input']}
          data-full={start === codeLength || undefined}
          type="text"
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          readOnly={disabled || red}
          aria-invalid={red || undefined}
          aria-describedby={`${id}-description`}
          onInput={({ nativeEvent }) => read(nativeEvent)}
          onCompositionEnd={() => read()}
          // Some password managers fill in a code without an event. It is read here, because Enter would not submit
          // otherwise.
          onKeyDown={({ nativeEvent: { isComposing } }) => read({ isComposing })}
          onBlur={() => read()}
          onPaste={paste}
          onClick={(event) => {
            putCaret(event, drawn.current);
            follow();
          }}
          onSelect={follow}
        />
      </div>
      <span id={`${id}-description`} hidden>
        {description}
      </span>
    </div>
  );
}

/** Puts the caret into the box that was pressed, because Firefox puts it behind the digit. A selection stays. */
function putCaret(
  { currentTarget: input, clientX, detail }: MouseEvent<HTMLInputElement>,
  drawn: Element | null,
) {
  // The press of a screen reader has no position.
  if (!drawn || detail === 0 || input.selectionStart !== input.selectionEnd) return;
  const before = Array.from(drawn.children).filter((box) => box.getBoundingClientRect().left <= clientX);
  const caret = Math.min(Math.max(before.length - 1, 0), input.value.length);
  input.setSelectionRange(caret, caret);
}

type Field = RefObject<HTMLInputElement | null>;

/** The caret or the selection in the field, for the boxes. */
function useSelection(fieldRef: Field) {
  const [{ start, end }, setRange] = useState({ start: 0, end: 0 });
  const follow = (): void => {
    const { selectionStart, selectionEnd } = fieldRef.current ?? {};
    setRange({ start: selectionStart ?? 0, end: selectionEnd ?? 0 });
  };
  return { start, end, follow };
}

function useCode(fieldRef: Field, props: CodeFieldProps, follow: () => void) {
  const { red, restarts, keepsCode = false, takesFocus, disabled = false, onChange, onComplete } = props;
  const accepted = useRef('');
  const locked = disabled || red;
  const accept = (code: string, caret = code.length): void => {
    const input = fieldRef.current;
    if (!input) return;
    if (input.value !== code) {
      input.value = code;
      // In Safari, `setSelectionRange` would focus the field.
      if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret);
    }
    follow();
    if (accepted.current === code) return;
    accepted.current = code;
    onChange(code);
  };
  const restart = (): void => {
    if (!keepsCode) accept('');
  };
  useFocusAtStart(fieldRef, { restarts, takesFocus, restart });
  useTyping(fieldRef);
  return {
    /** Reads the text in the field, whatever has changed it. */
    read: ({ isComposing, inputType }: Partial<InputEvent> = {}): void => {
      const input = fieldRef.current;
      const before = accepted.current;
      if (!input || input.value === before) return;
      if (locked) {
        accept(before);
        return;
      }
      const end = input.selectionStart ?? input.value.length;
      const isUndone = inputType?.startsWith('history') === true && isCodePart(input.value);
      const { code, caret, isCut } = isUndone
        ? { code: input.value, caret: end, isCut: false }
        : editCode(before, input.value, end);
      // Writing into the field would end a composition. The text is read again at its end.
      if (isComposing === true && code !== input.value) return;
      accept(code, caret);
      const isWhole = code.length === codeLength && before.length < codeLength;
      // A code that was complete before the edit, or that an undo has restored, has been submitted already.
      if (isWhole && !isUndone && !isCut) onComplete?.(code);
    },
    /** A whole code replaces all digits, wherever it is pasted. Any other text is inserted as typed. */
    paste: (event: ClipboardEvent): void => {
      const code = wholeCode(event.clipboardData.getData('text/plain'));
      if (locked || code === null) return;
      event.preventDefault();
      accept(code);
      onComplete?.(code);
    },
  };
}

/**
 * Lets the browser refuse a letter and replace a digit. The undo history of the browser lacks what a script writes into the
 * field, and would restore other digits. This is a native listener, because React's `beforeinput` is another event.
 */
function useTyping(fieldRef: Field): void {
  useLayoutEffect(() => {
    const input = fieldRef.current;
    const onType = (event: InputEvent): void => {
      if (!input || event.inputType !== 'insertText' || event.isComposing || event.data === null) return;
      const { selectionStart: start, selectionEnd: end } = input;
      const isOne = isDigit(event.data);
      if (!hasDigit(event.data) || (isOne && start === codeLength)) event.preventDefault();
      else if (isOne && start !== null && start === end) input.setSelectionRange(start, start + 1);
    };
    input?.addEventListener('beforeinput', onType);
    return () => input?.removeEventListener('beforeinput', onType);
  }, [fieldRef]);
}

/** Focuses the field when it appears, if it may take the focus, and at each restart. */
function useFocusAtStart(
  fieldRef: Field,
  given: { readonly restarts: number; readonly takesFocus: boolean; readonly restart: () => void },
): void {
  const { restarts, takesFocus } = given;
  const seen = useRef(restarts);
  const restart = useEffectEvent(given.restart);
  useLayoutEffect(() => {
    if (takesFocus) fieldRef.current?.focus();
  }, [fieldRef, takesFocus]);
  useLayoutEffect(() => {
    if (seen.current === restarts) return;
    seen.current = restarts;
    restart();
    fieldRef.current?.focus();
    // In Chromium, a dialog that closes returns the focus without the caret, and keys would have no effect.
    const end = fieldRef.current?.value.length ?? 0;
    fieldRef.current?.setSelectionRange(end, end);
  }, [fieldRef, restarts]);
}

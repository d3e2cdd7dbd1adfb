import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import layout from '@shared/ui/layout.module.css';
import { TextField } from '@shared/ui/fields/TextField';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import { useLayoutEffect, useRef, type ReactNode, type RefObject, type SubmitEvent } from 'react';
import { authMessages } from '../auth.messages';

interface UsernameStepProps {
  /** The start value of the field: the remembered username, or the one of the last attempt. It never replaces typed text. */
  readonly username: string;
  /** Start value of 'Remember Me'. */
  readonly rememberMe: boolean;
  /** Shown above the field. */
  readonly notice?: ReactNode;
  /** Additional tokens of `autocomplete`: what the browser lists in the field besides usernames. */
  readonly listed: readonly string[];
  /** The methods are being loaded. */
  readonly busy: boolean;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  /** Called once, at the first input, even if that came before hydration. */
  readonly onFirstInput: () => void;
  /** `username` is trimmed and not empty. */
  readonly onSubmit: (entry: { readonly username: string; readonly rememberMe: boolean }) => void;
}

/** The username step of `/login`. The fields are uncontrolled: text typed before hydration is kept. */
export function UsernameStep(props: UsernameStepProps) {
  const { _ } = useLingui();
  const { busy, takesFocus, onSubmit } = props;
  const field = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useStartingUsername(field, props);
  useStartingChoice(remember, props.rememberMe);
  useFirstInput(field, props);
  useListed(field, props.listed.join(' '));
  useFocusOnce(field, takesFocus);
  const filled = useFilled(field);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!field.current) return;
    const username = trim(field.current);
    if (username !== '' && !busy) onSubmit({ username, rememberMe: remember.current?.checked === true });
  };
  return (
    <Card title={_(authMessages.signIn.title)} lead={_(authMessages.signIn.usernameLead)}>
      {props.notice}
      {/* `post` keeps the input out of the address should the handler fail. */}
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <TextField
          ref={field}
          label={_(authMessages.signIn.username)}
          name="username"
          type="text"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          defaultValue={props.username}
          readOnly={busy}
          onBlur={(event) => void trim(event.currentTarget)}
        />
        <Checkbox
          ref={remember}
          name="rememberMe"
          defaultChecked={props.rememberMe}
          label={_(authMessages.signIn.rememberMe)}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!filled}>
          {_(authMessages.signIn.next)}
        </Button>
      </form>
    </Card>
  );
}

/** Trims the text in the field, so that it shows what is sent. */
function trim(field: HTMLInputElement): string {
  const trimmed = field.value.trim();
  if (field.value !== trimmed) field.value = trimmed;
  return trimmed;
}

type Field = RefObject<HTMLInputElement | null>;

/** The remembered username may arrive after the first paint. It replaces only an earlier start value or the submitted one. */
function useStartingUsername(fieldRef: Field, { username }: UsernameStepProps): void {
  const applied = useRef(username);
  useLayoutEffect(() => {
    const field = fieldRef.current;
    if (!field || (field.value !== applied.current && field.value !== username)) return;
    if (field.value !== username) setFieldValue(field, username);
    applied.current = username;
  }, [fieldRef, username]);
}

/** The remembered choice does not replace a choice that the user has already made. */
function useStartingChoice(rememberRef: Field, rememberMe: boolean): void {
  const applied = useRef(rememberMe);
  useLayoutEffect(() => {
    const box = rememberRef.current;
    if (!box || (box.checked !== applied.current && box.checked !== rememberMe)) return;
    box.checked = rememberMe;
    applied.current = rememberMe;
  }, [rememberRef, rememberMe]);
}

/** Sets `autocomplete` by script, because the markup is rendered at build time for all deployments. */
function useListed(fieldRef: Field, listed: string): void {
  useLayoutEffect(() => {
    if (listed !== '') fieldRef.current?.setAttribute('autocomplete', `username ${listed}`);
  }, [fieldRef, listed]);
}

function useFirstInput(fieldRef: Field, { username, onFirstInput }: UsernameStepProps): void {
  const notified = useRef(false);
  useLayoutEffect(() => {
    const input = fieldRef.current;
    if (!input || notified.current) return undefined;
    const notify = (): void => {
      if (!notified.current) onFirstInput();
      notified.current = true;
    };
    if (input.value !== '' && input.value !== username) notify();
    input.addEventListener('input', notify);
    return () => input.removeEventListener('input', notify);
  }, [fieldRef, username, onFirstInput]);
}

/** Focuses the field with the caret behind its text, unless the field has or had the focus already. */
function useFocusOnce(fieldRef: Field, takesFocus: boolean): void {
  useLayoutEffect(() => {
    const input = fieldRef.current;
    if (!takesFocus || !input || input.ownerDocument.activeElement === input) return;
    if ('inlineLogin' in (input.form?.dataset ?? {})) return;
    input.focus();
    input.setSelectionRange(input.value.length, input.value.length);
  }, [fieldRef, takesFocus]);
}

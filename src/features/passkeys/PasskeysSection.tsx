import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextField } from '@shared/ui/fields/TextField';
import { useFilled } from '@shared/ui/fields/useFilled';
import layout from '@shared/ui/layout.module.css';
import { EntryList, EntryRow } from '@shared/ui/page/EntryList';
import { Name } from '@shared/ui/Name';
import { Section } from '@shared/ui/page/WidePage';
import { Time } from '@shared/ui/Time';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useId, useLayoutEffect, useRef, type SubmitEvent } from 'react';
import { passkeyMessages } from './passkeys.messages';
import type { Passkey, PasskeysState } from './passkeys.slice';
import styles from './PasskeysSection.module.css';

interface PasskeysSectionProps extends PasskeysState {
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onTryAgain: () => void;
  readonly onAdd: () => void;
  /** Opens or closes the field for the name. */
  readonly onRename: (credentialId: string) => void;
  /** `name` is trimmed and not empty. */
  readonly onName: (credentialId: string, name: string) => void;
  readonly onRemove: (credentialId: string) => void;
}

const words = passkeyMessages.section;

/** The user's passkeys. */
export function PasskeysSection(props: PasskeysSectionProps) {
  const { _ } = useLingui();
  const { list, task, onTryAgain, onAdd } = props;
  return (
    <Section
      title={_(words.title)}
      actions={
        <Button busy={task.phase === 'adding'} onClick={onAdd}>
          {_(words.add)}
        </Button>
      }
      details={
        <EntryList texts={words} state={list} onTryAgain={onTryAgain}>
          {(passkey) => <PasskeyRow key={passkey.credentialId} {...passkey} {...props} />}
        </EntryList>
      }
    >
      <p className={layout['quiet']}>{_(words.text)}</p>
    </Section>
  );
}

function PasskeyRow(props: Passkey & PasskeysSectionProps) {
  const { _ } = useLingui();
  const { credentialId, name, createdAt, lastUsedAt, task, onRename, onRemove } = props;
  const titleId = useId();
  const phase = 'credentialId' in task && task.credentialId === credentialId ? task.phase : 'none';
  const isRenaming = phase === 'renaming' || phase === 'saving';
  return (
    <EntryRow
      id={titleId}
      title={<Name>{name}</Name>}
      action={
        <div className={layout['row']}>
          <Button
            aria-describedby={titleId}
            aria-expanded={isRenaming}
            onClick={() => onRename(credentialId)}
          >
            {_(words.rename)}
          </Button>
          <Button
            variant="danger"
            aria-describedby={titleId}
            busy={phase === 'removing'}
            onClick={() => onRemove(credentialId)}
          >
            {_(words.remove)}
          </Button>
        </div>
      }
      below={isRenaming && <NameForm {...props} busy={phase === 'saving'} />}
    >
      <p>
        <Time label={_(words.added)} at={createdAt} />
      </p>
      <p>{lastUsedAt === null ? _(words.neverUsed) : <Time label={_(words.lastUsed)} at={lastUsedAt} />}</p>
    </EntryRow>
  );
}

/** The longest name that the service accepts, characters. */
const longestName = 100;

function NameForm({
  credentialId,
  name,
  busy,
  takesFocus,
  onName,
}: Pick<Passkey, 'credentialId' | 'name'> &
  Pick<PasskeysSectionProps, 'onName' | 'takesFocus'> & { readonly busy: boolean }) {
  const { _ } = useLingui();
  const field = useAutoFocus<HTMLInputElement>(takesFocus);
  const filled = useFilled(field);
  const form = useRef<HTMLFormElement>(null);
  useFocusReturned(form);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = field.current?.value.trim() ?? '';
    if (given !== '' && !busy) onName(credentialId, given);
  };
  return (
    <form ref={form} method="post" className={styles['naming']} onSubmit={submit}>
      <TextField
        ref={field}
        label={_(words.name)}
        name="passkeyName"
        autoComplete="off"
        maxLength={longestName}
        enterKeyHint="done"
        defaultValue={name}
        readOnly={busy}
      />
      <Button type="submit" variant="primary" busy={busy} disabled={!filled}>
        {_(words.save)}
      </Button>
    </form>
  );
}

/** The button that opened the form gets its focus when the form closes. */
function useFocusReturned(formRef: React.RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const form = formRef.current;
    const opener = form?.closest('li')?.querySelector<HTMLElement>('[aria-expanded]');
    return () => {
      const { activeElement, body } = form?.ownerDocument ?? {};
      if (activeElement === body || form?.contains(activeElement ?? null))
        opener?.focus({ preventScroll: true });
    };
  }, [formRef]);
}

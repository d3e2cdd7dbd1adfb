import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import layout from '@shared/ui/layout.module.css';
import { Sentence } from '@shared/ui/Name';
import { Notice } from '@shared/ui/page/Notice';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useDates } from '@shared/ui/date';
import { useLayoutEffect, useRef, useState } from 'react';
import styles from './RecoveryCodes.module.css';
import { recoveryMessages as words } from './recoveryCodes.messages';
import type { RecoveryCodesState } from './recoveryCodes.slice';

type Count = RecoveryCodesState['count'];
type Shown = Extract<RecoveryCodesState['codes'], { phase: 'shown' }>;

/** Below this number the user is warned. */
const few = 4;

/** The number of codes that are left, and the button for new ones. Part of the section of two-step verification. */
export function RecoveryCount({ count, onGet }: { readonly count: Count; readonly onGet: () => void }) {
  const { _ } = useLingui();
  if (count.phase === 'absent') return null;
  const remaining = count.phase === 'counted' ? count.remaining : null;
  const isFew = remaining !== null && remaining > 0 && remaining < few;
  return (
    <div className={styles['count']}>
      {isFew ? (
        <div className={layout['tight']}>
          <Notice tone="warning">{_(words.left(remaining))}</Notice>
          <p className={layout['quiet']}>{_(words.few)}</p>
        </div>
      ) : (
        <p className={layout['quiet']}>{_(remaining === null ? words.failed : words.left(remaining))}</p>
      )}
      <Button onClick={onGet}>{_(words.get)}</Button>
    </div>
  );
}

interface RecoveryCodesProps {
  /** `undefined` if the vault has no codes. */
  readonly codes: readonly string[] | undefined;
  readonly product: string;
  readonly username: string;
  readonly shown: Shown;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onTake: (how: 'copy' | 'download' | 'print') => void;
  readonly onDone: () => void;
}

/** The new codes, which are shown once. A print contains only the product, the account, the date and the codes. */
export function RecoveryCodes(props: RecoveryCodesProps) {
  const { _ } = useLingui();
  const { codes, product, username, shown, takesFocus, onTake, onDone } = props;
  const { copied } = shown;
  const { formatDay } = useDates();
  const [isSaved, setIsSaved] = useState(false);
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  const part = useRef<HTMLDivElement>(null);
  useFocusGiven(part);
  return (
    <div ref={part} className={layout['stack']}>
      <h3 ref={title} tabIndex={-1} className={styles['title']}>
        {_(words.title)}
      </h3>
      <p>{_(words.text)}</p>
      <div className={styles['sheet']}>
        <div className={styles['paper']}>
          <p className={styles['product']}>
            <Sentence of={words.sheet.title(product)} />
          </p>
          <p>
            <Sentence of={words.sheet.account(username)} />
          </p>
          <p>{_(words.sheet.madeOn(formatDay(shown.madeAt)))}</p>
          <p>{_(words.sheet.text)}</p>
        </div>
        {codes ? <CodeList codes={codes} copied={copied} /> : <p role="alert">{_(words.gone)}</p>}
      </div>
      <div className={layout['tight']}>
        <div className={layout['row']}>
          {(['copy', 'download', 'print'] as const).map((how) => (
            <Button key={how} disabled={!codes} onClick={() => onTake(how)}>
              {_(words[how])}
            </Button>
          ))}
        </div>
        <Notice tone={copied?.outcome === 'refused' ? 'info' : 'success'}>
          {/* Another key, so that the same words are announced again. */}
          {copied && (
            <span key={copied.times}>
              {_(copied.outcome === 'copied' ? words.copied : words.copyRefused)}
            </span>
          )}
        </Notice>
      </div>
      <Checkbox
        label={_(words.saved)}
        checked={isSaved}
        onChange={(event) => {
          setIsSaved(event.currentTarget.checked);
        }}
      />
      <div>
        <Button variant="primary" disabled={!isSaved} onClick={onDone}>
          {_(words.done)}
        </Button>
      </div>
    </div>
  );
}

/** Moves the focus to the heading of the section when the codes are removed. */
function useFocusGiven(partRef: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const part = partRef.current;
    const heading = part?.closest('section')?.querySelector<HTMLElement>('h2');
    return () => {
      if (part?.contains(part.ownerDocument.activeElement)) heading?.focus({ preventScroll: true });
    };
  }, [partRef]);
}

/** If the clipboard is refused, the codes are selected, so that the user can press Ctrl+C. */
function CodeList({ codes, copied }: { readonly codes: readonly string[] } & Pick<Shown, 'copied'>) {
  const { _ } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (copied?.outcome === 'refused' && list.current)
      list.current.ownerDocument.getSelection()?.selectAllChildren(list.current);
  }, [copied]);
  return (
    // Browsers must not translate the codes.
    <ol ref={list} className={styles['codes']} aria-label={_(words.list)} translate="no">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ol>
  );
}

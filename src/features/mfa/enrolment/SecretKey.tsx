import { useLingui } from '@lingui/react';
import layout from '@shared/ui/layout.module.css';
import { Button } from '@shared/ui/buttons/Button';
import { Notice } from '@shared/ui/page/Notice';
import { Fragment, useLayoutEffect, useRef, type RefObject } from 'react';
import { mfaMessages } from '../mfa.messages';
import type { KeyCopy } from './enrolment.slice';
import styles from './AppEnrolment.module.css';

interface SecretKeyProps {
  readonly code: string;
  readonly copy: KeyCopy | null;
  readonly onCopy: () => void;
}

const words = mfaMessages.qrCode;

/** The key for an app that cannot scan: shown in groups, spelled to screen readers, copied without gaps. */
export function SecretKey({ code, copy, onCopy }: SecretKeyProps) {
  const { _ } = useLingui();
  const shown = useSelectedWhenRefused(copy);
  // Groups of four are easier to copy by hand.
  const groups = code.match(/.{1,4}/gsu) ?? [];
  return (
    <div className={styles['secret']}>
      <p className={styles['label']}>{_(words.secretKey)}</p>
      <p className={layout['visuallyHidden']}>
        {groups.map((group) => Array.from(group).join(' ')).join(', ')}
      </p>
      {/* Browsers must not translate it. */}
      <code ref={shown} className={styles['key']} translate="no" aria-hidden="true">
        {groups.map((group, index) => (
          <Fragment key={index}>
            <span className={styles['group']}>{group}</span>
            <wbr />
          </Fragment>
        ))}
      </code>
      <Button onClick={onCopy}>{_(words.copy)}</Button>
      <Notice tone={copy?.outcome === 'refused' ? 'info' : 'success'}>
        {/* Another React key, so that the same words are announced again. */}
        {copy && (
          <span key={copy.times}>{_(copy.outcome === 'copied' ? words.copied : words.copyRefused)}</span>
        )}
      </Notice>
    </div>
  );
}

/** If the browser refuses the clipboard, this selects the key, so that the user can press Ctrl+C. */
function useSelectedWhenRefused(copy: KeyCopy | null): RefObject<HTMLElement | null> {
  const shown = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (copy?.outcome === 'refused' && shown.current)
      shown.current.ownerDocument.getSelection()?.selectAllChildren(shown.current);
  }, [copy]);
  return shown;
}

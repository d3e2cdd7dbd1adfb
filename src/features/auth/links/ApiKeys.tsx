import { useLingui } from '@lingui/react';
import { Card } from '@shared/ui/page/Card';
import { Notice } from '@shared/ui/page/Notice';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef } from 'react';
import { linkMessages } from './links.messages';
import type { CopiedValue } from './oneTimeLink.slice';
import styles from './ApiKeys.module.css';

interface ApiKeysProps {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly copied: CopiedValue | null;
  readonly onCopy: (which: CopiedValue['which']) => void;
}

const words = linkMessages.apiInvite;

/** Shows the API key and the secret. A click on a box copies its value. See docs/behaviour.md#api-invite. */
export function ApiKeys({ apiKey, apiSecret, copied, onCopy }: ApiKeysProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(true);
  return (
    <Card titleRef={title} title={_(words.title)} lead={_(words.text)}>
      <ValueBox which="apiKey" value={apiKey} copied={copied} onCopy={onCopy} />
      <ValueBox which="apiSecret" value={apiSecret} copied={copied} onCopy={onCopy} />
      <Notice tone={copied?.outcome === 'refused' ? 'info' : 'success'}>
        {/* A new key for each press, so that screen readers announce the same text again. */}
        {copied && (
          <span key={copied.times}>
            {_(copied.outcome === 'copied' ? words.copied[copied.which] : words.copyRefused)}
          </span>
        )}
      </Notice>
    </Card>
  );
}

interface ValueBoxProps extends Pick<ApiKeysProps, 'copied' | 'onCopy'> {
  readonly which: CopiedValue['which'];
  readonly value: string;
}

function ValueBox({ which, value, copied, onCopy }: ValueBoxProps) {
  const { _ } = useLingui();
  const shown = useRef<HTMLElement>(null);
  const refused = copied?.which === which && copied.outcome === 'refused' ? copied.times : 0;
  useLayoutEffect(() => {
    // Selects the value, for Ctrl+C.
    if (refused > 0 && shown.current)
      shown.current.ownerDocument.getSelection()?.selectAllChildren(shown.current);
  }, [refused]);
  return (
    <button type="button" className={styles['box']} onClick={() => onCopy(which)}>
      <span className={styles['label']}>{_(words[which])}</span>
      <code ref={shown} className={styles['value']} translate="no">
        {value}
      </code>
    </button>
  );
}

import { useLingui } from '@lingui/react';
import { selectEmbedding } from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { useConfig } from '@shared/contexts';
import { use, useLayoutEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import styles from './CopyDetails.module.css';
import { detailsMessages } from './details.messages';
import { SupportContext } from './eventLog';
import { formatRecording, makeRecording } from './recording';

interface Copy {
  readonly text: string;
  readonly isCopied: boolean;
  /** The number of presses. It distinguishes one press from the next. */
  readonly times: number;
}

/** Copies what happened on this page, redacted, for the support (docs/behaviour.md#copy-details). */
export function CopyDetails() {
  const { _ } = useLingui();
  const support = use(SupportContext);
  const config = useConfig();
  const { look } = brandFor(useSelector(selectBrandFacts), config.brands);
  const embedding = useSelector(selectEmbedding);
  const [copy, setCopy] = useState<Copy | null>(null);
  if (!support) return null;
  const copyDetails = async (): Promise<void> => {
    const text = formatRecording(makeRecording(support.log, { config, look, embedding }));
    const isCopied = await support.copy(text);
    setCopy((before) => ({ text, isCopied, times: (before?.times ?? 0) + 1 }));
  };
  return (
    <div className={styles['details']}>
      <button type="button" className={styles['copy']} onClick={() => void copyDetails()}>
        {_(detailsMessages.copy)}
      </button>
      <span role="status">
        {/* A new key for each press, so that screen readers announce the same text again. */}
        {copy && (
          <span key={copy.times}>{_(copy.isCopied ? detailsMessages.copied : detailsMessages.refused)}</span>
        )}
      </span>
      {copy && !copy.isCopied && <Selected key={copy.times} text={copy.text} />}
    </div>
  );
}

/** If the browser refuses the clipboard, this selects the text, so that the user can press Ctrl+C. */
function Selected({ text }: { readonly text: string }) {
  const { _ } = useLingui();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <textarea
      ref={field}
      className={styles['text']}
      readOnly
      rows={4}
      aria-label={_(detailsMessages.text)}
      value={text}
    />
  );
}

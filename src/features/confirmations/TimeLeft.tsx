import { useLingui } from '@lingui/react';
import layout from '@shared/ui/layout.module.css';
import { confirmationMessages as words } from './confirmations.messages';
import styles from './PaymentDetails.module.css';

/** Screen readers say the time left at these times, s. */
const saidAt = [60, 30];
/** How long the text for screen readers stays, s. */
const saidForS = 5;

/** How long the payment can still be confirmed. */
export function TimeLeft({ secondsLeft }: { readonly secondsLeft: number }) {
  const { _ } = useLingui();
  const said = saidAt.find((at) => secondsLeft <= at && secondsLeft > at - saidForS);
  return (
    <>
      <p className={`${layout['quiet'] ?? ''} ${styles['time'] ?? ''}`}>
        {_(words.timeLeft(minutesAndSeconds(secondsLeft)))}
      </p>
      {/* Rendered empty from the start, so that screen readers announce the text. */}
      <p role="status" className={layout['visuallyHidden']}>
        {said !== undefined && _(words.timeLeft(minutesAndSeconds(said)))}
      </p>
    </>
  );
}

/** A duration such as 4:59. @param seconds - less than an hour */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

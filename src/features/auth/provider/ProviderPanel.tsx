import { Button } from '@shared/ui/Button';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/Notice';
import { authMessages } from '../auth.messages';

/** A provider's window that is on its way, or was not let through. */
export interface PanelAttempt {
  readonly method: 'google' | 'microsoft';
  /**
   * - `blocked`: the browser let no window open by itself
   * - `waiting`: the window is open
   * - `maybeClosed`: it reads as closed, which need not be true
   */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed';
}

interface ProviderPanelProps {
  /** `null`: there is none, and nothing is said. Render the panel all the same, so that its first words are said. */
  readonly attempt: PanelAttempt | null;
  readonly onCancel: () => void;
  /** Opens a new window; the one before no longer counts. */
  readonly onOpenAgain: () => void;
}

/** What goes on beside the form while a provider's window is open. Never in the way: the form stays usable. */
export function ProviderPanel({ attempt, onCancel, onOpenAgain }: ProviderPanelProps) {
  const { cancel, openAgain } = authMessages.signIn;
  return (
    <>
      <Notice>{attempt && wordsOf(attempt)}</Notice>
      {attempt && attempt.status !== 'blocked' && (
        <div className={layout['row']}>
          <Button variant="quiet" onClick={onOpenAgain}>
            {openAgain}
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            {cancel}
          </Button>
        </div>
      )}
    </>
  );
}

function wordsOf({ method, status }: PanelAttempt): string {
  const { providerBlocked, providerWaiting, providerPending } = authMessages.signIn;
  const words = {
    blocked: providerBlocked[method],
    waiting: providerWaiting[method],
    maybeClosed: providerPending,
  };
  return words[status];
}

import { Button } from '@shared/ui/Button';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/Notice';
import { providerMessages } from './provider.messages';

/** A provider's window that is on its way, or was not let through. */
export interface PanelAttempt {
  readonly method: 'google' | 'microsoft';
  /**
   * - `blocked`: the browser let no window open by itself
   * - `waiting`: the window is open
   * - `maybeClosed`: it reads as closed, which need not be true
   */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed';
  /** How often the browser has let no window open. */
  readonly blocks: number;
}

interface ProviderPanelProps {
  /** `null`: there is none, and nothing is said. Render the panel all the same, so that its first words are said. */
  readonly attempt: PanelAttempt | null;
  /** What the screen's button that opens a provider's window is called. */
  readonly buttons: Readonly<Record<PanelAttempt['method'], string>>;
  readonly onCancel: () => void;
  /** Opens a new window; the one before no longer counts. */
  readonly onOpenAgain: () => void;
}

/** What goes on beside the form while a provider's window is open. Never in the way: the form stays usable. */
export function ProviderPanel({ attempt, buttons, onCancel, onOpenAgain }: ProviderPanelProps) {
  const { cancel, openAgain } = providerMessages.panel;
  return (
    <>
      <Notice>{attempt && wordsOf(attempt, buttons[attempt.method])}</Notice>
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

function wordsOf({ method, status, blocks }: PanelAttempt, button: string): string {
  const { blocked, blockedAgain, waiting, maybeClosed } = providerMessages.panel;
  const words = {
    blocked: (blocks > 1 ? blockedAgain : blocked)(button),
    waiting: waiting[method],
    maybeClosed,
  };
  return words[status];
}

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/page/Notice';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { providerMessages } from './provider.messages';
import { Part } from '@shared/ui/page/Steps';

/** A provider's window that is open, or was blocked. */
export interface PanelAttempt {
  readonly method: 'google' | 'microsoft';
  /** With `maybeClosed` and `closed` the window reads as closed, but may be open. */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed' | 'closed';
  /** How often the browser has blocked a window. */
  readonly blocks: number;
}

interface ProviderPanelProps {
  /** With `null` the panel is an empty live region, so that screen readers announce its first text. */
  readonly attempt: PanelAttempt | null;
  /** The label of the button that opens the window. */
  readonly buttons: Readonly<Record<PanelAttempt['method'], MessageDescriptor>>;
  readonly onCancel: () => void;
  /** Opens a new window and gives up the one before. */
  readonly onOpenAgain: () => void;
}

/** State of a provider's window, shown next to the form, which stays usable. */
export function ProviderPanel({ attempt, buttons, onCancel, onOpenAgain }: ProviderPanelProps) {
  const { _ } = useLingui();
  const { cancel, openAgain } = providerMessages.panel;
  return (
    <>
      <Notice>{attempt && _(textOf(attempt, _(buttons[attempt.method])))}</Notice>
      <Part>
        {attempt && attempt.status !== 'blocked' && (
          <div className={layout['row']}>
            <Button variant="quiet" onClick={onOpenAgain}>
              {_(openAgain)}
            </Button>
            <Button variant="quiet" onClick={onCancel}>
              {_(cancel)}
            </Button>
          </div>
        )}
      </Part>
    </>
  );
}

function textOf({ method, status, blocks }: PanelAttempt, button: string): MessageDescriptor {
  const { blocked, blockedAgain, waiting, maybeClosed } = providerMessages.panel;
  const words = {
    blocked: (blocks > 1 ? blockedAgain : blocked)(button),
    waiting: waiting[method],
    maybeClosed,
    closed: maybeClosed,
  };
  return words[status];
}

interface PanelFocus {
  readonly title: RefObject<HTMLHeadingElement | null>;
  readonly buttons: RefObject<HTMLDivElement | null>;
  /** The providers in the order of the buttons. */
  readonly offered: readonly PanelAttempt['method'][];
  readonly provider: PanelAttempt | null;
  readonly busy: boolean;
}

/**
 * When the panel is removed with the focus inside, the focus moves to the provider's button, or to the title as long as
 * that button is disabled.
 */
export function useFocusAfterPanel({ title, buttons, offered, provider, busy }: PanelFocus): void {
  const shown = useRef<PanelAttempt['method'] | null>(null);
  const owed = useRef<PanelAttempt['method'] | null>(null);
  const method = provider?.method ?? null;
  useLayoutEffect(() => {
    const gone = method === null ? shown.current : null;
    shown.current = method;
    const heading = title.current;
    if (!heading) return;
    const focused = (): Element | null => heading.ownerDocument.activeElement;
    if (gone !== null && focused() === heading.ownerDocument.body) {
      owed.current = gone;
      heading.focus();
    }
    if (owed.current === null || busy) return;
    if (focused() === heading)
      buttons.current?.querySelectorAll('button')[offered.indexOf(owed.current)]?.focus();
    owed.current = null;
  }, [title, buttons, offered, method, busy]);
}

import { BackLink } from '@shared/ui/links';
import { Card } from '@shared/ui/Card';
import { Divider, ProviderButton } from '@shared/ui/ProviderButton';
import layout from '@shared/ui/layout.module.css';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { ProviderPanel, type PanelAttempt } from '../provider/ProviderPanel';
import { authMessages } from '../auth.messages';
import { PasswordForm } from './PasswordForm';

/** A way to sign in, as the service names it (specification §3). */
type Method = 'basic' | 'google' | 'microsoft';

interface MethodStepProps {
  /** Shown on the back link. */
  readonly username: string;
  /** What the service offers this username; at least one. */
  readonly methods: readonly Method[];
  /** The method whose sign-in is under way: its button spins, the others wait. `null` while a pop-up is merely open. */
  readonly busy: Method | null;
  /** Refused attempts so far. Each further one empties the password and puts the focus there. */
  readonly attempt: number;
  /** Whether the step takes the focus by itself; not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  /** Address of the first step, for the back link as an anchor; absent: a button. */
  readonly backHref?: string;
  readonly onBack: () => void;
  readonly forgotHref: string;
  readonly onForgot: () => void;
  /** The password as it was typed, untrimmed and not empty. */
  readonly onPassword: (password: string) => void;
  readonly onProvider: (provider: Exclude<Method, 'basic'>) => void;
  /** A provider's window that is on its way, or was not let through. */
  readonly provider: PanelAttempt | null;
  readonly onAbandonProvider: () => void;
}

const providers = ['google', 'microsoft'] as const;

/** Second step of `/login`: the methods that the username may use. */
export function MethodStep(props: MethodStepProps) {
  const { username, methods, busy, takesFocus, backHref, onBack, onProvider, provider } = props;
  const hasPassword = methods.includes('basic');
  const offered = providers.filter((provider) => methods.includes(provider));
  const title = useTakenFocus<HTMLHeadingElement>(takesFocus && !hasPassword);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusAfterPanel({ title, buttons, offered, provider, busy: busy !== null });
  return (
    <Card
      titleRef={title}
      title={hasPassword ? authMessages.signIn.passwordTitle : authMessages.signIn.providerTitle}
      above={
        <BackLink
          label={username}
          description={authMessages.signIn.changeUsername}
          href={backHref}
          onClick={onBack}
        />
      }
    >
      <ProviderPanel
        attempt={provider}
        buttons={authMessages.signIn.provider}
        onCancel={props.onAbandonProvider}
        onOpenAgain={() => provider && onProvider(provider.method)}
      />
      {hasPassword && <PasswordForm {...props} busy={busy === 'basic'} disabled={busy !== null} />}
      {hasPassword && offered.length > 0 && <Divider label={authMessages.signIn.or} />}
      {offered.length > 0 && (
        <div ref={buttons} className={layout['tight']}>
          {offered.map((method) => (
            <ProviderButton
              key={method}
              provider={method}
              busy={busy === method}
              disabled={busy !== null}
              onClick={() => onProvider(method)}
            >
              {authMessages.signIn.provider[method]}
            </ProviderButton>
          ))}
        </div>
      )}
    </Card>
  );
}

interface PanelFocus {
  readonly title: RefObject<HTMLHeadingElement | null>;
  readonly buttons: RefObject<HTMLDivElement | null>;
  /** In the order of the buttons. */
  readonly offered: readonly PanelAttempt['method'][];
  readonly provider: PanelAttempt | null;
  readonly busy: boolean;
}

/**
 * A panel that goes with the focus inside leaves it nowhere. It belongs on the provider's button, and on the title as
 * long as that one waits for the exchange.
 */
function useFocusAfterPanel({ title, buttons, offered, provider, busy }: PanelFocus): void {
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

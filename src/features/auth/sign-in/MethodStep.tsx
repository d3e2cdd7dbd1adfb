import { BackLink } from '@shared/ui/BackLink';
import { Card } from '@shared/ui/Card';
import { Divider } from '@shared/ui/Divider';
import layout from '@shared/ui/layout.module.css';
import { ProviderButton } from '@shared/ui/ProviderButton';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
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
  /** Stands above the methods: the provider's window is open, or was blocked. */
  readonly notice?: ReactNode;
}

const providers = ['google', 'microsoft'] as const;

/** Second step of `/login`: the methods that the username may use. */
export function MethodStep(props: MethodStepProps) {
  const { username, methods, busy, takesFocus, backHref, onBack, onProvider, notice } = props;
  const title = useRef<HTMLHeadingElement>(null);
  const hasPassword = methods.includes('basic');
  const offered = providers.filter((provider) => methods.includes(provider));
  useLayoutEffect(() => {
    if (takesFocus && !hasPassword) title.current?.focus();
  }, [takesFocus, hasPassword]);
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
      {notice}
      {hasPassword && <PasswordForm {...props} busy={busy === 'basic'} disabled={busy !== null} />}
      {hasPassword && offered.length > 0 && <Divider label={authMessages.signIn.or} />}
      {offered.length > 0 && (
        <div className={layout['tight']}>
          {offered.map((provider) => (
            <ProviderButton
              key={provider}
              provider={provider}
              busy={busy === provider}
              disabled={busy !== null}
              onClick={() => onProvider(provider)}
            >
              {authMessages.signIn.provider[provider]}
            </ProviderButton>
          ))}
        </div>
      )}
    </Card>
  );
}

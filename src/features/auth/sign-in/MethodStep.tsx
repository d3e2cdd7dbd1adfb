import { useLingui } from '@lingui/react';
import { Card } from '@shared/ui/page/Card';
import { Divider, ProviderButton } from '@shared/ui/buttons/ProviderButton';
import { BackLink } from '@shared/ui/buttons/links';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import layout from '@shared/ui/layout.module.css';
import { useRef, type ReactNode } from 'react';
import { authMessages } from '../auth.messages';
import { PasswordForm } from '../PasswordForm';
import { ProviderPanel, useFocusAfterPanel, type PanelAttempt } from '../provider/ProviderPanel';
import { methodStepMessages } from './signIn.messages';

/** The method by the name that the service uses. */
type Method = 'basic' | 'google' | 'microsoft';

interface MethodStepProps {
  /** Label of the back link. */
  readonly username: string;
  /** The login methods, at least one. */
  readonly methods: readonly Method[];
  /**
   * The method with a call in progress: its button shows a spinner, and the others are disabled. `null` while only a provider
   * window is open.
   */
  readonly busy: string | null;
  /** The number of refused attempts. Each one empties the password field and focuses it. */
  readonly failures: number;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onBack: () => void;
  readonly forgot: string;
  /** Called with the password as typed, not empty. */
  readonly onPassword: (password: string) => void;
  readonly onProvider: (provider: Exclude<Method, 'basic'>) => void;
  /** A provider's window that is open, or was blocked. */
  readonly provider: PanelAttempt | null;
  readonly onAbandonProvider: () => void;
  /** The buttons of other ways to sign in. */
  readonly otherWays: readonly ReactNode[];
}

const providers = ['google', 'microsoft'] as const;

/** The method step of `/login`. */
export function MethodStep(props: MethodStepProps) {
  const { _ } = useLingui();
  const { username, methods, busy, takesFocus, onBack, onProvider, provider, otherWays } = props;
  const hasPassword = methods.includes('basic');
  const offered = providers.filter((provider) => methods.includes(provider));
  const hasOthers = offered.length > 0 || otherWays.length > 0;
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus && !hasPassword);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusAfterPanel({ title, buttons, offered, provider, busy: busy !== null });
  return (
    <Card
      titleRef={title}
      title={_(hasPassword ? methodStepMessages.passwordTitle : methodStepMessages.providerTitle)}
      above={
        <BackLink label={username} description={_(methodStepMessages.changeUsername)} onClick={onBack} />
      }
    >
      <ProviderPanel
        attempt={provider}
        buttons={methodStepMessages.provider}
        onCancel={props.onAbandonProvider}
        onOpenAgain={() => provider && onProvider(provider.method)}
      />
      {hasPassword && (
        <PasswordForm
          {...props}
          submitLabel={_(authMessages.signIn.submit)}
          busy={busy === 'basic'}
          disabled={busy !== null}
        />
      )}
      {hasPassword && hasOthers && <Divider label={_(methodStepMessages.or)} />}
      {hasOthers && (
        <div ref={buttons} className={layout['tight']}>
          {offered.map((method) => (
            <ProviderButton
              key={method}
              provider={method}
              busy={busy === method}
              disabled={busy !== null}
              onClick={() => onProvider(method)}
            >
              {_(methodStepMessages.provider[method])}
            </ProviderButton>
          ))}
          {otherWays}
        </div>
      )}
    </Card>
  );
}

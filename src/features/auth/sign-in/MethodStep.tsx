import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import { HiddenUsername, PasswordField } from '@shared/ui/fields/PasswordField';
import { Divider, ProviderButton } from '@shared/ui/buttons/ProviderButton';
import { BackLink, TextLink } from '@shared/ui/buttons/links';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import layout from '@shared/ui/layout.module.css';
import { useLayoutEffect, useRef, type RefObject, type SubmitEvent } from 'react';
import { authMessages } from '../auth.messages';
import { ProviderPanel, useFocusAfterPanel, type PanelAttempt } from '../provider/ProviderPanel';
import { methodStepMessages } from './signIn.messages';

/** As the service names it. */
type Method = 'basic' | 'google' | 'microsoft';

interface MethodStepProps {
  /** Label of the back link. */
  readonly username: string;
  /** At least one. */
  readonly methods: readonly Method[];
  /** The method with a pending call: its button spins, the others are disabled. `null` while only a pop-up is open. */
  readonly busy: Method | null;
  /** Number of refused attempts. Each new one empties the password and focuses it. */
  readonly attempt: number;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onBack: () => void;
  readonly forgotHref: string;
  readonly onForgot: () => void;
  /** Called with the password as typed, not empty. */
  readonly onPassword: (password: string) => void;
  readonly onProvider: (provider: Exclude<Method, 'basic'>) => void;
  /** A provider's window that is open, or was blocked. */
  readonly provider: PanelAttempt | null;
  readonly onAbandonProvider: () => void;
}

const providers = ['google', 'microsoft'] as const;

/** The method step of `/login`. */
export function MethodStep(props: MethodStepProps) {
  const { username, methods, busy, takesFocus, onBack, onProvider, provider } = props;
  const hasPassword = methods.includes('basic');
  const offered = providers.filter((provider) => methods.includes(provider));
  const title = useTakenFocus<HTMLHeadingElement>(takesFocus && !hasPassword);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusAfterPanel({ title, buttons, offered, provider, busy: busy !== null });
  return (
    <Card
      titleRef={title}
      title={hasPassword ? methodStepMessages.passwordTitle : methodStepMessages.providerTitle}
      above={<BackLink label={username} description={methodStepMessages.changeUsername} onClick={onBack} />}
    >
      <ProviderPanel
        attempt={provider}
        buttons={methodStepMessages.provider}
        onCancel={props.onAbandonProvider}
        onOpenAgain={() => provider && onProvider(provider.method)}
      />
      {hasPassword && <PasswordForm {...props} busy={busy === 'basic'} disabled={busy !== null} />}
      {hasPassword && offered.length > 0 && <Divider label={methodStepMessages.or} />}
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
              {methodStepMessages.provider[method]}
            </ProviderButton>
          ))}
        </div>
      )}
    </Card>
  );
}

interface PasswordFormProps {
  /** Hidden field for password managers. */
  readonly username: string;
  /** The password is being checked. */
  readonly busy: boolean;
  /** Some sign-in is pending. */
  readonly disabled: boolean;
  /** Number of refused attempts. */
  readonly attempt: number;
  readonly takesFocus: boolean;
  readonly forgotHref: string;
  readonly onForgot: () => void;
  readonly onPassword: (password: string) => void;
}

/** The password of `/login`. The field is uncontrolled: the password exists only in the DOM. */
function PasswordForm(props: PasswordFormProps) {
  const { username, busy, disabled, forgotHref, onForgot, onPassword } = props;
  const field = useTakenFocus<HTMLInputElement>(props.takesFocus);
  useEmptiedWhenRefused(field, props);
  const filled = useFilled(field, { blanksCount: true });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const password = field.current?.value ?? '';
    if (password !== '' && !disabled) onPassword(password);
  };
  return (
    // `post` keeps the password out of the address if the handler fails.
    <form method="post" className={layout['stack']} onSubmit={submit}>
      <HiddenUsername username={username} />
      <PasswordField
        ref={field}
        label={methodStepMessages.password}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        readOnly={disabled}
        showLabel={methodStepMessages.showPassword}
        capsLockWarning={methodStepMessages.capsLock}
        beside={
          <TextLink href={forgotHref} onFollow={onForgot}>
            {methodStepMessages.forgotPassword}
          </TextLink>
        }
      />
      <Button type="submit" variant="primary" wide busy={busy} disabled={disabled || !filled}>
        {authMessages.signIn.submit}
      </Button>
    </form>
  );
}

type Field = RefObject<HTMLInputElement | null>;

/** Only after a refused password: a failed provider attempt keeps what was typed. */
function useEmptiedWhenRefused(fieldRef: Field, { attempt, busy }: PasswordFormProps): void {
  const seen = useRef(attempt);
  const sent = useRef(false);
  useLayoutEffect(() => {
    if (seen.current !== attempt && sent.current && fieldRef.current) {
      setFieldValue(fieldRef.current, '');
      fieldRef.current.focus();
    }
    seen.current = attempt;
    sent.current = busy;
  }, [fieldRef, attempt, busy]);
}

import { Button } from '@shared/ui/buttons/Button';
import { ProviderButton } from '@shared/ui/buttons/ProviderButton';
import layout from '@shared/ui/layout.module.css';
import { HiddenUsername, PasswordField } from '@shared/ui/fields/PasswordField';
import { TextField } from '@shared/ui/fields/TextField';
import { TextLink } from '@shared/ui/buttons/links';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import { useLayoutEffect, useRef, type Ref, type SubmitEvent } from 'react';
import { methodStepMessages } from '../sign-in/signIn.messages';
import { verifyMessages } from './verifyIdentity.messages';

interface PasswordProofProps {
  readonly email: string;
  /** For password managers, which know the password under this name. */
  readonly username: string;
  readonly busy: boolean;
  /** Number of refused passwords. Each new one empties the field and focuses it. */
  readonly failures: number;
  readonly takesFocus: boolean;
  readonly forgotHref: string;
  readonly onForgot: () => void;
  readonly onPassword: (password: string) => void;
}

const words = verifyMessages;

/** Verify identity with the password. The field is uncontrolled: the password exists only in the DOM. */
export function PasswordProof(props: PasswordProofProps) {
  const { email, username, busy, forgotHref, onForgot, onPassword } = props;
  const field = useRef<HTMLInputElement>(null);
  const filled = useFilled(field, { blanksCount: true });
  const { failures, takesFocus } = props;
  useLayoutEffect(() => {
    if (failures > 0 && field.current) setFieldValue(field.current, '');
    if (failures > 0 || takesFocus) field.current?.focus();
  }, [failures, takesFocus]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const password = field.current?.value ?? '';
    if (password !== '' && !busy) onPassword(password);
  };
  return (
    <div className={layout['stack']}>
      {/* Outside of the form, where password managers do not take it for the username. */}
      <EmailField email={email} />
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <HiddenUsername username={username} />
        <PasswordField
          ref={field}
          label={words.password}
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
          readOnly={busy}
          showLabel={words.showPassword}
          hideLabel={words.hidePassword}
          capsLockWarning={methodStepMessages.capsLock}
          beside={
            <TextLink href={forgotHref} onFollow={onForgot}>
              {methodStepMessages.forgotPassword}
            </TextLink>
          }
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={busy || !filled}>
          {words.next}
        </Button>
      </form>
    </div>
  );
}

type Provider = 'google' | 'microsoft';

interface ProviderProofProps {
  readonly email: string;
  /** Those to choose from; none: not known. */
  readonly providers: readonly Provider[];
  readonly busy: boolean;
  /** The provider whose code is being checked, while busy. */
  readonly checked: Provider | null;
  /** `undefined`: Next, while no provider is known. */
  readonly onProvider: (provider: Provider | undefined) => void;
  /** Holds the buttons, in the order of the providers. */
  readonly buttons: Ref<HTMLDivElement>;
}

/** Verify identity through a provider, which asks for the credentials again. */
export function ProviderProof(props: ProviderProofProps) {
  const { email, providers, busy, checked, onProvider, buttons } = props;
  const [only] = providers;
  return (
    <div className={layout['stack']}>
      <EmailField email={email} />
      {only && <p>{providers.length > 1 ? words.chooseProvider : words.provider[only]}</p>}
      <div ref={buttons} className={layout['tight']}>
        {providers.length > 1 ? (
          providers.map((provider) => (
            <ProviderButton
              key={provider}
              provider={provider}
              busy={busy && provider === checked}
              disabled={busy}
              onClick={() => onProvider(provider)}
            >
              {words.choice[provider]}
            </ProviderButton>
          ))
        ) : (
          <Button variant="primary" wide busy={busy} onClick={() => onProvider(only)}>
            {words.next}
          </Button>
        )}
      </div>
    </div>
  );
}

function EmailField({ email }: { readonly email: string }) {
  return (
    <TextField label={words.email} name="email" type="email" autoComplete="off" value={email} readOnly />
  );
}

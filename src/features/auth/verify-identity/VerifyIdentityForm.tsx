import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { ProviderButton } from '@shared/ui/buttons/ProviderButton';
import layout from '@shared/ui/layout.module.css';
import { TextField } from '@shared/ui/fields/TextField';
import type { ComponentProps, Ref } from 'react';
import { PasswordForm } from '../PasswordForm';
import { verifyMessages } from './verifyIdentity.messages';

interface PasswordProofProps extends Omit<ComponentProps<typeof PasswordForm>, 'submitLabel' | 'hideLabel'> {
  readonly email: string;
}

const words = verifyMessages;

/** Verify identity with the password. */
export function PasswordProof({ email, ...form }: PasswordProofProps) {
  const { _ } = useLingui();
  return (
    <div className={layout['stack']}>
      {/* Outside of the form, where password managers do not take it for the username. */}
      <EmailField email={email} />
      <PasswordForm {...form} submitLabel={_(words.next)} hideLabel={_(words.hidePassword)} />
    </div>
  );
}

type Provider = 'google' | 'microsoft';

interface ProviderProofProps {
  readonly email: string;
  /** The provider that the user signed in with, if it is known. */
  readonly known: Provider | null;
  /** The providers to choose from; empty until they are loaded. */
  readonly providers: readonly Provider[];
  readonly busy: boolean;
  /** Any proof is being checked. */
  readonly disabled: boolean;
  /** The provider whose code is being checked, while busy. */
  readonly checked: Provider | null;
  /** `undefined`: Next was pressed before the providers were loaded. */
  readonly onProvider: (provider: Provider | undefined) => void;
  /** The element around the buttons, which are in the order of the providers. */
  readonly buttons: Ref<HTMLDivElement>;
}

/** Verify identity through a provider, which asks for the credentials again. */
export function ProviderProof(props: ProviderProofProps) {
  const { _ } = useLingui();
  const { email, known, providers, busy, disabled, checked, onProvider, buttons } = props;
  const [only] = providers;
  return (
    <div className={layout['stack']}>
      <EmailField email={email} />
      <p>{_(providers.length > 1 ? words.chooseProvider : words.provider[only ?? known ?? 'unknown'])}</p>
      <div ref={buttons} className={layout['tight']}>
        {providers.length > 1 ? (
          providers.map((provider) => (
            <ProviderButton
              key={provider}
              provider={provider}
              busy={busy && provider === checked}
              disabled={disabled}
              onClick={() => onProvider(provider)}
            >
              {_(words.choice[provider])}
            </ProviderButton>
          ))
        ) : (
          <Button variant="primary" wide busy={busy} disabled={disabled} onClick={() => onProvider(only)}>
            {_(words.next)}
          </Button>
        )}
      </div>
    </div>
  );
}

function EmailField({ email }: { readonly email: string }) {
  const { _ } = useLingui();
  return (
    <TextField label={_(words.email)} name="email" type="email" autoComplete="off" value={email} readOnly />
  );
}

import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Section } from '@shared/ui/page/WidePage';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { Time } from '@shared/ui/Time';
import { passwordMessages } from './password.messages';

/** The last password change, as far as it is known. `at`: ISO 8601. */
export type LastPasswordChange =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'never' }
  | { readonly kind: 'changed'; readonly at: string };

interface PasswordSectionProps {
  readonly lastChange: LastPasswordChange;
  /** Each action is offered only where its callback is given. */
  readonly onChange?: (() => void) | undefined;
  readonly onTryAgain?: () => void;
}

const words = passwordMessages.section;

/** The password section of the account settings. */
export function PasswordSection({ lastChange, onChange, onTryAgain }: PasswordSectionProps) {
  const { _ } = useLingui();
  return (
    <Section
      title={_(words.title)}
      actions={
        <>
          {lastChange.kind === 'failed' && onTryAgain && (
            <Button onClick={onTryAgain}>{_(words.tryAgain)}</Button>
          )}
          {onChange && <Button onClick={onChange}>{_(words.change)}</Button>}
        </>
      }
    >
      <LastChange lastChange={lastChange} />
    </Section>
  );
}

function LastChange({ lastChange }: Pick<PasswordSectionProps, 'lastChange'>) {
  const { _ } = useLingui();
  switch (lastChange.kind) {
    case 'loading':
      return <Spinner label={_(words.loading)} />;
    case 'failed':
      return <p role="alert">{_(words.failed)}</p>;
    case 'never':
      return <p className={layout['quiet']}>{_(words.neverChanged)}</p>;
    case 'changed':
      return (
        <p className={layout['quiet']}>
          <Time label={_(words.lastChanged)} at={lastChange.at} />
        </p>
      );
  }
}

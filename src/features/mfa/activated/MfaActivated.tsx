import { useLingui } from '@lingui/react';
import type { TwoStepMethod } from '@shared/api/decoders';
import { paths } from '@vestibule/contract/paths';
import { Button } from '@shared/ui/buttons/Button';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import type { ReactNode } from 'react';
import { mfaMessages } from '../mfa.messages';

interface MfaActivatedProps {
  /** `null`: the address names no method. */
  readonly method: TwoStepMethod | null;
  /** The last four digits, if they are known. */
  readonly lastFourPhone: string | null;
  /** Whether the title takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** The button: 'Sign In' in setup mode, otherwise 'Done'. */
  readonly onSignIn?: (() => void) | undefined;
  /** Shown below the button. */
  readonly children?: ReactNode;
}

const words = mfaMessages.activated;

/** `/mfa-activated`: the enrolment is complete. */
export function MfaActivated({ method, lastFourPhone, takesFocus, onSignIn, children }: MfaActivatedProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  return (
    <Card
      titleRef={title}
      title={_(words.title)}
      lead={method ? _(words.text[method]) : undefined}
      icon="done"
    >
      {method === 'text' && (
        <p className={lastFourPhone === null ? layout['reserved'] : undefined}>
          {_(words.phoneEnding(lastFourPhone ?? '0000'))}
        </p>
      )}
      {onSignIn ? (
        <Button variant="primary" onClick={onSignIn}>
          {_(words.signIn)}
        </Button>
      ) : (
        <ButtonLink to={paths.accountSettings()} variant="primary">
          {_(words.done)}
        </ButtonLink>
      )}
      {children}
    </Card>
  );
}

import type { TwoStepMethod } from '@shared/api/decoders';
import type { AppLink } from '@shared/routing/useLink';
import { Button } from '@shared/ui/buttons/Button';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { Card } from '@shared/ui/page/Card';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import type { ReactNode } from 'react';
import { mfaMessages } from '../mfa.messages';

interface MfaActivatedProps {
  /** `null`: the address names no method. */
  readonly method: TwoStepMethod | null;
  /** Last four digits, where they are known. */
  readonly lastFourPhone: string | null;
  /** Whether the title takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** In setup mode 'Sign In', otherwise 'Done'. */
  readonly next:
    { readonly kind: 'signIn'; readonly onSignIn: () => void } | ({ readonly kind: 'done' } & AppLink);
  /** Below the button. */
  readonly children?: ReactNode;
}

const words = mfaMessages.activated;

/** `/mfa-activated`: the enrolment is complete. */
export function MfaActivated({ method, lastFourPhone, takesFocus, next, children }: MfaActivatedProps) {
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  return (
    <Card titleRef={title} title={words.title} lead={method ? words.text[method] : undefined} icon="done">
      {method === 'text' && lastFourPhone !== null && <p>{words.phoneEnding(lastFourPhone)}</p>}
      {next.kind === 'signIn' ? (
        <Button variant="primary" onClick={next.onSignIn}>
          {words.signIn}
        </Button>
      ) : (
        <ButtonLink href={next.href} variant="primary" onFollow={next.onFollow}>
          {words.done}
        </ButtonLink>
      )}
      {children}
    </Card>
  );
}

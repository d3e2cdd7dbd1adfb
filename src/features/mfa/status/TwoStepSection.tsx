import { useLingui } from '@lingui/react';
import type { TwoStepMethod } from '@shared/api/decoders';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Section, StatusBadge } from '@shared/ui/page/WidePage';
import { Spinner } from '@shared/ui/buttons/Spinner';
import type { ReactNode } from 'react';
import { mfaMessages } from '../mfa.messages';

/** The user's two-step verification, as far as it is known. */
export type TwoStepStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'active';
      readonly method: TwoStepMethod;
      /** The last four digits of the phone number, if they are known. */
      readonly lastFourPhone?: string;
    };

interface TwoStepSectionProps {
  readonly status: TwoStepStatus;
  /** Shown below the actions while two-step verification is on. */
  readonly children?: ReactNode;
  /** Each action is offered only where its callback is given. */
  readonly onGetStarted?: () => void;
  /** Change Number (text message) or Add New App (authenticator app). */
  readonly onChangeMethod?: (() => void) | undefined;
  /** In setup mode, ends it and goes to the sign-in. */
  readonly onSignIn?: (() => void) | undefined;
  readonly onTurnOff?: (() => void) | undefined;
  readonly onTryAgain?: () => void;
}

const words = mfaMessages.status;

/** The two-step section of the account settings. */
export function TwoStepSection(props: TwoStepSectionProps) {
  const { _ } = useLingui();
  return (
    <Section
      title={_(words.title)}
      actions={<Actions {...props} />}
      details={props.status.kind === 'active' && props.children}
    >
      <Status status={props.status} />
    </Section>
  );
}

function Status({ status }: Pick<TwoStepSectionProps, 'status'>) {
  const { _ } = useLingui();
  switch (status.kind) {
    case 'loading':
      return <Spinner label={_(words.loading)} />;
    case 'failed':
      return <p role="alert">{_(words.failed)}</p>;
    case 'off':
      return <p className={layout['quiet']}>{_(words.off)}</p>;
    case 'active':
      return (
        <>
          <p className={layout['row']}>
            <span>{_(mfaMessages.methods[status.method])}</span>
            <StatusBadge>{_(words.active)}</StatusBadge>
          </p>
          {status.method === 'text' && (
            <p className={layout[status.lastFourPhone === undefined ? 'reserved' : 'quiet']}>
              {_(words.phoneEnding(status.lastFourPhone ?? '0000'))}
            </p>
          )}
        </>
      );
  }
}

function Actions(props: TwoStepSectionProps) {
  const { _ } = useLingui();
  const { status, onGetStarted, onChangeMethod, onSignIn, onTurnOff, onTryAgain } = props;
  switch (status.kind) {
    case 'loading':
      return null;
    case 'failed':
      return onTryAgain && <Button onClick={onTryAgain}>{_(words.tryAgain)}</Button>;
    case 'off':
      return (
        onGetStarted && (
          <Button variant="primary" onClick={onGetStarted}>
            {_(words.getStarted)}
          </Button>
        )
      );
    case 'active':
      return (
        <>
          {onChangeMethod && (
            <Button onClick={onChangeMethod}>
              {_(status.method === 'text' ? words.changeNumber : words.addNewApp)}
            </Button>
          )}
          {onSignIn && (
            <Button variant="primary" onClick={onSignIn}>
              {_(mfaMessages.activated.signIn)}
            </Button>
          )}
          {onTurnOff && (
            <Button variant="danger" onClick={onTurnOff}>
              {_(words.turnOff)}
            </Button>
          )}
        </>
      );
  }
}

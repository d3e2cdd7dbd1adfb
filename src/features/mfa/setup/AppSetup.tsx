import { Button } from '@shared/ui/Button';
import { ButtonLink } from '@shared/ui/ButtonLink';
import { Spinner } from '@shared/ui/Spinner';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { mfaMessages } from '../mfa.messages';
import { QrCode } from './QrCode';
import { SecretKey } from './SecretKey';
import type { KeyCopy } from './setup.slice';
import { SetupCard, type WayBack } from './SetupCard';
import styles from './AppSetup.module.css';

/** What an authenticator app is set up with, as far as it is there. */
export type EnrolmentView =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  /** An earlier state, shown by DevTools: the key is held in the present only. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'ready'; readonly code: string; readonly url: string; readonly copy: KeyCopy | null };

interface AppSetupProps {
  readonly enrolment: EnrolmentView;
  /** Whether the title takes the focus by itself; not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  readonly back: WayBack;
  /** Continue, to the code. */
  readonly next: WayBack;
  readonly onCopy: () => void;
  readonly onTryAgain: () => void;
}

const words = mfaMessages.qrCode;

/** `/qrcode-start/{uid}`: step 1 of the authenticator app (specification §2). */
export function AppSetup(props: AppSetupProps) {
  const title = useTakenFocus<HTMLHeadingElement>(props.takesFocus);
  return (
    <SetupCard step={1} heading={words.title} titleRef={title} backLabel={words.back} back={props.back}>
      <Enrolment {...props} />
    </SetupCard>
  );
}

function Enrolment({ enrolment, next, onCopy, onTryAgain }: AppSetupProps) {
  switch (enrolment.kind) {
    case 'loading':
      return <Spinner label={words.loading} />;
    case 'gone':
      return <p>{words.gone}</p>;
    case 'failed':
      return (
        <>
          <p role="alert">{words.failed}</p>
          <Button variant="primary" onClick={onTryAgain}>
            {words.tryAgain}
          </Button>
        </>
      );
    case 'ready':
      return (
        <>
          <p>{words.text}</p>
          <QrCode url={enrolment.url} />
          {/* Nobody can scan the screen of the phone in their hand. */}
          <div className={styles['onTouch']}>
            <ButtonLink href={enrolment.url}>{words.openApp}</ButtonLink>
          </div>
          <SecretKey code={enrolment.code} copy={enrolment.copy} onCopy={onCopy} />
          <ButtonLink href={next.href} variant="primary" onFollow={next.onFollow}>
            {words.submit}
          </ButtonLink>
        </>
      );
  }
}

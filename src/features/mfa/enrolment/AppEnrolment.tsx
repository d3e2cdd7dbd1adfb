import { useLingui } from '@lingui/react';
import { paths } from '@vestibule/contract/paths';
import { Button } from '@shared/ui/buttons/Button';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { QRCodeSVG } from 'qrcode.react';
import { mfaMessages } from '../mfa.messages';
import type { KeyCopy } from './enrolment.slice';
import { EnrolmentCard } from './EnrolmentCard';
import styles from './AppEnrolment.module.css';
import { SecretKey } from './SecretKey';

/** Key and QR address for the authenticator app. */
export type AuthenticatorKeyView =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  /** DevTools shows a past state, whose key is no longer in the vault. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'ready'; readonly code: string; readonly url: string; readonly copy: KeyCopy | null };

interface AppSetupProps {
  readonly enrolment: AuthenticatorKeyView;
  /** Whether the title takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** The link 'Continue' to the code. */
  readonly next: string;
  readonly onCopy: () => void;
  readonly onTryAgain: () => void;
}

const words = mfaMessages.qrCode;

/** `/qrcode-start/{uid}`: step 1 of the authenticator app. */
export function AppEnrolment(props: AppSetupProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(props.takesFocus);
  return (
    <EnrolmentCard
      step={1}
      heading={_(words.title)}
      titleRef={title}
      backLabel={_(words.back)}
      back={paths.accountSettings()}
    >
      <Enrolment {...props} />
    </EnrolmentCard>
  );
}

function Enrolment({ enrolment, next, onCopy, onTryAgain }: AppSetupProps) {
  const { _ } = useLingui();
  switch (enrolment.kind) {
    case 'loading':
      return <Spinner label={_(words.loading)} />;
    case 'gone':
      return <p>{_(words.gone)}</p>;
    case 'failed':
      return (
        <>
          <p role="alert">{_(words.failed)}</p>
          <Button variant="primary" onClick={onTryAgain}>
            {_(words.tryAgain)}
          </Button>
        </>
      );
    case 'ready':
      return (
        <>
          <p>{_(words.text)}</p>
          <QrCode url={enrolment.url} />
          {/* On a phone the code on its own screen cannot be scanned. */}
          <div className={styles['onTouch']}>
            <ButtonLink to={enrolment.url}>{_(words.openApp)}</ButtonLink>
          </div>
          <SecretKey code={enrolment.code} copy={enrolment.copy} onCopy={onCopy} />
          <ButtonLink to={next} variant="primary">
            {_(words.submit)}
          </ButtonLink>
        </>
      );
  }
}

/** The white margin that the standard requires around a QR code, in modules. */
const quietZone = 4;
/** The longest address that is drawn, characters. No camera reads the code of a longer one. */
const longestUrl = 700;

/** Draws an `otpauth:` address as a QR code in the page, so that the key is sent to no other server. */
function QrCode({ url }: { readonly url: string }) {
  const { _ } = useLingui();
  if (url.length > longestUrl) return null;
  return (
    <QRCodeSVG
      className={styles['qrCode']}
      value={url}
      size={208}
      marginSize={quietZone}
      bgColor="#fff"
      fgColor="#000"
      title={_(mfaMessages.qrCode.picture)}
    />
  );
}

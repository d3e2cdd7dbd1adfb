import { paths } from '@shared/routing/paths';
import { Notice } from '@shared/ui/Notice';
import { TextLink } from '@shared/ui/links';
import { linkFollowed } from '@shared/routing/location.slice';
import { useDispatch, useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';
import styles from './ExpiryWarning.module.css';
import { selectVerificationPeriod, type VerificationPurpose } from './verification.slice';

/** Where the same thing is proved again; where the token stands for the proof there is nothing to prove (decisions §9). */
const again: Record<VerificationPurpose, string | null> = {
  enable: paths.askPassword('enable'),
  disable: null,
  changePassword: paths.changeVerify(),
  setup: null,
};

/**
 * The last 30 s of a verification (specification §2, §4): said politely, without taking the focus, with a way to prove
 * identity again that comes back to the same step.
 */
export function ExpiryWarning() {
  const period = useSelector(selectVerificationPeriod);
  const dispatch = useDispatch();
  if (!period) return null;
  const { expiring, verifyAgain } = authMessages.verifyIdentity;
  const to = again[period.purpose];
  return (
    <div className={styles['warning']}>
      {/* There from the beginning, empty, so that it is said when it fills. */}
      <Notice tone="warning">
        {period.isExpiring && (
          <>
            {expiring}{' '}
            {to !== null && (
              <TextLink href={to} onFollow={() => void dispatch(linkFollowed({ to }))}>
                {verifyAgain}
              </TextLink>
            )}
          </>
        )}
      </Notice>
    </div>
  );
}

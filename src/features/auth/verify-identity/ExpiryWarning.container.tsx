import { useLingui } from '@lingui/react';
import { paths } from '@vestibule/contract/paths';
import { Notice } from '@shared/ui/page/Notice';
import { TextLink } from '@shared/ui/buttons/links';
import { useSelector } from 'react-redux';
import { verifyMessages } from './verifyIdentity.messages';
import styles from './ExpiryWarning.module.css';
import { selectVerificationPeriod } from './verification.slice';

/** Where identity is verified again, by purpose. For other purposes the link is absent. */
const again: Readonly<Record<string, string>> = {
  enable: paths.askPassword('enable'),
  changePassword: paths.changeVerify(),
};

/**
 * Warning before the verification period ends, in a polite live region, with a link that verifies identity again and
 * returns to the same step. See docs/behaviour.md#verification-period.
 */
export function ExpiryWarning() {
  const { _ } = useLingui();
  const period = useSelector(selectVerificationPeriod);
  if (!period) return null;
  const { expiring, verifyAgain } = verifyMessages;
  const to = again[period.purpose];
  return (
    <div className={styles['warning']}>
      {/* Rendered empty from the start, so that screen readers announce the text. */}
      <Notice tone="warning">
        {period.isExpiring && (
          <>
            <span>{`${_(expiring)} `}</span>
            {to !== undefined && <TextLink to={to}>{_(verifyAgain)}</TextLink>}
          </>
        )}
      </Notice>
    </div>
  );
}

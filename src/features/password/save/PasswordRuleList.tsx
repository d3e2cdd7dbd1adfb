import { useLingui } from '@lingui/react';
import layout from '@shared/ui/layout.module.css';
import { passwordMessages } from '../password.messages';
import { describeUnmet, passwordRules } from '../passwordRules';
import styles from './PasswordRuleList.module.css';

interface PasswordRuleListProps {
  /** The password as typed so far. */
  readonly password: string;
  /** The password when the field was left. Screen readers say the unmet rules then, and not while the user types. */
  readonly left: string;
  /** The id of title and rules, for `aria-describedby` of the field. */
  readonly id: string;
}

/** The rules of a new password, ticked while the user types. */
export function PasswordRuleList({ password, left, id }: PasswordRuleListProps) {
  const { _ } = useLingui();
  return (
    <div>
      <div id={id}>
        <p id={`${id}-title`}>{_(passwordMessages.rulesTitle)}</p>
        <ul className={styles['rules']} aria-labelledby={`${id}-title`}>
          {passwordRules.map(({ name, isMet }) => {
            const met = password !== '' && isMet(password);
            return (
              <li key={name} className={`${styles['rule'] ?? ''} ${met ? (styles['met'] ?? '') : ''}`}>
                <span aria-hidden="true" className={styles['mark']}>
                  {met ? '✓' : '•'}
                </span>
                <span>{_(passwordMessages.rules[name])}</span>
              </li>
            );
          })}
        </ul>
      </div>
      <p role="status" className={layout['visuallyHidden']}>
        {left === '' ? null : describeUnmet(left, _)}
      </p>
    </div>
  );
}

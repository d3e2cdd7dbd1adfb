import a11y from '@shared/ui/a11y.module.css';
import { passwordMessages } from '../password.messages';
import { describeUnmet, passwordRules } from '../passwordRules';
import styles from './PasswordRules.module.css';

interface PasswordRuleListProps {
  /** What has been typed so far. */
  readonly password: string;
  /** What was there when the field was left: while somebody types, nothing is said in between. */
  readonly left: string;
  /** Of the title and the rules, which the field is described by. */
  readonly id: string;
}

/** The rules of a new password, shown before anybody types and ticked while they do. */
export function PasswordRuleList({ password, left, id }: PasswordRuleListProps) {
  return (
    <div>
      <div id={id}>
        <p id={`${id}-title`}>{passwordMessages.rulesTitle}</p>
        <ul className={styles['rules']} aria-labelledby={`${id}-title`}>
          {passwordRules.map(({ name, text, isMet }) => {
            const met = password !== '' && isMet(password);
            return (
              <li key={name} className={`${styles['rule'] ?? ''} ${met ? (styles['met'] ?? '') : ''}`}>
                <span aria-hidden="true" className={styles['mark']}>
                  {met ? '✓' : '•'}
                </span>
                {text}
              </li>
            );
          })}
        </ul>
      </div>
      <p role="status" className={a11y['visuallyHidden']}>
        {left === '' ? null : describeUnmet(left)}
      </p>
    </div>
  );
}

import layout from '../layout.module.css';
import styles from './Spinner.module.css';

interface SpinnerProps {
  /** For screen readers. Absent: the spinner is decoration next to a text. */
  readonly label?: string;
}

/** Something is under way. */
export function Spinner({ label }: SpinnerProps) {
  const wheel = <span className={styles['spinner']} aria-hidden="true" />;
  if (label === undefined) return wheel;
  return (
    <span role="status">
      {wheel}
      <span className={layout['visuallyHidden']}>{label}</span>
    </span>
  );
}

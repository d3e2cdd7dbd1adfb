import layout from '../layout.module.css';
import styles from './Spinner.module.css';

interface SpinnerProps {
  /** The text for screen readers. Without it the spinner is decoration next to a text. */
  readonly label?: string;
}

/** Shows that something is in progress. */
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

import styles from './Divider.module.css';

/** A line between alternatives, with a word on it. */
export function Divider({ label }: { readonly label: string }) {
  return <p className={styles['divider']}>{label}</p>;
}

import { Button } from './Button';
import styles from './Header.module.css';
import { Mark } from './Mark';

/** A button of the header. */
interface HeaderAction {
  readonly label: string;
  readonly onClick: () => void;
}

interface HeaderProps {
  /** The product's or application's name. */
  readonly label: string;
  /** Absent: not offered, as in a parent's frame (specification §1). */
  readonly back?: HeaderAction | undefined;
  /** Absent: nobody is signed in. */
  readonly logout?: HeaderAction | undefined;
}

/** Where one is, and the two ways out. */
export function Header({ label, back, logout }: HeaderProps) {
  const actions = [back, logout].filter((action) => action !== undefined);
  return (
    <header className={styles['header']}>
      <span className={styles['brand']}>
        <Mark />
        {label}
      </span>
      {actions.length > 0 && (
        <div className={styles['actions']}>
          {actions.map((action) => (
            <Button key={action.label} dress={styles['action']} onClick={action.onClick}>
              {action.label}
            </Button>
          ))}
        </div>
      )}
    </header>
  );
}

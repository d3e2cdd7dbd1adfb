import { Button } from './Button';
import { Card } from './Card';
import styles from './FailureCard.module.css';

/** What went wrong, in one sentence, and the one way on. */
export interface Failure {
  readonly message: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** In the place of what cannot go on; said to screen readers at once. */
export function FailureCard({ message, action }: Failure) {
  return (
    <Card icon="failed">
      <div role="alert">
        <h1 className={styles['message']}>{message}</h1>
      </div>
      {action && (
        <Button variant="primary" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </Card>
  );
}

import { Button } from '@shared/ui/Button';
import { Card } from '@shared/ui/Card';
import { PageFrame } from '@shared/ui/PageFrame';
import styles from './FatalNotice.module.css';

interface FatalNoticeProps {
  /** The app-level fallback message (specification §2, forms), or what is wrong with the configuration. */
  readonly message: string;
  /** The one way on. */
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** In place of the application when it cannot go on. Needs nothing but its message: no store, no configuration. */
export function FatalNotice({ message, action }: FatalNoticeProps) {
  return (
    <PageFrame look="default">
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
    </PageFrame>
  );
}

import { Button } from '@shared/ui/Button';
import { ButtonLink } from '@shared/ui/links';
import { Card } from '@shared/ui/Card';
import layout from '@shared/ui/layout.module.css';
import { authMessages } from '../auth.messages';

interface LeavingProps {
  /** Where the browser is on its way to; it has passed the redirect door. */
  readonly target: string;
  readonly onLogout: () => void;
}

/**
 * Signed in, and on the way out. Seen for a moment only, unless the application does not answer or the person stops the
 * browser: then it offers the ways on.
 */
export function Leaving({ target, onLogout }: LeavingProps) {
  const { signedIn, leaving, proceed, logout } = authMessages.signIn;
  return (
    <Card title={signedIn} lead={leaving} icon="done">
      <div className={layout['row']}>
        <ButtonLink href={target} variant="primary">
          {proceed}
        </ButtonLink>
        <Button variant="quiet" onClick={onLogout}>
          {logout}
        </Button>
      </div>
    </Card>
  );
}

import { Button } from '../buttons/Button';
import { Spinner } from '../buttons/Spinner';
import { linkGateMessages as words } from '../linkGate.messages';
import { Card } from './Card';

/** Shown before a one-time link is used: a spinner, or a button if the configuration requires one. */
export function LinkGate({ onOpen }: { readonly onOpen: (() => void) | null }) {
  if (!onOpen)
    return (
      <Card title={words.title}>
        <Spinner label={words.opening} />
      </Card>
    );
  return (
    <Card title={words.title} lead={words.gate}>
      <Button variant="primary" onClick={onOpen}>
        {words.open}
      </Button>
    </Card>
  );
}

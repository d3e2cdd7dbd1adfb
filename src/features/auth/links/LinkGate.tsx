import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { linkMessages } from './links.messages';

const words = linkMessages.oneTimeLink;

/** Before a one-time link is used: a spinner, or a button where the configuration asks for one. */
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

import { useLingui } from '@lingui/react';
import { Button } from '../buttons/Button';
import { Spinner } from '../buttons/Spinner';
import { linkGateMessages as words } from '../linkGate.messages';
import { Card } from './Card';

/** Shown before a one-time link is used: a spinner, or a button if the configuration requires one. */
export function LinkGate({ onOpen }: { readonly onOpen: (() => void) | null }) {
  const { _ } = useLingui();
  if (!onOpen)
    return (
      <Card title={_(words.title)}>
        <Spinner label={_(words.opening)} />
      </Card>
    );
  return (
    <Card title={_(words.title)} lead={_(words.gate)}>
      <Button variant="primary" onClick={onOpen}>
        {_(words.open)}
      </Button>
    </Card>
  );
}

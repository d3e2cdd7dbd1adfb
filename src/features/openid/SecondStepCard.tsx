import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { CodeForm } from '@shared/ui/fields/CodeForm';
import { Sentence } from '@shared/ui/Name';
import { Card } from '@shared/ui/page/Card';
import { continueMessages as words } from './continue.messages';
import type { CodeEntry } from './continue.slice';
import type { OpenIdRequest } from './openid.calls';

interface SecondStepCardProps {
  readonly phase: 'code' | 'checking' | 'rejected';
  readonly request: OpenIdRequest;
  readonly entry: CodeEntry;
  readonly username: string;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  readonly onCancel: () => void;
}

/** Asks for the code of the second step, before the browser goes on to the application. */
export function SecondStepCard(props: SecondStepCardProps) {
  const { _ } = useLingui();
  const { phase, request, entry, username, onCode, onResend, onCancel } = props;
  return (
    <Card
      title={<Sentence of={words.title(request.name)} />}
      lead={<Sentence of={words.signedInAs(username)} />}
    >
      <CodeForm
        texts={words}
        entry={entry}
        sent={_(entry.lastFourPhone === null ? words.app : words.sent(entry.lastFourPhone))}
        work={phase === 'checking' ? 'code' : null}
        red={phase === 'rejected'}
        takesFocus
        onCode={onCode}
        onResend={onResend}
      />
      <Button wide disabled={phase !== 'code'} onClick={onCancel}>
        {_(words.cancel)}
      </Button>
    </Card>
  );
}

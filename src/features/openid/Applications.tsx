import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import { EntryList, EntryRow } from '@shared/ui/page/EntryList';
import { Notice } from '@shared/ui/page/Notice';
import { Section } from '@shared/ui/page/WidePage';
import { Time } from '@shared/ui/Time';
import { useId } from 'react';
import { applicationsMessages as words } from './applications.messages';
import type { ApplicationsState } from './applications.slice';
import { continueMessages } from './continue.messages';
import type { ConnectedApplication } from './openid.calls';

interface ApplicationsProps extends ApplicationsState {
  readonly onTryAgain: () => void;
  readonly onDisconnect: (application: Pick<ConnectedApplication, 'id' | 'name'>) => void;
}

/** The applications that the user is connected to. */
export function Applications({ list, busy, disconnected, onTryAgain, onDisconnect }: ApplicationsProps) {
  return (
    <Section title={words.title}>
      <Notice>{disconnected !== null && <p>{words.disconnected(disconnected)}</p>}</Notice>
      <EntryList texts={words} state={list} onTryAgain={onTryAgain}>
        {(application) => (
          <ApplicationRow
            key={application.id}
            {...application}
            isBusy={busy === application.id}
            onDisconnect={onDisconnect}
          />
        )}
      </EntryList>
    </Section>
  );
}

function ApplicationRow({
  id,
  name,
  url,
  what,
  connectedAt,
  isBusy,
  onDisconnect,
}: ConnectedApplication & Pick<ApplicationsProps, 'onDisconnect'> & { readonly isBusy: boolean }) {
  const [titleId, buttonId] = [useId(), useId()];
  const { offline, ...seen } = continueMessages.sees;
  const sees = what.flatMap((one) => (one === 'offline' ? [] : seen[one]));
  return (
    <EntryRow
      id={titleId}
      // `_top`: in a parent's frame, the application would otherwise open in the frame.
      title={
        url === null ? (
          name
        ) : (
          <TextLink to={url} target="_top">
            {name}
          </TextLink>
        )
      }
      action={
        <Button
          id={buttonId}
          variant="danger"
          // When the dialog closes, it returns the focus to the button, which is busy then.
          keepsFocus
          aria-labelledby={`${buttonId} ${titleId}`}
          busy={isBusy}
          onClick={() => onDisconnect({ id, name })}
        >
          {words.disconnect}
        </Button>
      }
    >
      <p>
        <Time label={words.connected} at={connectedAt} />
      </p>
      {sees.length > 0 && (
        <p>
          <span>{`${words.sees} `}</span>
          <span>{sees.join(' · ')}</span>
        </p>
      )}
      {what.includes('offline') && <p>{offline}</p>}
    </EntryRow>
  );
}

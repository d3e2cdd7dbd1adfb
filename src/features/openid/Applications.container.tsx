import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import { EntryList, EntryRow } from '@shared/ui/page/EntryList';
import { Name, Sentence } from '@shared/ui/Name';
import { Notice } from '@shared/ui/page/Notice';
import { Section } from '@shared/ui/page/WidePage';
import { Time } from '@shared/ui/Time';
import { useId } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { applicationsMessages as words } from './applications.messages';
import { applicationsRequested, disconnectRequested, selectApplications } from './applications.slice';
import { continueMessages } from './continue.messages';
import type { ConnectedApplication } from './openid.calls';

/** The section of `/account-activity` with the applications that the user is connected to. */
export function ConnectedApplications() {
  const { _ } = useLingui();
  const { list, busy, disconnected } = useSelector(selectApplications);
  const dispatch = useDispatch();
  return (
    <Section title={_(words.title)}>
      <Notice>
        {disconnected !== null && (
          <p>
            <Sentence of={words.disconnected(disconnected)} />
          </p>
        )}
      </Notice>
      <EntryList texts={words} state={list} onTryAgain={() => void dispatch(applicationsRequested())}>
        {(application) => (
          <ApplicationRow
            key={application.id}
            {...application}
            isBusy={busy === application.id}
            onDisconnect={() =>
              void dispatch(disconnectRequested({ id: application.id, name: application.name }))
            }
          />
        )}
      </EntryList>
    </Section>
  );
}

interface ApplicationRowProps extends ConnectedApplication {
  readonly isBusy: boolean;
  readonly onDisconnect: () => void;
}

function ApplicationRow({ name, url, what, connectedAt, isBusy, onDisconnect }: ApplicationRowProps) {
  const { _ } = useLingui();
  const [titleId, buttonId] = [useId(), useId()];
  const { offline, ...seen } = continueMessages.sees;
  const sees = what.flatMap((one) => (one === 'offline' ? [] : _(seen[one])));
  return (
    <EntryRow
      id={titleId}
      // `_top`: in a parent's frame, the application would otherwise open in the frame.
      title={
        url === null ? (
          <Name>{name}</Name>
        ) : (
          <TextLink to={url} target="_top">
            <Name>{name}</Name>
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
          onClick={onDisconnect}
        >
          {_(words.disconnect)}
        </Button>
      }
    >
      <p>
        <Time label={_(words.connected)} at={connectedAt} />
      </p>
      {sees.length > 0 && (
        <p>
          <span>{`${_(words.sees)} `}</span>
          <span>{sees.join(' · ')}</span>
        </p>
      )}
      {what.includes('offline') && <p>{_(offline)}</p>}
    </EntryRow>
  );
}

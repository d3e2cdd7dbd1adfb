import { useText } from '@shared/texts';
import { useLingui } from '@lingui/react';
import type { ActivityEvent, SessionEntry, TrustedDevice } from './sessions.calls';
import { Button } from '@shared/ui/buttons/Button';
import { BackLink } from '@shared/ui/buttons/links';
import { paths } from '@vestibule/contract/paths';
import { useFeatures } from '@shared/contexts';
import { eventDetailOf, useEventText } from '@shared/eventTexts';
import { deviceMessages } from '@shared/ui/device.messages';
import { deviceName } from '@shared/ui/deviceName';
import { EntryList, EntryRow } from '@shared/ui/page/EntryList';
import { Sentence } from '@shared/ui/Name';
import { Section, WidePage } from '@shared/ui/page/WidePage';
import { Time } from '@shared/ui/Time';
import { useId, type ReactNode } from 'react';
import { activityMessages } from './activity.messages';
import type { ActivityState, ListName } from './activity.slice';

interface ActivityListsProps extends ActivityState {
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onTryAgain: (list: ListName) => void;
  /** Called with `null` for every session except this one. */
  readonly onEnd: (id: string | null) => void;
  readonly onForget: (id: string) => void;
  readonly onMore: () => void;
  /** The sections of other features, which are `Section` elements. */
  readonly children: ReactNode;
}

const words = activityMessages;

/** Where the user is signed in, which devices are trusted, and what happened to the account. */
export function ActivityLists(props: ActivityListsProps) {
  const { _ } = useLingui();
  const { takesFocus, sessions, devices, events, busy, onTryAgain, onEnd, onForget, onMore, children } =
    props;
  const nameOf = useEventText('activity', words.events.kinds);
  const named = (event: ActivityEvent): readonly NamedEvent[] => {
    const name = nameOf(event.kind);
    return name === undefined ? [] : [{ ...event, name }];
  };
  // Events of kinds that no feature in use knows are left out.
  const known = events.phase === 'loaded' ? { ...events, entries: events.entries.flatMap(named) } : events;
  const hasOthers = sessions.phase === 'loaded' && sessions.entries.some(({ current }) => !current);
  return (
    <WidePage
      title={_(words.title)}
      takesFocus={takesFocus}
      above={<BackLink label={_(words.back)} to={paths.accountSettings()} />}
    >
      <Section title={_(words.sessions.title)}>
        <EntryList texts={words.sessions} state={sessions} onTryAgain={() => onTryAgain('sessions')}>
          {(session) => <SessionRow key={session.id} {...session} busy={busy} onEnd={onEnd} />}
        </EntryList>
        {hasOthers && (
          <div>
            <Button variant="danger" keepsFocus busy={busy === 'others'} onClick={() => onEnd(null)}>
              {_(words.sessions.endOthers)}
            </Button>
          </div>
        )}
      </Section>
      <Section title={_(words.devices.title)}>
        <EntryList texts={words.devices} state={devices} onTryAgain={() => onTryAgain('devices')}>
          {(device) => <DeviceRow key={device.id} {...device} busy={busy} onForget={onForget} />}
        </EntryList>
      </Section>
      {children}
      <Section title={_(words.events.title)}>
        <EntryList texts={words.events} state={known} onTryAgain={() => onTryAgain('events')}>
          {(event) => <EventRow key={event.id} {...event} />}
        </EntryList>
        {events.phase === 'loaded' && events.next !== null && (
          <div>
            <Button busy={busy === 'more'} onClick={onMore}>
              {_(words.events.more)}
            </Button>
          </div>
        )}
      </Section>
    </WidePage>
  );
}

function SessionRow({
  id,
  current,
  startedAt,
  lastSeenAt,
  method,
  network,
  busy,
  onEnd,
  ...device
}: SessionEntry & Pick<ActivityListsProps, 'busy' | 'onEnd'>) {
  const { _ } = useLingui();
  const text = useText();
  const titleId = useId();
  const how = useEventText('methods', words.methods)(method);
  const { current: thisDevice, signedIn, lastSeen, end } = words.sessions;
  return (
    <EntryRow
      id={titleId}
      title={text(deviceName(device))}
      badge={current && _(thisDevice)}
      action={
        !current && (
          <Button aria-describedby={titleId} busy={busy === id} onClick={() => onEnd(id)}>
            {_(end)}
          </Button>
        )
      }
    >
      <p>
        <Time label={_(lastSeen)} at={lastSeenAt} />
      </p>
      <p>
        <Time label={_(signedIn)} at={startedAt} />
        <span>{` ${how ?? ''}`}</span>
      </p>
      {network !== null && (
        <p>
          <Sentence of={deviceMessages.network(network)} />
        </p>
      )}
    </EntryRow>
  );
}

function DeviceRow({
  id,
  trustedAt,
  expiresAt,
  busy,
  onForget,
  ...device
}: TrustedDevice & Pick<ActivityListsProps, 'busy' | 'onForget'>) {
  const { _ } = useLingui();
  const text = useText();
  const titleId = useId();
  const { trusted, expires, forget } = words.devices;
  return (
    <EntryRow
      id={titleId}
      title={text(deviceName(device))}
      action={
        <Button aria-describedby={titleId} busy={busy === id} onClick={() => onForget(id)}>
          {_(forget)}
        </Button>
      }
    >
      <p>
        <Time label={_(trusted)} at={trustedAt} />
      </p>
      <p>
        <Time label={_(expires)} at={expiresAt} />
      </p>
    </EntryRow>
  );
}

type NamedEvent = ActivityEvent & { readonly name: string };

function EventRow({ at, kind, name, method, network, detail, ...device }: NamedEvent) {
  const text = useText();
  const added = eventDetailOf(useFeatures(), kind);
  const how = useEventText('methods', words.methods)(method ?? '');
  return (
    <EntryRow title={[name, how].filter(Boolean).join(' ')}>
      {detail && added && <added.Detail detail={detail} />}
      <p>
        <Time at={at} />
      </p>
      <p>
        <span>{text(deviceName(device))}</span>
        {network !== null && (
          <>
            <span>{' · '}</span>
            <Sentence of={deviceMessages.network(network)} />
          </>
        )}
      </p>
    </EntryRow>
  );
}

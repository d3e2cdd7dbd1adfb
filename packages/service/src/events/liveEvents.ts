import { Readable } from 'node:stream';
import type { SessionEndedEvent } from '@vestibule/contract/schema';
import type { Kysely } from 'kysely';
import * as v from 'valibot';
import { anyOf } from '../platform/database/anyOf.ts';
import type { AccountChange, Listen } from '../platform/database/notifications.ts';
import { retryWhileAway } from '../platform/database/retry.ts';
import type { SessionRow, Tables } from '../core/database/tables.ts';
import { sessionEnded } from '../core/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { ServiceSettings } from '../core/settings/options.ts';
import { readAccountVersion } from './accountVersion.ts';

/** The event streams of this process: docs/behaviour.md#live-events. */
export interface LiveEvents {
  /** Opens the stream of a bearer. It ends with its token, with its session, and with this process. */
  readonly open: (bearer: SessionBearer) => Readable;
  /** How many streams are open. */
  readonly count: () => number;
  /** Ends all streams, whose clients then connect to another process. */
  readonly close: () => Promise<void>;
}

interface Stream {
  readonly uid: string;
  readonly sessionId: string;
  readonly readable: Readable;
  readonly timer: NodeJS.Timeout;
}

/** Sessions that may have ended. */
interface SessionCheck {
  /** The uid of each session, by session id. */
  readonly sessions: Map<string, string>;
  /** The accounts of which any session has ended, by uid. */
  readonly changed: Set<string>;
}

const newCheck = (): SessionCheck => ({ sessions: new Map(), changed: new Set() });

/** The interval of comments, ms, which is below the 25 s of the contract. */
const commentMs = 20_000;
/** The limit of streams of a session. A browser has one for each origin. A client that opens more loses the oldest. */
const maxPerSession = 10;
const channel = 'vestibule_events';

const reasons: Readonly<Record<NonNullable<SessionRow['end_reason']>, SessionEndedEvent['reason'] | null>> = {
  // The browser that signs out needs no event.
  signOut: null,
  elsewhere: 'ended-elsewhere',
  administrator: 'ended-elsewhere',
  password: 'password-changed',
  reuse: 'reused',
};

/** A notification, as the triggers of the database write it. */
const notificationAbout = (changes: readonly AccountChange[]) =>
  v.pipe(
    v.string(),
    v.parseJson(),
    v.union([
      v.object({ uid: v.string(), session: v.string() }),
      v.object({ uid: v.string(), what: v.picklist(changes.map(({ what }) => what)) }),
    ]),
  );

/** The open streams of this process. */
function createStreams() {
  /** The streams of each account, because an announcement names an account. */
  const streams = new Map<string, Set<Stream>>();
  const ofUser = (uid: string): Set<Stream> => streams.get(uid) ?? new Set();
  const all = (): readonly Stream[] => [...streams.values()].flatMap((own) => [...own]);
  const end = (stream: Stream, event?: string): void => {
    const own = ofUser(stream.uid);
    if (!own.delete(stream)) return;
    if (own.size === 0) streams.delete(stream.uid);
    clearTimeout(stream.timer);
    if (event !== undefined) stream.readable.push(event);
    stream.readable.push(null);
  };
  const add = (stream: Stream): void => {
    streams.set(stream.uid, ofUser(stream.uid).add(stream));
  };
  return { ofUser, all, add, end };
}

/** @param end is called when its time is over, or its client has gone. */
function createStream(
  { uid, sessionId, forMs }: Pick<Stream, 'uid' | 'sessionId'> & { readonly forMs: number },
  end: (stream: Stream) => void,
): Stream {
  const readable = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      end(stream);
      done(error);
    },
  });
  const timer = setTimeout(
    () => {
      end(stream);
    },
    Math.max(0, forMs),
  );
  timer.unref();
  const stream: Stream = { uid, sessionId, readable, timer };
  return stream;
}

/** Checks sessions that may have ended. */
function createChecks(
  db: Kysely<Tables>,
  { ofUser, end }: Pick<ReturnType<typeof createStreams>, 'ofUser' | 'end'>,
  isClosed: () => boolean,
) {
  let asked = newCheck();
  /** Ends the streams of those sessions that have ended, and tells the others if their account is `changed`. */
  const endThose = async ({ sessions, changed }: SessionCheck): Promise<void> => {
    const ids = [...sessions.keys()];
    const ends = await retryWhileAway(() => endsOf(db, ids), { isPointless: isClosed }).catch(() => null);
    for (const [id, uid] of sessions) {
      // Without the database the stream ends without an event: the client checks its session when it connects again.
      const reason = ends === null ? null : ends.get(id);
      const own = [...ofUser(uid)].filter(({ sessionId }) => sessionId === id);
      if (reason !== undefined) {
        const event = reason === null ? undefined : eventText('session-ended', { reason });
        for (const stream of own) end(stream, event);
      } else if (changed.has(uid)) {
        tell(own, 'sessions');
      }
    }
  };
  /** Checks the session soon, with one query for all sessions that a transaction ends. */
  const ask = (id: string, uid: string): void => {
    if (asked.sessions.size === 0)
      setImmediate(() => {
        const check = asked;
        asked = newCheck();
        void endThose(check);
      });
    asked.sessions.set(id, uid);
  };
  /** As `ask`, and informs the session if another one of its account has ended. */
  const askChanged = (id: string, uid: string): void => {
    ask(id, uid);
    asked.changed.add(uid);
  };
  return { ask, askChanged };
}

/**
 * Relays the announcements of the database to the streams of this process. An announcement is part of the transaction that it
 * reports, so a change that was rolled back is not announced, and only a lost process or connection misses one.
 */
export async function createLiveEvents({
  db,
  listen,
  settings,
  changes,
}: {
  readonly db: Kysely<Tables>;
  readonly listen: Listen;
  readonly settings: Pick<ServiceSettings, 'now'>;
  readonly changes: readonly AccountChange[];
}): Promise<LiveEvents> {
  const notification = notificationAbout(changes);
  const { ofUser, all, add, end } = createStreams();
  let isClosed = false;
  const { ask, askChanged } = createChecks(db, { ofUser, end }, () => isClosed);
  const hear = (payload: string): void => {
    const { success, output } = v.safeParse(notification, payload);
    if (!success) return;
    const { uid } = output;
    const own = [...ofUser(uid)];
    if ('what' in output) {
      tell(own, output.what);
      return;
    }
    // The other sessions may end in the same transaction, so they are checked before they are told.
    for (const { sessionId } of own) askChanged(sessionId, uid);
  };
  /** Begins a registered stream. Only changes after this version are sent as events. */
  const begin = async (stream: Stream): Promise<void> => {
    // Without the database the client learns only that the stream is open, and reads the account again.
    const version = await readAccountVersion(db, stream.uid, changes).catch(() => null);
    if (ofUser(stream.uid).has(stream))
      stream.readable.push(version === null ? comment : `id: ${version}\n\n`);
  };
  const catchUp = (): void => {
    for (const { sessionId, uid } of all()) ask(sessionId, uid);
  };
  const stopListening = await listen(channel, hear, catchUp);

  const comments = setInterval(() => {
    for (const { readable } of all()) readable.push(comment);
  }, commentMs);
  comments.unref();

  return {
    count: () => all().length,
    open: ({ uid, sessionId, expiresAt }) => {
      if (isClosed) throw sessionEnded('unauthorized');
      const others = [...ofUser(uid)].filter((stream) => stream.sessionId === sessionId);
      for (const oldest of others.slice(0, Math.max(0, others.length - maxPerSession + 1))) end(oldest);
      const stream = createStream({ uid, sessionId, forMs: expiresAt - settings.now() }, end);
      add(stream);
      void begin(stream);
      // The session may have ended after its bearer was checked and before the stream existed.
      ask(sessionId, uid);
      return stream.readable;
    },
    close: async () => {
      isClosed = true;
      clearInterval(comments);
      for (const stream of all()) end(stream);
      await stopListening();
    },
  };
}

const comment = ':\n\n';

function tell(streams: readonly Stream[], what: string): void {
  const event = eventText('account-changed', { what: [what] });
  for (const { readable } of streams) readable.push(event);
}

/** The reasons of those sessions that have ended, by id. `null`: no browser is informed. An erased account has no row. */
async function endsOf(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SessionEndedEvent['reason'] | null>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['sessions.id', 'ended_at', 'end_reason', 'disabled_at'])
    .where('sessions.id', '=', anyOf(ids))
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    ids.flatMap((id) => {
      const row = found.get(id);
      if (row === undefined) return [[id, 'ended-elsewhere' as const]];
      if (row.ended_at === null) return [];
      if (row.end_reason === null) return [[id, null]];
      return [[id, row.disabled_at === null ? reasons[row.end_reason] : 'locked']];
    }),
  );
}

const eventText = (name: string, data: SessionEndedEvent | { readonly what: readonly string[] }): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** @jest-environment node */
import type { LiveEvents } from '../src/events/liveEvents.ts';
import { createLiveEvents } from '../src/events/liveEvents.ts';
import { connect } from '../src/database/connect.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { ada, describeService, startTestService, text, type TestService } from './support/testService.ts';

/** Opens the stream of a bearer. */
async function openStream({ url }: Pick<TestService, 'url'>, bearer: string) {
  const { status, headers, body } = await fetch(`${url}/auth/v1/events`, {
    headers: { Authorization: `Bearer ${bearer}`, Accept: 'text/event-stream' },
  });
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  return {
    status,
    headers,
    close: () => reader.cancel(),
    /** The next event without comments; `null`: the stream has ended. */
    next: async (): Promise<string | null> => {
      for (;;) {
        const [event, ...others] = rest.split('\n\n');
        if (others.length > 0) {
          rest = others.join('\n\n');
          if (event?.startsWith(':') !== true) return event ?? '';
        } else {
          const { done, value } = await reader.read();
          if (done) return null;
          rest += decoder.decode(value, { stream: true });
        }
      }
    },
  };
}

type Stream = Awaited<ReturnType<typeof openStream>>;

/** Everything that follows, up to the end of the stream. */
async function allOf({ next }: Stream): Promise<readonly string[]> {
  const events: string[] = [];
  for (let event = await next(); event !== null; event = await next()) events.push(event);
  return events;
}

const ended = (reason: string) => `event: session-ended\ndata: {"reason":"${reason}"}`;
const changed = (what: string) => `event: account-changed\ndata: {"what":["${what}"]}`;

describeService('live events', (service) => {
  const endOthers = async () => {
    const bearer = text(await service.signIn(), 'token');
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
  };
  const reset = async () => {
    const { id } = await service.directory.resetLink(ada);
    await service.reset(id);
  };

  it.each([
    ['ended-elsewhere', 'another device ends it', endOthers],
    ['ended-elsewhere', 'an administrator ends all access', () => service.directory.endSessions(ada)],
    ['locked', 'an administrator disables the account', () => service.directory.disable(ada)],
    ['password-changed', 'the password is reset', reset],
  ])('the stream says %s and ends when %s', async (reason, _what, work) => {
    const { bearer } = await service.signedIn();
    const stream = await openStream(service, bearer);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    // nginx would hold events back.
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await work();
    expect((await allOf(stream)).at(-1)).toBe(ended(reason));
    expect((await openStream(service, bearer)).status).toBe(401);
  });

  it('says reused when a refresh token is sent again too late', async () => {
    await service.write();
    const { refresh, token } = (await service.signIn()).body;
    await service.refresh(String(refresh));
    service.passSeconds(60);
    const stream = await openStream(service, String(token));
    await service.refresh(String(refresh));
    expect(await allOf(stream)).toEqual([ended('reused')]);
  });

  it('ends without an event when the user signs out, because the browser knows', async () => {
    await service.write();
    const { refresh, token } = (await service.signIn()).body;
    const stream = await openStream(service, String(token));
    await service.post('/auth/v1/revoke', { refresh });
    expect(await allOf(stream)).toEqual([]);
  });

  it('tells of changes of the account, and of those of no other account', async () => {
    const { bearer } = await service.signedIn();
    const stream = await openStream(service, bearer);
    await service.write({ username: 'grace@example.com', email: 'grace@example.com' });
    await service.directory.changeAccount(ada, { firstName: 'Augusta' });
    expect(await stream.next()).toBe(changed('profile'));
    await service.directory.trustDevice(ada);
    expect(await stream.next()).toBe(changed('sessions'));
    await stream.close();
  });

  it('the eleventh stream of a session ends the first', async () => {
    const { bearer } = await service.signedIn();
    const streams: Stream[] = [];
    for (let count = 0; count < 11; count += 1) streams.push(await openStream(service, bearer));
    expect(await streams[0]?.next()).toBeNull();
    await Promise.all(streams.slice(1).map(({ close }) => close()));
  });
});

it('a process that stops ends its streams, and another process hears what happens there', async () => {
  const url = await newDatabase();
  const [one, other] = [
    await startTestService({ database: { url } }),
    await startTestService({ database: { url } }),
  ];
  const { bearer } = await one.signedIn();
  const [here, there] = [await openStream(one, bearer), await openStream(other, bearer)];
  void one.service.drain(0);
  expect(await allOf(here)).toEqual([]);
  await one.directory.endSessions(ada);
  expect((await allOf(there)).at(-1)).toBe(ended('ended-elsewhere'));
  await one.close();
  await other.close();
});

describe('a lost connection to the database', () => {
  let events: LiveEvents | undefined;
  afterEach(() => events?.close());

  it('ends the streams of sessions that ended meanwhile', async () => {
    const url = await newDatabase();
    const service = await startTestService({ database: { url } });
    const { bearer } = await service.signedIn();
    const database = await connect({ url }, recordingLogger().logger);
    const { id, uid } = await database.db
      .selectFrom('sessions')
      .select(['id', 'uid'])
      .executeTakeFirstOrThrow();
    let reconnect: () => void = () => undefined;
    events = await createLiveEvents({
      db: database.db,
      settings: { now: service.now },
      listen: (_channel, _hear, onConnected) => {
        reconnect = onConnected;
        return Promise.resolve(() => Promise.resolve());
      },
    });
    const stream = events.open({
      kind: 'session',
      uid,
      sessionId: id,
      expiresAt: service.now() + 60_000,
      kid: '',
    });
    await service.post('/auth/v1/sessions/end', { ids: [id] }, { bearer });
    reconnect();
    expect((await stream.toArray()).join('')).toContain(ended('ended-elsewhere'));
    await database.close();
    await service.close();
  });
});

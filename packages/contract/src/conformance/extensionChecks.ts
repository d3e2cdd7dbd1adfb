import { randomUUID } from 'node:crypto';
import type { Operation } from '../document.ts';
import {
  claimsIn,
  expectError,
  expectShape,
  Fault,
  Skipped,
  type Check,
  type ExtensionTools,
  type Send,
  type Session,
} from './checks.ts';
import { passkeyChecks } from './passkeyChecks.ts';
import { recoveryChecks } from './recoveryChecks.ts';
import { revokeChecks } from './revokeChecks.ts';

/** The checks of each extension, beyond those of all calls. */
const checksOf = {
  revoke: revokeChecks,
  'recovery-codes': recoveryChecks,
  events: eventsChecks,
  sessions: sessionsChecks,
  notices: noticesChecks,
  passkeys: passkeyChecks,
};

/** Checks of the extensions that are offered. */
export const extensionChecks = (tools: ExtensionTools): readonly Check[] =>
  Object.entries(checksOf).flatMap(([extension, checks]) => (tools.offers(extension) ? checks(tools) : []));

/** How soon an open tab shows the end of its session, ms. */
const eventWithinMs = 2000;

function eventsChecks(tools: ExtensionTools): readonly Check[] {
  const { call, checker, offers, openSession, openStream, send } = tools;
  const [events, user] = [call('streamEvents'), call('getUser')];
  return [
    {
      call: events.id,
      rule: 'a bearer gets an event stream that says at once that it is open',
      run: async () => {
        const { token } = await openSession();
        const params = { uid: String(claimsIn(token)['uid']) };
        const { accountVersion } = bodyOf(tools, user, await send(user, { bearer: token, params }));
        const stream = await openStream(events, token);
        try {
          if (stream.status === 501) throw new Skipped('the service does not have this call');
          if (stream.status !== 200) throw new Fault(`status ${stream.status} instead of 200`);
          if (stream.headers.get('content-type')?.startsWith('text/event-stream') !== true)
            throw new Fault('the content type is not text/event-stream');
          if (stream.headers.get('cache-control')?.includes('no-store') !== true)
            throw new Fault('Cache-Control is not no-store');
          const version = /^id: ?(.+?)\r?\n/.exec(await stream.firstBytes(eventWithinMs))?.[1];
          if (version !== undefined && version !== accountVersion)
            throw new Fault('it begins with a version that is not the accountVersion just read');
        } finally {
          stream.close();
        }
      },
    },
    {
      call: events.id,
      rule: 'the end of a session is reported within 2 s to its streams alone, and ends them',
      run: async () => {
        if (!offers('sessions')) throw new Skipped('only the extension sessions ends a session');
        const [kept, ended] = [await openSession(), await openSession()];
        const [own, other] = [await openStream(events, kept.token), await openStream(events, ended.token)];
        try {
          await endSessions(tools, kept, { ids: [await idOf(tools, ended)] });
          const event = await other.until('session-ended', eventWithinMs);
          const fault = checker.faultInSchema('SessionEndedEvent', event);
          if (fault !== null) throw new Fault(`session-ended: ${fault}`);
          if (JSON.stringify(event) !== '{"reason":"ended-elsewhere"}')
            throw new Fault('the reason is not ended-elsewhere');
          await other.untilEnd(eventWithinMs);
          if (own.hasSaid('session-ended'))
            throw new Fault('another session received an event that it has ended');
        } finally {
          own.close();
          other.close();
        }
      },
    },
  ];
}

function sessionsChecks(tools: ExtensionTools): readonly Check[] {
  const { call, checker, send, openSession } = tools;
  const list = call('listSessions');
  const end = call('endSessions');
  const refresh = call('refreshToken');
  const [devices, forget, activity] = [
    call('listTrustedDevices'),
    call('forgetTrustedDevices'),
    call('listActivity'),
  ];
  const expectRefused = async (session: Session): Promise<void> => {
    expectError(checker, list, await send(list, { bearer: session.token }), 401, 401);
    expectError(checker, refresh, await send(refresh, { body: { refresh: session.refresh } }), 401, 401);
  };
  return [
    {
      call: list.id,
      rule: 'the sessions are listed, the newest first, and the session of the bearer is the current one',
      run: async () => {
        const [own, other] = [await openSession(), await openSession()];
        const sessions = await sessionsOf(tools, own);
        for (const one of [own, other]) {
          const id = await idOf(tools, one);
          if (!sessions.some((listed) => listed.id === id)) throw new Fault('a session is not listed');
        }
        if (
          sessions.some(({ startedAt }, index) => startedAt > (sessions[index - 1]?.startedAt ?? startedAt))
        )
          throw new Fault('the sessions are not in order');
      },
    },
    {
      call: end.id,
      rule: 'an ended session is over, ending it again changes nothing, and an unknown id ends nothing',
      run: async () => {
        const [kept, ended] = [await openSession(), await openSession()];
        const ids = [await idOf(tools, ended), `conformance-${randomUUID()}`];
        for (const _ of [1, 2]) await endSessions(tools, kept, { ids });
        await expectRefused(ended);
        await sessionsOf(tools, kept);
      },
    },
    {
      call: end.id,
      rule: 'ending the others leaves the session of the bearer alone',
      run: async () => {
        const [kept, ended] = [await openSession(), await openSession()];
        await endSessions(tools, kept, { others: true });
        await expectRefused(ended);
        if ((await sessionsOf(tools, kept)).length !== 1) throw new Fault('more than one session is left');
      },
    },
    {
      call: end.id,
      rule: 'ids together with others are refused with a 4xx error',
      run: async () => {
        const { token: bearer } = await openSession();
        expectError(checker, end, await send(end, { bearer, body: { ids: [], others: true } }), 400, 499);
      },
    },
    {
      call: forget.id,
      rule: 'an unknown device is forgotten without an effect',
      run: async () => {
        const { token: bearer } = await openSession();
        const read = async () => bodyOf(tools, devices, await send(devices, { bearer }));
        const before = JSON.stringify(await read());
        const body = { ids: [`conformance-${randomUUID()}`] };
        bodyOf(tools, forget, await send(forget, { bearer, body }));
        if (JSON.stringify(await read()) !== before) throw new Fault('the trusted devices have changed');
      },
    },
    {
      call: activity.id,
      rule: 'the activity begins with the newest event, and the next page after the event that it names',
      run: async () => {
        const { token: bearer } = await openSession();
        const page = async (before?: string) => {
          const query = before === undefined ? {} : { query: { before } };
          const { events } = bodyOf(tools, activity, await send(activity, { bearer, ...query }));
          return events as readonly { readonly id: string; readonly at: string; readonly kind: string }[];
        };
        const events = await page();
        const [newest, second] = events;
        if (newest?.kind !== 'signed-in') throw new Fault('the newest event is not the sign-in');
        if (events.some(({ at }, index) => at > (events[index - 1]?.at ?? at)))
          throw new Fault('the events are not in order');
        const [following] = await page(newest.id);
        if (following?.id !== second?.id) throw new Fault('the next page does not follow the named event');
      },
    },
  ];
}

function noticesChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  const know = call('knowDevice');
  const known = async (bearer: string, deviceToken?: string): Promise<unknown> => {
    const body = deviceToken === undefined ? {} : { deviceToken };
    return bodyOf({ checker }, know, await send(know, { bearer, body }))['deviceToken'];
  };
  const stranger = `conformance-${randomUUID()}`;
  return [
    {
      call: know.id,
      rule: 'a device keeps its token, and a token that the service has not issued is not adopted',
      run: async () => {
        const { token: bearer } = await openSession();
        const deviceToken = String(await known(bearer));
        if ((await known(bearer, deviceToken)) !== deviceToken) throw new Fault('the token was replaced');
        if ((await known(bearer)) === deviceToken) throw new Fault('two devices have one token');
        if ((await known(bearer, stranger)) === stranger) throw new Fault('the unknown token was adopted');
      },
    },
    ...['getNotice', 'answerNotice'].map((id) => ({
      call: id,
      rule: 'an unknown notice is refused with 404',
      run: async () => {
        const body = id === 'answerNotice' ? { body: { mine: false } } : {};
        expectError(
          checker,
          call(id),
          await send(call(id), { params: { hash: stranger }, ...body }),
          404,
          404,
        );
      },
    })),
  ];
}

interface ListedSession {
  readonly id: string;
  readonly current: boolean;
  readonly startedAt: string;
}

/** @throws Fault unless the call succeeded in the contract's shape. */
function bodyOf(
  { checker }: Pick<ExtensionTools, 'checker'>,
  operation: Operation,
  response: Awaited<ReturnType<Send>>,
): Readonly<Record<string, unknown>> {
  expectShape(checker, operation, response);
  if (response.status < 200 || response.status > 299)
    throw new Fault(`${operation.id} has status ${response.status} instead of 2XX`);
  return Object.fromEntries(Object.entries(response.body ?? {}));
}

async function sessionsOf(
  { call, checker, send }: ExtensionTools,
  { token: bearer }: Session,
): Promise<readonly ListedSession[]> {
  const list = call('listSessions');
  const { sessions } = bodyOf({ checker }, list, await send(list, { bearer }));
  return sessions as readonly ListedSession[];
}

/** @throws Fault unless exactly one session is the current one. */
async function idOf(tools: ExtensionTools, session: Session): Promise<string> {
  const [current, ...more] = (await sessionsOf(tools, session)).filter((one) => one.current);
  if (current === undefined || more.length > 0) throw new Fault('not exactly one session is the current one');
  return current.id;
}

async function endSessions(
  { call, checker, send }: ExtensionTools,
  { token: bearer }: Session,
  body: object,
): Promise<void> {
  const end = call('endSessions');
  bodyOf({ checker }, end, await send(end, { bearer, body }));
}

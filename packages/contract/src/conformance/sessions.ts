import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  expectError,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
  type Session,
} from './checks.ts';
import { endSessions, idOf, sessionsOf } from './listedSessions.ts';

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

/** Checks of the lists of sessions, trusted devices and activity. */
export const sessions: ExtensionChecks = { name: 'sessions', signedIn: sessionsChecks };

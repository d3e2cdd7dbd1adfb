import {
  bodyOf,
  claimsIn,
  Fault,
  Skipped,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
} from './checks.ts';
import { endSessions, idOf } from './listedSessions.ts';

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

/** Checks of event streams. */
export const events: ExtensionChecks = { name: 'events', signedIn: eventsChecks };

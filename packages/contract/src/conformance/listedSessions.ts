import { bodyOf, Fault, type ExtensionTools, type Session } from './checks.ts';

/* The end of a session elsewhere, for the checks of any extension. */

interface ListedSession {
  readonly id: string;
  readonly current: boolean;
  readonly startedAt: string;
}

export async function sessionsOf(
  { call, checker, send }: ExtensionTools,
  { token: bearer }: Session,
): Promise<readonly ListedSession[]> {
  const list = call('listSessions');
  const { sessions } = bodyOf({ checker }, list, await send(list, { bearer }));
  return sessions as readonly ListedSession[];
}

/** @throws Fault unless exactly one session is the current one. */
export async function idOf(tools: ExtensionTools, session: Session): Promise<string> {
  const [current, ...more] = (await sessionsOf(tools, session)).filter((one) => one.current);
  if (current === undefined || more.length > 0) throw new Fault('not exactly one session is the current one');
  return current.id;
}

export async function endSessions(
  { call, checker, send }: ExtensionTools,
  { token: bearer }: Session,
  body: object,
): Promise<void> {
  const end = call('endSessions');
  bodyOf({ checker }, end, await send(end, { bearer, body }));
}

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { decodeJwt } from 'jose';
import { issuer, loginOrigin } from '../support/testService.ts';
import { environmentOf, serve, vestibule } from '../support/vestibule.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Two processes of one deployment, which have payments confirmed. */
export async function startTwoProcesses(url: string, client: object) {
  const ports = await freePorts(2);
  const processes = ports.map((port) =>
    serve({
      ...environmentOf(url),
      ...{
        ISSUER: issuer,
        ALLOWED_ORIGINS: loginOrigin,
        PORT: String(port),
        CLIENTS: JSON.stringify([client]),
      },
      ...{ PASSKEYS_RP_ID: new URL(loginOrigin).hostname, PASSKEYS_ORIGINS: loginOrigin },
      ...{ CONFIRMATION_ENROLMENT_HOURS: '0' },
      ...{ UNLIMITED_NETWORKS: '127.0.0.1', CLIENT_CALLS_PER_MINUTE: '1000000' },
    }),
  );
  await Promise.all(processes.map(({ until }) => until('"event":"listening"')));
  return {
    /** @param index of the process. @returns `null` without a response. */
    send: async (
      index: number,
      path_: string,
      body: object | null,
      headers: Readonly<Record<string, string>>,
    ): Promise<Answer | null> => {
      try {
        const response = await fetch(`http://127.0.0.1:${ports[index]}/auth/v1/${path_}`, {
          method: body === null ? 'GET' : 'POST',
          headers: { 'Content-Type': 'application/json', Host: new URL(issuer).host, ...headers },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as Answer['body'] };
      } catch {
        return null;
      }
    },
    kill: (index: number) => processes[index]?.end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(processes.map(({ end }) => end('SIGKILL')));
    },
  };
}

/** The lines of `confirmations list`. */
export const listEvidence = async (url: string): Promise<readonly string[]> =>
  (await vestibule(environmentOf(url), ['confirmations', 'list'])).stdout.trim().split('\n');

/** Runs `confirmations verify`. */
export function verifyEvidence(lines: readonly string[]) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-')), 'evidence');
  writeFileSync(file, lines.join('\n'));
  return vestibule({}, ['confirmations', 'verify', file]);
}

/** The different events about each payment, by its id. */
export function eventsOf(tokens: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const events = new Map<string, string[]>();
  for (const token of new Set(tokens)) {
    const { jti = '' } = decodeJwt(token);
    events.set(jti, [...(events.get(jti) ?? []), token]);
  }
  return events;
}

import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { itWith, optionsOf } from '../support/extensions.ts';
import { addKey, passkeyAuthenticator, type Key } from '../support/passkeyAuthenticator.ts';
import { ownPostgres } from '../support/postgres.ts';
import { createPostListener } from '../support/postListener.ts';
import { issuer, loginOrigin, startTestService } from '../support/testService.ts';
import {
  eventsOf,
  listEvidence,
  startTwoProcesses,
  verifyEvidence,
  type Answer,
} from './paymentProcesses.ts';
import { basic, clientFile, payment, withClients } from './payments.ts';

jest.setTimeout(600_000);

const [users, each] = [10, 10];
const amount = users * each;
type End = 'confirmed' | 'declined' | 'failed' | 'expired';
/** How each of the payments of a user is meant to end. The last attempts of a user fail, because they block the method. */
const ends: readonly End[] = ['declined', 'expired', ...Array<End>(each - 3).fill('confirmed'), 'failed'];

interface User {
  readonly bearer: string;
  readonly uid: string;
  readonly key: Key;
}

/** The users, each with a passkey, and the keys of the service. */
async function enrol(url: string, client: object) {
  await using service = await startTestService({
    ...{ database: { url }, now: Date.now },
    ...optionsOf('passkeys'),
    ...withClients(client),
  });
  const device = passkeyAuthenticator(loginOrigin);
  const people: User[] = [];
  for (let index = 0; index < users; index += 1) {
    const username = `user-${index}@example.com`;
    const { bearer, uid } = await service.signedIn({ uid: `u_${index}`, username, email: username });
    people.push({ bearer, uid, key: await addKey(service, device, bearer) });
  }
  const { body } = await service.get('/.well-known/jwks.json');
  return { device, people, keys: createLocalJWKSet(body as unknown as JSONWebKeySet) };
}

itWith('passkeys')(
  `${amount} payments on two processes, of which one is killed, and a database that crashes: nothing is confirmed without its proof, and each end is told`,
  async () => {
    // What was committed is there after the crash.
    const database = await ownPostgres(['listen_addresses=', 'fsync=off']);
    const listener = createPostListener('event');
    const ledger = { id: 'ledger', confirmationUri: await listener.start() };
    try {
      const { url } = database;
      const { device, people, keys } = await enrol(url, ledger);
      await using processes = await startTwoProcesses(url, clientFile(ledger));
      let [begun, lost] = [0, 0];
      /** One call to one of the processes. @returns `null` if its effect is unknown. */
      const send = async (...[path, body, headers]: [string, object | null, Record<string, string>]) => {
        const answer = await processes.send(begun % 2, path, body, headers);
        const known = answer ?? (await processes.send(1, path, body, headers));
        if (known !== null && known.status < 500) return known;
        lost += 1;
        await pause(100);
        return null;
      };
      const repeated = async (...call: Parameters<typeof send>): Promise<Answer> => {
        for (;;) {
          const answer = await send(...call);
          if (answer !== null) return answer;
        }
      };
      const stateOf = async (id: string) =>
        (await repeated(`confirmations/${id}/receipt`, null, basic())).body['state'];
      const decide = async ({ bearer, key }: User, id: string, end: End) => {
        const own = { Authorization: `Bearer ${bearer}` };
        if (end === 'declined') return send(`confirmations/${id}/decline`, {}, own);
        const { body } = await repeated(`confirmations/${id}/passkey/options`, {}, own);
        const { challengeToken, publicKey } = body as unknown as PasskeyRequestOptions;
        const challenge = end === 'failed' ? 'd3Jvbmc' : publicKey.challenge;
        const credential = device.get(key, { ...publicKey, challenge });
        return send(`confirmations/${id}/passkey`, { challengeToken, credential }, own);
      };
      /** The states of all responses, by payment. */
      const told = new Map<string, unknown[]>();
      const settle = async (user: User, index: number): Promise<void> => {
        const end = ends[index] ?? 'confirmed';
        const wanted = { uid: user.uid, ...payment, ...(end === 'expired' ? { lifeSeconds: 60 } : {}) };
        const key = { 'Idempotency-Key': `${user.uid} ${index}` };
        begun += 1;
        if (begun === amount * 0.3) void processes.kill(0);
        if (begun === amount * 0.5) crashing = crash();
        const id = String((await repeated('confirmations', wanted, { ...basic(), ...key })).body['id']);
        const states: unknown[] = [];
        told.set(id, states);
        while (end !== 'expired' && (await stateOf(id)) === 'open') {
          const answer = await decide(user, id, end);
          if (answer?.status === 200) states.push(answer.body['state']);
        }
      };
      const crash = async (): Promise<void> => {
        await database.crash();
        const before = lost;
        // Until calls have failed.
        while (lost < before + 5) await pause(100);
        await database.restart();
      };
      let crashing: Promise<void> | undefined;
      await Promise.all(
        people.map(async (user) => {
          for (let index = 0; index < each; index += 1) await settle(user, index);
        }),
      );
      await crashing;

      // The last ones expire, and what the killed process was posting is posted again after a minute.
      while (eventsOf(listener.tokens).size < amount) await pause(500);
      const listed = await listEvidence(url);
      const evidence = listed.map((line) => JSON.parse(line) as { id: string; state: End; proof: unknown });
      const counts = { confirmed: 0, declined: 0, failed: 0, expired: 0 };
      const events = eventsOf(listener.tokens);
      for (const { id, state, proof } of evidence) {
        counts[state] += 1;
        expect([id, proof !== null]).toEqual([id, state === 'confirmed']);
        expect((told.get(id) ?? ['unknown']).filter((one) => one !== state)).toEqual([]);
        expect([id, events.get(id)?.map((event) => decodeJwt(event)['state'])]).toEqual([id, [state]]);
      }
      for (const event of new Set(listener.tokens))
        await jwtVerify(event, keys, { issuer, audience: 'ledger', typ: 'confirmation-event+jwt' });
      expect(counts).toEqual({
        ...{ confirmed: users * (each - 3), declined: users, failed: users, expired: users },
      });
      const verified = await verifyEvidence(listed);
      expect([verified.status, verified.stdout.match(/"valid":true/g)?.length]).toEqual([0, amount]);
      console.info({ ...counts, lost, events: listener.tokens.length, distinct: events.size });
    } finally {
      await listener.stop();
      await database.stop();
    }
  },
);

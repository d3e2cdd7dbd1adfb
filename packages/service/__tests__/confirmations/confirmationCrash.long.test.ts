import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { itWith, optionsOf } from '../support/extensions.ts';
import { addKey, passkeyAuthenticator, type Key } from '../support/passkeyAuthenticator.ts';
import { newDatabase } from '../support/postgres.ts';
import { createPostListener } from '../support/postListener.ts';
import { issuer, loginOrigin, startTestService, text } from '../support/testService.ts';
import {
  eventsOf,
  listEvidence,
  startTwoProcesses,
  verifyEvidence,
  type Answer,
} from './paymentProcesses.ts';
import { basic, clientFile, withClients } from './payments.ts';

/** An application may ask one user for twenty within ten minutes; one that the killed process has counted is asked for again. */
const [users, each] = [56, 18];
jest.setTimeout(600_000);

itWith('passkeys')(
  `${users * each} payments at once on two processes, of which one is killed: each ends in one state, with a receipt that verifies, and its application is told`,
  async () => {
    const url = await newDatabase();
    const listener = createPostListener('event');
    const ledger = { id: 'ledger', confirmationUri: await listener.start() };
    await using writer = await startTestService({
      ...{ database: { url }, now: Date.now },
      ...optionsOf('passkeys'),
      ...withClients(ledger),
    });
    await using processes = await startTwoProcesses(url, clientFile(ledger));
    const { send, kill } = processes;
    try {
      /** Repeats a call on the other process. For calls that have no second effect. */
      const repeatable = async (
        path: string,
        body: object | null,
        headers: Readonly<Record<string, string>>,
      ): Promise<Answer> => {
        const answer = (await send(0, path, body, headers)) ?? (await send(1, path, body, headers));
        if (answer === null || answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer)}`);
        return answer;
      };
      const device = passkeyAuthenticator(loginOrigin);
      const received = new Map<string, string[]>();
      const walk = async (bearer: string, uid: string, key: Key, index: number): Promise<void> => {
        const payment = {
          uid,
          amount: { value: `${index + 1}.00`, currency: 'EUR' },
          payee: { name: 'Northwind' },
        };
        const asked = await repeatable('confirmations', payment, {
          ...basic(),
          'Idempotency-Key': `${uid} ${index}`,
        });
        const id = String(asked.body['id']);
        const own = { Authorization: `Bearer ${bearer}` };
        const options = await repeatable(`confirmations/${id}/passkey/options`, {}, own);
        const { challengeToken, publicKey } = options.body as unknown as PasskeyRequestOptions;
        const body = { challengeToken, credential: device.get(key, publicKey) };
        const answers = await Promise.all([
          send(0, `confirmations/${id}/passkey`, body, own),
          send(1, `confirmations/${id}/passkey`, body, own),
          ...(index % 4 === 0 ? [send(1, `confirmations/${id}/decline`, {}, own)] : []),
        ]);
        received.set(
          id,
          answers.flatMap((answer) => (answer?.status === 200 ? [String(answer.body['state'])] : [])),
        );
      };
      const people: { bearer: string; uid: string; key: Key }[] = [];
      for (let index = 0; index < users; index += 1) {
        const username = `user-${index}@example.com`;
        const { bearer, uid } = await writer.signedIn({ uid: `u_${index}`, username, email: username });
        people.push({ bearer, uid, key: await addKey(writer, device, bearer) });
      }
      // One of each user after the other, because a request that is repeated after the kill counts twice for the limit of a user.
      const all = Array.from({ length: each }).flatMap((_none, index) =>
        people.map(
          ({ bearer, uid, key }) =>
            () =>
              walk(bearer, uid, key, index),
        ),
      );
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < all.length) {
          const index = next++;
          if (index === all.length / 2) void kill(0);
          await all[index]?.();
        }
      };
      await Promise.all(Array.from({ length: 20 }, worker));

      expect(received.size).toBe(users * each);
      const keys = createLocalJWKSet(
        (await writer.get('/.well-known/jwks.json')).body as unknown as JSONWebKeySet,
      );
      const states = new Map<unknown, number>();
      for (const [id, answers] of received) {
        const found = await send(1, `confirmations/${id}/receipt`, null, basic());
        const { state, receipt } = found?.body as { state: string; receipt: string | null };
        states.set(state, (states.get(state) ?? 0) + 1);
        expect(answers.length).toBeLessThanOrEqual(1);
        if (answers.length === 1) expect([id, state]).toEqual([id, answers[0]]);
        expect(receipt === null).toBe(state !== 'confirmed');
        if (receipt === null) continue;
        const { payload } = await jwtVerify(receipt, keys, {
          issuer,
          audience: 'ledger',
          typ: 'confirmation+jwt',
        });
        expect(payload.jti).toBe(id);
      }
      expect(states.get('confirmed')).toBeGreaterThan(users * each * 0.6);

      const listed = await listEvidence(url);
      const evidence = listed.filter((line) => line.includes('"state":"confirmed"'));
      const ended = users * each - (states.get('open') ?? 0);
      expect([listed.length, evidence.length]).toEqual([ended, states.get('confirmed')]);
      const verified = await verifyEvidence(listed);
      expect([verified.status, verified.stdout.match(/"valid":true/g)?.length]).toEqual([0, ended]);

      // What the killed process was sending is sent again after a minute, perhaps for the second time.
      while (eventsOf(listener.tokens).size < ended) await pause(500);
      const told = eventsOf(listener.tokens);
      for (const line of listed) {
        const { id, state } = JSON.parse(line) as { id: string; state: string };
        expect([id, told.get(id)?.map((event) => decodeJwt(event)['state'])]).toEqual([id, [state]]);
      }
      const [first = ''] = evidence;
      const { kid } = (JSON.parse(first) as { receiptKey: { kid: string } }).receiptKey;
      expect(verified.stdout).toContain(`"key":"${kid}`);
      const bare = await verifyEvidence([first.replace(/"receipt":"[^"]*"/, '"receipt":null'), 'null']);
      expect([bare.status, bare.stdout.match(/"valid":false/g)?.length]).toEqual([1, 2]);
      const changed = await verifyEvidence([first.replace('Northwind', 'Northwlnd')]);
      expect([changed.status, changed.stdout]).toEqual([1, expect.stringContaining('of another payment')]);
      expect(text(await writer.signIn({ username: 'user-1@example.com' }), 'token')).toBeDefined();
    } finally {
      await listener.stop();
    }
  },
);

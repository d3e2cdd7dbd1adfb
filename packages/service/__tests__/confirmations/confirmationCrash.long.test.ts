import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import * as v from 'valibot';
import { deployedClients } from '../../src/platform/clientFields.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { addKey, passkeyAuthenticator, type Key } from '../support/passkeyAuthenticator.ts';
import { newDatabase } from '../support/postgres.ts';
import { createPostListener } from '../support/postListener.ts';
import { issuer, loginOrigin, startTestService, text } from '../support/testService.ts';
import { environmentOf, serve, vestibule } from '../support/vestibule.ts';

const secret = 'secret-of-the-ledger-application-0123456789';
const ledger = {
  ...{ id: 'ledger', name: 'Ledger', secretHash: `sha256:${hashOfToken(secret)}` },
  confirmations: true,
};
const basic = { Authorization: `Basic ${Buffer.from(`ledger:${secret}`).toString('base64')}` };
/** An application may ask one user for twenty within ten minutes; one that the killed process has counted is asked for again. */
const [users, each] = [56, 18];
jest.setTimeout(600_000);

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

itWith('passkeys')(
  `${users * each} payments at once on two processes, of which one is killed: each ends in one state, with a receipt that verifies, and its application is told`,
  async () => {
    const url = await newDatabase();
    const listener = createPostListener('event');
    const client = { ...ledger, confirmationUri: await listener.start() };
    await using writer = await startTestService({
      ...{ database: { url }, now: Date.now, clients: v.parse(deployedClients, [client]) },
      ...optionsOf('passkeys'),
      confirmationEnrolmentHours: 0,
    });
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
        ...{ UNLIMITED_NETWORKS: '127.0.0.1', CLIENT_CALLS_PER_MINUTE: '1000000' },
      }),
    );
    try {
      await Promise.all(processes.map(({ until }) => until('"event":"listening"')));
      /** `null` without a response. */
      const send = async (
        port: number,
        path: string,
        body: object | null,
        headers: object,
      ): Promise<Answer | null> => {
        try {
          const response = await fetch(`http://127.0.0.1:${port}/auth/v1/${path}`, {
            method: body === null ? 'GET' : 'POST',
            headers: { 'Content-Type': 'application/json', Host: new URL(issuer).host, ...headers },
            ...(body === null ? {} : { body: JSON.stringify(body) }),
          });
          return { status: response.status, body: (await response.json()) as Answer['body'] };
        } catch {
          return null;
        }
      };
      const [one = 0, other = 0] = ports;
      /** Repeats what has no effect twice on the other process. */
      const repeatable = async (path: string, body: object | null, headers: object): Promise<Answer> => {
        const answer = (await send(one, path, body, headers)) ?? (await send(other, path, body, headers));
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
          ...basic,
          'Idempotency-Key': `${uid} ${index}`,
        });
        const id = String(asked.body['id']);
        const own = { Authorization: `Bearer ${bearer}` };
        const options = await repeatable(`confirmations/${id}/passkey/options`, {}, own);
        const { challengeToken, publicKey } = options.body as unknown as PasskeyRequestOptions;
        const body = { challengeToken, credential: device.get(key, publicKey) };
        const answers = await Promise.all([
          send(one, `confirmations/${id}/passkey`, body, own),
          send(other, `confirmations/${id}/passkey`, body, own),
          ...(index % 4 === 0 ? [send(other, `confirmations/${id}/decline`, {}, own)] : []),
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
          if (index === all.length / 2) void processes[0]?.end('SIGKILL');
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
        const found = await send(other, `confirmations/${id}/receipt`, null, basic);
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

      const listed = (await vestibule(environmentOf(url), ['confirmations', 'list'])).stdout
        .trim()
        .split('\n');
      const evidence = listed.filter((line) => line.includes('"state":"confirmed"'));
      const ended = users * each - (states.get('open') ?? 0);
      expect([listed.length, evidence.length]).toEqual([ended, states.get('confirmed')]);
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-')), 'evidence');
      const verify = async (lines: readonly string[]) => {
        writeFileSync(file, lines.join('\n'));
        return await vestibule({}, ['confirmations', 'verify', file]);
      };
      const verified = await verify(listed);
      expect([verified.status, verified.stdout.match(/"valid":true/g)?.length]).toEqual([0, ended]);

      // What the killed process was sending is sent again after a minute, perhaps for the second time.
      const toldOf = () => {
        const told = new Map<string, Set<unknown>>();
        for (const { jti = '', ...claims } of listener.tokens.map((token) => decodeJwt(token)))
          told.set(jti, (told.get(jti) ?? new Set()).add(claims['state']));
        return told;
      };
      while (toldOf().size < ended) await pause(500);
      for (const line of listed) {
        const { id, state } = JSON.parse(line) as { id: string; state: string };
        expect([id, ...(toldOf().get(id) ?? [])]).toEqual([id, state]);
      }
      const [first = ''] = evidence;
      const { kid } = (JSON.parse(first) as { receiptKey: { kid: string } }).receiptKey;
      expect(verified.stdout).toContain(`"key":"${kid}`);
      const bare = await verify([first.replace(/"receipt":"[^"]*"/, '"receipt":null'), 'null']);
      expect([bare.status, bare.stdout.match(/"valid":false/g)?.length]).toEqual([1, 2]);
      const changed = await verify([first.replace('Northwind', 'Northwlnd')]);
      expect([changed.status, changed.stdout]).toEqual([1, expect.stringContaining('of another payment')]);
      expect(text(await writer.signIn({ username: 'user-1@example.com' }), 'token')).toBeDefined();
    } finally {
      await Promise.all(processes.map(({ end }) => end('SIGKILL')));
      await listener.stop();
    }
  },
);

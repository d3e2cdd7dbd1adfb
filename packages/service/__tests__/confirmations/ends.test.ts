import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultOf, type Evidence } from '../../src/confirmations/evidence.ts';
import type { AuditRow } from '../../src/core/database/tables.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { aString } from '../support/matchers.ts';
import { addKey } from '../support/passkeyAuthenticator.ts';
import { createPostListener } from '../support/postListener.ts';
import { newDatabase } from '../support/postgres.ts';
import { phone, sms } from '../support/secondStep.ts';
import { ada, describeService, issuer, startTestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';
import { withClients, payment, paymentCalls } from './payments.ts';

const ends = ['confirmed', 'declined', 'failed', 'expired'] as const;
type End = (typeof ends)[number];

describe('the end of a payment', () => {
  const listener = createPostListener('event');
  let service: Awaited<ReturnType<typeof startTestService>>;
  let other: typeof service;
  let calls: ReturnType<typeof paymentCalls>;
  let [bearer, uid] = ['', ''];

  beforeAll(async () => {
    const database = { url: await newDatabase() };
    const options = withClients({ id: 'ledger', confirmationUri: await listener.start() }, { id: 'silent' });
    service = await startTestService({ database, ...options });
    // Two processes of one deployment.
    other = await startTestService({ database, ...options });
    calls = paymentCalls(service);
    ({ bearer, uid } = await service.signedIn({ mfa: sms }));
  });
  afterAll(async () => {
    await Promise.all([service.close(), other.close()]);
    await listener.stop();
  });
  beforeEach(() => {
    listener.respond(200);
    listener.tokens.length = 0;
  });

  const endAs: Readonly<Record<End, (id: string) => Promise<unknown>>> = {
    confirmed: (id) => calls.confirmByText(bearer, id),
    declined: (id) => calls.call(bearer, id, 'decline'),
    failed: (id) => calls.fail(bearer, id),
    expired: () => {
      service.passSeconds(301);
      other.passSeconds(301);
      return Promise.resolve();
    },
  };
  const pending = () => service.directory.messages.pending();

  it.each(ends)('is posted to the application once, signed, also if nobody reads it: %s', async (state) => {
    const id = await calls.ask(uid);
    const expiresAt = Math.floor(service.now() / 1000) + 300;
    await endAs[state](id);
    // An expired one is noticed within five seconds.
    await listener.until(1, 15_000);
    const keys = createLocalJWKSet(
      (await service.get('/.well-known/jwks.json')).body as unknown as JSONWebKeySet,
    );
    const claims = { issuer, audience: 'ledger', typ: 'confirmation-event+jwt' };
    const { payload } = await jwtVerify(listener.tokens[0] ?? '', keys, claims);
    expect(payload).toEqual({
      ...{ iss: issuer, aud: 'ledger', sub: uid, jti: id, ...payment, application: 'Ledger', state },
      iat: state === 'expired' ? expiresAt : Math.floor(service.now() / 1000),
    });
    await calls.receiptOf(id);
    await other.get(`/auth/v1/confirmations/${id}`, { bearer });
    while ((await pending()).length > 0) await new Promise(setImmediate);
    expect(listener.tokens).toHaveLength(1);
  });

  it.each([500, 400])('is posted again until the application accepts it: %i', async (status) => {
    listener.respond(status);
    const id = await calls.ask(uid);
    await calls.call(bearer, id, 'decline');
    while (!(await pending()).some(({ lastError }) => lastError !== null)) await new Promise(setImmediate);
    const waiting = {
      channel: 'confirmation-event',
      state: 'waiting',
      uid: null,
      lastError: `http-${status}`,
    };
    expect(await pending()).toEqual([expect.objectContaining(waiting)]);
    listener.respond(200);
    service.passSeconds(60);
    await listener.until(1, 15_000);
    expect(decodeJwt(listener.tokens[0] ?? '')).toMatchObject({ jti: id, state: 'declined' });
  });

  it('is posted to nobody for a client without an address', async () => {
    await calls.call(bearer, await calls.ask(uid, {}, 'silent'), 'decline');
    expect(await pending()).toEqual([]);
  });
});

describeService(
  'a payment that has ended',
  (service) => {
    const calls = paymentCalls(service);
    const { ask, call, confirmByText, fail, receiptOf } = calls;
    const evidence = () => service.directory.confirmations.list();
    const auditLog = async () => {
      const entries: AuditRow[] = [];
      for await (const entry of service.directory.auditLog.read())
        if (entry.event.startsWith('payment-')) entries.push(entry);
      return entries;
    };
    /** One payment of each end, a second after another. */
    const endAll = async (bearer: string, uid: string): Promise<Readonly<Record<End, string>>> => {
      const ids = { confirmed: '', declined: '', failed: '', expired: '' };
      for (const end of ends) {
        ids[end] = await ask(uid);
        service.passSeconds(1);
      }
      await confirmByText(bearer, ids.confirmed);
      await call(bearer, ids.declined, 'decline');
      await fail(bearer, ids.failed);
      service.passSeconds(300);
      await receiptOf(ids.expired);
      return ids;
    };

    it('is kept as evidence in which every change shows', async () => {
      const { bearer, uid } = await service.signedIn({ mfa: sms });
      const ids = await endAll(bearer, uid);
      await ask(uid);
      const kept = await service.directory.confirmations.list(ada);
      expect(kept.map(({ id, state }) => [id, state])).toEqual(ends.map((end) => [ids[end], end]));
      const [confirmed, declined] = kept as [Evidence, Evidence];
      for (const one of kept) {
        expect(await faultOf(one)).toBeNull();
        // As a line of JSON.
        expect(await faultOf(JSON.parse(JSON.stringify(one)) as Evidence)).toBeNull();
        expect(await faultOf({ ...one, details: one.details.replace('149.90', '149.91') })).toBe(
          'the receipt is of another payment',
        );
        for (const change of [
          { id: 'other' },
          { application: 'Legder' },
          { decidedAt: new Date(one.decidedAt.getTime() + 1) },
        ])
          expect(await faultOf({ ...one, ...change })).toBe(
            'the receipt shows another application, state or time',
          );
      }
      expect(await faultOf({ ...declined, receipt: confirmed.receipt })).toBe('it shows two ends');
      expect(await faultOf({ ...confirmed, event: declined.event })).toBe('it shows two ends');
      const proof = { nonce: '', rpId: '', credentialId: '', publicKey: '' };
      const forged = { ...proof, clientDataJSON: '', authenticatorData: '', signature: '' };
      for (const one of kept)
        expect(await faultOf({ ...one, proof: forged })).toBe('no passkey has confirmed it');
      expect(await faultOf({ ...declined, state: 'failed' })).toBe(
        'the receipt shows another application, state or time',
      );
      for (const state of ['declined', 'open'])
        expect(await faultOf({ ...confirmed, state })).toBe('it is not signed');
      expect(await faultOf({ ...declined, state: 'confirmed' })).toBe('it is not signed');
      expect(await faultOf({ ...declined, state: 'confirmed', receipt: declined.event })).toBe(
        'the signature of the receipt is wrong',
      );
      expect(await faultOf({ ...confirmed, state: 'declined', event: confirmed.receipt })).toBe(
        'the signature of the receipt is wrong',
      );
    });

    it('stands in the audit log with everything but the payment', async () => {
      const { bearer, uid } = await service.signedIn({ mfa: sms });
      const { sid } = decodeJwt(bearer);
      const ids = await endAll(bearer, uid);
      const entries = await auditLog();
      const own = (end: End) =>
        entries
          .filter(({ details }) => details?.['confirmation'] === ids[end])
          .map(({ event, outcome, method, reason, details, uid: whose, network }) => {
            expect([whose, network]).toEqual([uid, '127.0.0.1']);
            const { confirmation: _id, client, session, lastFour } = details ?? {};
            expect([client, session ?? sid]).toEqual(['ledger', sid]);
            const said = [event, outcome, method, reason, lastFour, session === undefined ? null : 'session'];
            return said.filter((one) => typeof one === 'string').join(' ');
          });
      const four = phone.slice(-4);
      const asked = 'payment-asked success';
      expect(own('confirmed')).toEqual([
        asked,
        `payment-sent success text ${four} session`,
        `payment-confirmed success text ${four} session`,
      ]);
      expect(own('declined')).toEqual([asked, 'payment-declined success session']);
      expect(own('failed')).toEqual([
        asked,
        ...Array<string>(4).fill('payment-confirmed failure text code_wrong session'),
        'payment-failed success text session',
        'payment-confirmed failure text code_wrong session',
        'payment-method-blocked success text session',
      ]);
      expect(own('expired')).toEqual([asked, 'payment-expired success']);
      const logged = service.log.entries().filter(({ event }) => event === 'audit');
      expect(JSON.stringify(logged)).toContain(ids.confirmed);
      for (const hidden of ['149.90', 'EUR', 'Northwind', 'DE02', 'Invoice', phone])
        for (const text of [JSON.stringify(entries), JSON.stringify(logged)])
          expect(text).not.toContain(hidden);
    });

    itWith('sessions')("is in 'Recent activity' with application, amount and payee", async () => {
      const { bearer, uid } = await service.signedIn({ mfa: sms });
      await endAll(bearer, uid);
      const { events } = (await service.get('/auth/v1/activity', { bearer })).body as {
        readonly events: readonly { readonly kind: string; readonly payment?: object }[];
      };
      const { amount, payee } = payment;
      const shown = { payment: { application: { name: 'Ledger' }, amount, payee } };
      const ofPayments = events.filter(({ kind }) => kind.startsWith('payment-'));
      expect(ofPayments).toMatchObject([
        { kind: 'payment-declined', ...shown },
        { kind: 'payment-confirmed', ...shown },
      ]);
      expect(events.filter((one) => 'payment' in one)).toHaveLength(2);
    });

    itWith('notices')('without success is told by a mail that names it', async () => {
      const { bearer, uid } = await service.signedIn({ mfa: sms });
      while (service.outbox.unreadMails().length > 0) await service.outbox.nextMail();
      await fail(bearer, await ask(uid, { payee: { name: 'Müller <b> & Söhne' } }));
      const { subject, text, html } = await service.outbox.nextMail();
      expect(subject).toBe('A payment was not confirmed');
      expect(text).toContain('\n\nPayment: €149.90 to Müller <b> & Söhne, requested by Ledger.\n\n');
      expect(html).toContain('<p>Payment: €149.90 to Müller &lt;b&gt; &amp; Söhne, requested by Ledger.</p>');
    });

    itWith('passkeys')('is evidence that outlives the account, and no longer leads to it', async () => {
      const { bearer, uid } = await service.signedIn();
      const key = await addKey(service, calls.device, bearer);
      const id = await ask(uid);
      await calls.confirmByPasskey(bearer, id, key);
      service.passSeconds(1);
      const open = await ask(uid);
      const before = await evidence();
      expect(await service.directory.accounts.remove(ada)).toEqual({ confirmations: 2 });
      const after = await evidence();
      expect(after).toEqual([...before, expect.objectContaining({ id: open, state: 'failed' })]);
      for (const one of after) expect(await faultOf(one)).toBeNull();
      const erasure = [];
      for await (const { event, uid: pseudonym } of service.directory.auditLog.read())
        if (event === 'account-erased' || event === 'payment-failed') erasure.push(pseudonym ?? '');
      const [pseudonym = '', same] = erasure;
      expect([pseudonym, same]).toEqual([expect.stringMatching(/^erased-/), pseudonym]);
      expect(await service.directory.confirmations.list(pseudonym)).toEqual(after);
      // Another account with the same uid.
      await service.write({ uid });
      expect(await service.directory.confirmations.list(ada)).toEqual([]);
      expect((await receiptOf(id)).state).toBe('confirmed');
    });

    it('is removed with the account where an administrator says so', async () => {
      const { bearer, uid } = await service.signedIn({ mfa: sms });
      await endAll(bearer, uid);
      const before = (await evidence()).length;
      expect(await service.directory.accounts.remove(ada, { withEvidence: true })).toEqual({
        confirmations: 4,
      });
      expect(await evidence()).toHaveLength(before - 4);
    });
  },
  { ...optionsOf('passkeys', 'notices'), ...withClients({ id: 'ledger' }) },
);

it('evidence of an erased account is removed when its time is over', async () => {
  const database = { url: await newDatabase() };
  const options = withClients({ id: 'ledger' });
  await using service = await startTestService({ database, ...options });
  const { ask, call } = paymentCalls(service);
  const { bearer, uid } = await service.signedIn();
  await call(bearer, await ask(uid), 'decline');
  await service.directory.accounts.remove(ada);
  expect(await service.directory.confirmations.list()).toHaveLength(1);
  const later = service.now() + 10 * 86_400_000 + 1;
  await using _housekeeping = await startTestService({
    ...{ database, ...options, confirmationDays: 10, now: () => later },
  });
  while ((await service.directory.confirmations.list()).length > 0) await new Promise(setImmediate);
});

it('the commands say how much evidence an erased account leaves, and verify it', async () => {
  const url = await newDatabase();
  await using service = await startTestService({
    database: { url },
    now: Date.now,
    ...withClients({ id: 'ledger' }),
  });
  const { ask, call } = paymentCalls(service);
  const run = (...args: readonly string[]) => vestibule(environmentOf(url), args);
  const declineAs = async (username: string) => {
    const { bearer, uid } = await service.signedIn({ username, email: username });
    const id = await ask(uid);
    await call(bearer, id, 'decline');
    return id;
  };
  const [kept] = [await declineAs('kept@example.com'), await declineAs('gone@example.com')];
  expect(
    (await run('audit', 'list', '--user', 'kept@example.com', '--event', 'payment-asked')).stdout,
  ).toContain(`"details":{"client":"ledger","confirmation":"${kept}"}`);
  expect(await run('accounts', 'erase', 'kept@example.com')).toMatchObject({
    stdout: '{"erased":"kept@example.com","evidence":{"confirmations":1}}\n',
    stderr: expect.stringContaining('Kept as evidence, without --with-evidence: confirmations: 1.') as string,
  });
  expect(await run('accounts', 'erase', 'gone@example.com', '--with-evidence')).toMatchObject({
    stderr: expect.stringContaining('Removed as well: confirmations: 1.') as string,
  });
  const listed = (await run('confirmations', 'list')).stdout;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-')), 'evidence');
  const verify = async (lines: string) => {
    writeFileSync(file, lines);
    const { status, stdout } = await run('confirmations', 'verify', file);
    return [status, JSON.parse(stdout)] as const;
  };
  expect(await verify(listed)).toEqual([0, { id: kept, valid: true, state: 'declined', key: aString }]);
  for (const [shown, other] of [
    ['"application":"Ledger"', '"application":"Legder"'],
    ['"state":"declined"', '"state":"expired"'],
    ['"decidedAt":"2', '"decidedAt":"1'],
  ] as const)
    expect(await verify(listed.replace(shown, other))).toEqual([
      1,
      { id: kept, valid: false, fault: 'the receipt shows another application, state or time' },
    ]);
});

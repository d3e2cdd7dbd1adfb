import type { Tables } from '../src/core/database/tables.ts';
import { connect } from '../src/platform/database/connect.ts';
import { passwordKey } from '../src/core/limits/attemptKeys.ts';
import { createAttempts } from '../src/core/limits/attempts.ts';
import { defaultLockout } from '../src/core/settings/options.ts';
import { newDatabase } from './support/postgres.ts';
import { app } from './support/secondStep.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { wrongAppCode } from './support/authenticator.ts';
import {
  ada,
  at,
  describeService,
  loginOrigin,
  type TestService,
  type TestResponse,
  text,
} from './support/testService.ts';

const wrong = { password: 'wrong' };
const [home, abroad, elsewhere] = ['198.51.100.1', '198.51.100.2', '203.0.113.9'];
const day = 86_400;

describeService(
  'password guessing',
  (service) => {
    beforeEach(async () => {
      await service.write();
      // Each code of an app is valid once.
      service.passSeconds(60);
    });

    const from = (address: string, ...credentials: Parameters<TestService['signIn']>) =>
      at(service, address).signIn(...credentials);
    const statusFrom = async (...asked: Parameters<typeof from>) => (await from(...asked)).status;
    const addressOf = (number: number): string => `203.0.113.${number}`;
    const validate = (bearer: string, password: string, address = home): Promise<TestResponse> =>
      at(service, address).post('/auth/v1/validate-password', { password }, { bearer });
    const fail = async (address: string, times: number): Promise<TestResponse> => {
      let last = await from(address, wrong);
      for (let done = 1; done < times; done += 1) last = await from(address, wrong);
      return last;
    };
    const waitOf = (response: TestResponse): number => Number(response.headers.get('retry-after'));

    describe('from one address', () => {
      it('locks only that address, however often', async () => {
        const { bearer } = await service.signedIn();
        const trustedJWT = await service.directory.accounts.trustDevice(ada);
        for (let quarter = 0; quarter < 8; quarter += 1) {
          expect((await fail(elsewhere, 5)).status).toBe(429);
          expect(await statusFrom(elsewhere)).toBe(429);
          // A network that the service does not know.
          expect(await statusFrom(`198.51.100.${quarter}`)).toBe(200);
          expect(await statusFrom(elsewhere, { trustedJWT })).toBe(200);
          expect((await validate(bearer, 'Correct-horse7', elsewhere)).status).toBe(200);
          service.passSeconds(900);
        }
        await service.outbox.nextMail();
      });

      it('locks longer each time, and for a day after 20 attempts', async () => {
        const waits = [];
        for (let round = 0; round < 4; round += 1) {
          const wait = waitOf(await fail(elsewhere, 5));
          waits.push(wait);
          service.passSeconds(wait);
        }
        expect(waits).toEqual([900, 1800, 3600, day - 6300]);
        expect(waitOf(await fail(elsewhere, 5))).toBe(900 * 16);
        await service.outbox.nextMail();
      });

      it('starts over after a day without failures, and after a success', async () => {
        await fail(elsewhere, 5);
        service.passSeconds(900 + day);
        expect(waitOf(await fail(elsewhere, 5))).toBe(900);
        service.passSeconds(900);
        expect(await statusFrom(elsewhere)).toBe(200);
        expect(waitOf(await fail(elsewhere, 5))).toBe(900);
      });

      it('keeps its count when the owner signs in from elsewhere', async () => {
        await fail(elsewhere, 4);
        expect(await statusFrom(home)).toBe(200);
        expect(await statusFrom(elsewhere, wrong)).toBe(429);
      });

      it('counts an IPv6 /48 network as one address', async () => {
        const responses = [];
        for (let host = 1; host <= 5; host += 1)
          responses.push(await statusFrom(`2001:db8:0:${host}::1`, wrong));
        expect(responses).toEqual([401, 401, 401, 401, 429]);
        expect(await statusFrom('2001:db8:1::1')).toBe(200);
      });

      it('gets the same answers and delays for an unknown username', async () => {
        const outcomes = async (username: string): Promise<unknown> => {
          const responses = [];
          for (let round = 0; round < 30; round += 1) {
            const { status, body, headers } = await from(elsewhere, { username, ...wrong });
            responses.push([status, body, headers.get('retry-after')]);
            service.passSeconds(300);
          }
          return responses;
        };
        expect(await outcomes('unknown@example.com')).toEqual(await outcomes(ada));
      });
    });

    describe('from many addresses', () => {
      /** Three wrong passwords from each of ten addresses. @returns how many were checked and rejected. */
      const attack = async (username = ada): Promise<number> => {
        const statuses = [];
        for (let number = 1; number <= 10; number += 1) {
          for (let tries = 0; tries < 3; tries += 1) {
            statuses.push(await statusFrom(addressOf(number), { username, ...wrong }));
          }
        }
        return statuses.filter((status) => status === 401).length;
      };

      it('gets 24 attempts a day, and the owner is notified', async () => {
        expect(await attack()).toBe(23);
        expect(await attack()).toBe(0);
        const mail = await service.outbox.nextMail();
        expect(mail).toMatchObject({ to: ada, subject: 'Wrong passwords for your account' });
        expect(linkIn(mail).url).toBe(`${loginOrigin}/forgot-password`);
        expect(waitOf(await from(abroad))).toBeLessThanOrEqual(day);
        service.passSeconds(day);
        expect(await statusFrom(abroad)).toBe(200);
        expect(await attack()).toBe(23);
        await service.outbox.nextMail();
      });

      it('gets no more attempts in a concurrent burst', async () => {
        const burst = Array.from({ length: 30 }, (_, number) => statusFrom(addressOf(number), wrong));
        expect((await Promise.all(burst)).filter((status) => status === 401)).toHaveLength(23);
        await service.outbox.nextMail();
      });

      it('does not lock out the owner on a recently used network, a trusted device, or in a live session', async () => {
        await from(home);
        const trustedJWT = await service.directory.accounts.trustDevice(ada);
        service.passSeconds(29 * day);
        const later = text(await from(home), 'token');
        await attack();
        expect(await statusFrom(abroad)).toBe(429);
        expect(await statusFrom(home)).toBe(200);
        expect(await statusFrom(abroad, { trustedJWT })).toBe(200);
        expect((await validate(later, 'Correct-horse7', abroad)).status).toBe(200);
        await service.outbox.nextMail();
        service.passSeconds(31 * day);
        await attack();
        expect(await statusFrom(home)).toBe(429);
        await service.outbox.nextMail();
      });

      it('leaves the owner the password reset, and sends one mail a day', async () => {
        await attack();
        await service.outbox.nextMail();
        await at(service, abroad).forgot(ada);
        await service.reset(linkIn(await service.outbox.nextMail()).id);
        await service.outbox.nextMail();
        expect(await statusFrom(abroad, { password: 'New-secret8' })).toBe(200);
        expect(await attack()).toBe(23);
        expect(await statusFrom(home, { password: 'New-secret8' })).toBe(429);
        expect(await statusFrom(abroad, { password: 'New-secret8' })).toBe(200);
        expect(service.outbox.unreadMails()).toEqual([]);
      });

      it('gains nothing from networks known with an earlier password', async () => {
        for (const address of [home, abroad, elsewhere]) await statusFrom(address);
        await service.write({ password: 'New-secret8' });
        await attack();
        await service.outbox.nextMail();
        for (const address of [home, abroad, elsewhere]) {
          expect(await statusFrom(address, { password: 'New-secret8' })).toBe(429);
        }
      });

      it('is counted, without a mail, for an unknown username', async () => {
        expect(await attack('unknown@example.com')).toBe(23);
        expect(await statusFrom(abroad, { username: 'unknown@example.com' })).toBe(429);
        expect(service.outbox.unreadMails()).toEqual([]);
      });

      it('is not counted for right passwords', async () => {
        for (let number = 1; number <= 27; number += 1) {
          expect(await statusFrom(addressOf(number))).toBe(200);
        }
        expect(await statusFrom(abroad)).toBe(200);
      });
    });

    describe('from a known source', () => {
      it('gets 20 attempts a day per known network, device and session, and notifies the owner', async () => {
        const bearer = text(await from(home), 'token');
        const trustedJWT = await service.directory.accounts.trustDevice(ada);
        for (const guess of [
          () => from(home, wrong),
          () => from(abroad, { ...wrong, trustedJWT }),
          () => validate(bearer, 'wrong'),
        ]) {
          const checked = [];
          for (let tries = 0; tries < 25; tries += 1) {
            const response = await guess();
            if (response.status === 401) checked.push(response);
            // Four at a time, to stay below the temporary lock.
            if (tries % 4 === 3) service.passSeconds(900);
          }
          expect(checked).toHaveLength(19);
        }
        expect((await service.outbox.nextMail()).subject).toBe('Wrong passwords for your account');
        expect(service.outbox.unreadMails()).toEqual([]);
      });

      it('in a stolen session does not lock out the owner', async () => {
        const { bearer } = await service.signedIn();
        const stolen = text(await from(elsewhere), 'token');
        for (let tries = 0; tries < 5; tries += 1) await validate(stolen, 'wrong', elsewhere);
        expect((await validate(stolen, 'Correct-horse7')).status).toBe(429);
        expect((await validate(bearer, 'Correct-horse7')).status).toBe(200);
        expect(await statusFrom(home)).toBe(200);
      });

      it('does not count as a device with another user’s, a revoked or an invented token', async () => {
        await service.write({ username: 'bob@example.com' });
        const [bobs, made] = [await service.directory.accounts.trustDevice('bob@example.com'), 'a.b.c'];
        const revoked = await service.directory.accounts.trustDevice(ada);
        await service.write();
        const statuses = [];
        for (const trustedJWT of [bobs, made, revoked, bobs, made, revoked]) {
          statuses.push(await statusFrom(elsewhere, { ...wrong, trustedJWT }));
        }
        expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      });
    });

    describe('with second-step codes by an attacker who knows the password', () => {
      beforeEach(async () => {
        await service.write({ mfa: app });
      });

      /** Four codes from each of ten addresses. @returns how many were checked and rejected. */
      const attack = async (): Promise<number> => {
        const statuses = [];
        for (let number = 1; number <= 10; number += 1) {
          const there = at(service, addressOf(number));
          const challenge = (await there.signIn()).body['authVerificationToken'];
          if (typeof challenge !== 'string') continue;
          const code = await wrongAppCode(app.secret, service.now());
          for (let tries = 0; tries < 4; tries += 1) {
            statuses.push((await there.enterCode(challenge, code)).status);
          }
        }
        return statuses.filter((status) => status === 401).length;
      };
      const signInAt = async (address: string): Promise<number> => {
        const there = at(service, address);
        return (await there.enterCode(await there.challenge(), await service.codeOfApp())).status;
      };

      it('gets 20 attempts a day from all addresses, and the owner is notified', async () => {
        expect(await attack()).toBe(19);
        expect(await statusFrom(abroad)).toBe(429);
        expect(await service.outbox.nextMail()).toMatchObject({
          to: ada,
          subject: 'Wrong codes for your account',
        });
        service.passSeconds(day - 1);
        expect(await attack()).toBe(0);
        service.passSeconds(1);
        expect(await attack()).toBe(19);
        await service.outbox.nextMail();
      });

      it('does not lock out the owner on a recently used network or a trusted device', async () => {
        expect(await signInAt(home)).toBe(200);
        const trustedJWT = await service.directory.accounts.trustDevice(ada);
        service.passSeconds(60);
        await attack();
        expect(await signInAt(home)).toBe(200);
        expect((await from(abroad, { trustedJWT })).body).toHaveProperty('refresh');
        await service.outbox.nextMail();
      });

      it('gets no new attempts through a password reset', async () => {
        await attack();
        await service.outbox.nextMail();
        const { id } = await service.directory.links.reset(ada);
        await service.reset(id);
        await service.outbox.nextMail();
        expect(await statusFrom(abroad, { password: 'New-secret8' })).toBe(429);
      });
    });
  },
  { trustedProxies: ['127.0.0.1'], accessTokenSeconds: day, lockout: { passwordsPerDay: 24 } },
);

it('costs a network none of its tries while the last tries of the account are being checked elsewhere', async () => {
  const { db, close } = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  const attempts = createAttempts(db, { ...defaultLockout, passwordsPerDay: 1 }, Date.now);
  const reserveAt = (address: string) => attempts.reserve(passwordKey(ada, null, ['network', address]));
  const last = await reserveAt(abroad);
  if (!last.allowed) throw new Error('The first attempt was refused.');
  for (let tries = 0; tries < defaultLockout.attempts; tries += 1) {
    expect((await reserveAt(home)).allowed).toBe(false);
  }
  await attempts.release(last);
  expect((await reserveAt(home)).allowed).toBe(true);
  await close();
});

it('does not lock out a user who enters the right password while wrong ones from the same network are still being checked', async () => {
  const { db, close } = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  const attempts = createAttempts(db, defaultLockout, Date.now);
  const key = passwordKey(ada, null, ['network', home]);
  const reserve = async () => {
    const reserved = await attempts.reserve(key);
    if (!reserved.allowed) throw new Error('The attempt was refused.');
    return reserved;
  };
  const right = await reserve();
  const checked = [];
  while (checked.length < defaultLockout.attempts - 1) checked.push(await reserve());
  await attempts.succeeded(key, right);
  for (const one of checked)
    expect(await attempts.failed(one, () => Promise.resolve())).toMatchObject({ retryAfterSeconds: null });
  expect(await attempts.lockedFor(key)).toBeNull();
  await close();
});

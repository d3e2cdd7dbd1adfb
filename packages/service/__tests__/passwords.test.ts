import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { createPasswords } from '../src/platform/security/passwords.ts';
import { account, ada, describeService, text } from './support/testService.ts';
import { sms } from './support/secondStep.ts';

describe('checking a password', () => {
  const passwords = createPasswords({ memoryKib: 16_384, passes: 3, atOnce: 1 });
  const word = 'Zürich-Tor7';
  let stored: string;
  beforeAll(async () => {
    stored = await passwords.hash(word);
  });

  type Check = Parameters<typeof passwords.matches>;
  /** Processor time of a check that fails, µs. */
  const workFor = async (...check: Check): Promise<number> => {
    const begin = process.cpuUsage();
    expect(await passwords.matches(...check)).toBeNull();
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };
  /** Compares the least work of ten checks, in turn: whatever else the machine does only adds to it. */
  const ratioOf = async (check: Check, other: Check): Promise<number> => {
    let [least, leastOther] = [Infinity, Infinity];
    for (let count = 0; count < 10; count += 1) {
      least = Math.min(least, await workFor(...check));
      leastOther = Math.min(leastOther, await workFor(...other));
    }
    return least / leastOther;
  };

  it.each<[string, string, standIn: () => string | null]>([
    ['', 'Wrong-horse7', () => null],
    [', as two forms,', 'Wröng-horse7'.normalize('NFD'), () => null],
    [', as two forms of which one matches the stand-in,', word.normalize('NFD'), () => stored],
  ])(
    'a password%s takes the same work for an unknown user as for a known one',
    async (_how, entered, standIn) => {
      const wrong = `${entered}8`;
      const ratio = await ratioOf([null, entered, standIn()], [stored, wrong]);
      expect(ratio).toBeGreaterThan(0.6);
      expect(ratio).toBeLessThan(1.6);
    },
  );

  it('takes twice the work only if the password is not typed in the composed form', async () => {
    const [typed, form] = ['Wröng-horse7'.normalize('NFD'), 'Wröng-horse7'.normalize('NFC')];
    expect(await ratioOf([stored, typed], [stored, form])).toBeGreaterThan(1.6);
    expect(await ratioOf([stored, form], [stored, 'Wrong-horse7'])).toBeLessThan(1.6);
  });
});

describeService('a password with a letter that some systems type as two characters', (service) => {
  const [composed, decomposed] = ['Zürich-Tor7'.normalize('NFC'), 'Zürich-Tor7'.normalize('NFD')];
  const next = 'Bücher-Tor8';
  const signsInWith = async (password: string): Promise<number> =>
    (await service.signIn({ password })).status;
  /** Imports an account whose hash another system, or an earlier release, has made. */
  const imported = (passwordHash: string) => {
    const { password: _, mfa: __, ...rest } = account();
    return service.directory.accounts.import([{ ...rest, mfa: null, identities: {}, passwordHash }]);
  };
  const events = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { event } of service.directory.auditLog.read()) found.push(event);
    return found;
  };

  describe.each([
    ['composed', 'decomposed', composed, decomposed],
    ['decomposed', 'composed', decomposed, composed],
  ])('set in the %s form', (_form, other, set, entered) => {
    const nextAs = (form: string) => next.normalize(form === set ? 'NFD' : 'NFC');

    it(`signs in, verifies the identity and turns the second step off in the ${other} form`, async () => {
      await service.write({ password: set });
      expect(await signsInWith(entered)).toBe(200);
      const bearer = text(await service.signIn({ password: entered }), 'token');
      await service.write({ password: set, mfa: sms });
      const verified = await service.post('/auth/v1/validate-password', { password: entered }, { bearer });
      const { status } = await service.disable(bearer, text(verified, 'authVerificationToken'), entered);
      expect(status).toBe(200);
    });

    it(`is changed, reset and activated with the confirmation in the ${other} form`, async () => {
      const [password, confirm] = [nextAs(set), nextAs(entered)];
      await service.write({ password: set });
      const bearer = text(await service.signIn({ password: set }), 'token');
      const changed = await service.post(
        '/password-reset/v1/password-reset-manual',
        { newPassword: password, confirmPassword: confirm, oldPassword: entered, username: ada },
        { bearer },
      );
      expect([changed.status, await signsInWith(confirm)]).toEqual([200, 200]);

      const { id } = await service.directory.links.reset(ada);
      expect((await service.reset(id, { password: set, confirm: entered })).status).toBe(200);
      expect(await signsInWith(entered)).toBe(200);

      await service.write({ password: null });
      const { id: invitation } = await service.directory.links.inviteUser(ada);
      expect((await service.activate(invitation, { password, confirm })).status).toBe(200);
      expect(await signsInWith(confirm)).toBe(200);
    });

    it(`is kept, with its sessions, when an administrator writes it in the ${other} form`, async () => {
      await service.write({ password: set });
      const refresh = text(await service.signIn({ password: set }), 'refresh');
      await service.write({ password: entered });
      expect((await service.refresh(refresh)).status).toBe(200);
    });
  });

  it.each<[string, (password: string) => Promise<string>]>([
    ['this service', (password) => argon2(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 })],
    ['another system', (password) => bcrypt(password, 4)],
  ])('signs in as typed with a hash of that which %s made, and then in both forms', async (_by, hashed) => {
    await imported(await hashed(decomposed));
    expect(await signsInWith(composed)).toBe(401);
    expect(await signsInWith(decomposed)).toBe(200);
    expect(await signsInWith(composed)).toBe(200);
    expect((await events()).filter((event) => event === 'password-rehashed')).toHaveLength(1);
  });

  it('signs in typed as two characters with a hash of the composed form that another system made', async () => {
    await imported(await bcrypt(composed, 4));
    expect(await signsInWith(decomposed)).toBe(200);
  });

  it('is not hashed again at a sign-in in the other form', async () => {
    await service.write({ password: composed });
    await signsInWith(decomposed);
    expect(await events()).not.toContain('password-rehashed');
  });

  it('counts one failure for each wrong entry', async () => {
    await service.write({ password: composed });
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1) statuses.push(await signsInWith(`${decomposed}8`));
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });
});

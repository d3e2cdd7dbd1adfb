import * as v from 'valibot';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

const session = [cookieName.session, cookieName.refresh];
/** The challenge's token of the second call; a successful sign-in proves that the service issued it. */
const verificationIn = (bodies: readonly unknown[]): string =>
  v.parse(v.object({ authVerificationToken: v.string() }), bodies[1]).authVerificationToken;
/** `exp` of a token, in seconds. */
const expiryOf = (token: string): number =>
  v.parse(
    v.object({ exp: v.number() }),
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
  ).exp;

test.describe('The calls of the second step, key by key', () => {
  test(
    'after a password and with a text message, with a trusted device until its token expires',
    { tag: '@long' },
    async ({ context, environment, login, codes, ledger, cookies, atChallenge }) => {
      await atChallenge(users.textMessage);
      await codes.resendButton.click();
      await expect(codes.sentLine).toBeVisible();
      await codes.trustDevice.check();
      const mfaCode = await textedCode(environment, '+12025550143', 2);
      await codes.type(mfaCode);
      // The user may still tick ‘Trust this device’ when the code is complete, so it is not submitted automatically.
      expect(await environment.calls(tokenCall)).toHaveLength(2);
      await codes.submitButton.click();
      await ledger.expectSignedIn('Tess');

      const bodies = await environment.bodies(tokenCall);
      const authVerificationToken = verificationIn(bodies);
      const one = { username: users.textMessage, method: 'basic' };
      expect(bodies).toEqual([
        { ...one, password },
        { ...one, authVerificationToken },
        { ...one, authVerificationToken, mfaCode, trust: true },
      ]);
      const trust = await cookies.find(cookieName.trust(users.textMessage));
      const trustedJWT = decodeURIComponent(trust?.value ?? '');
      expect(trust?.expires).toBeCloseTo(expiryOf(trustedJWT), 0);

      await Promise.all(session.map((name) => context.clearCookies({ name })));
      await login.open();
      await login.signInAs(users.textMessage, password);
      await ledger.expectSignedIn('Tess');
      expect((await environment.bodies(tokenCall)).slice(3)).toEqual([{ ...one, password, trustedJWT }]);
      expect(await cookies.read(cookieName.trust(users.textMessage))).toBe(trustedJWT);
    },
  );
});

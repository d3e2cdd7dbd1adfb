import { randomUUID } from 'node:crypto';
import type { ContractChecker } from '../responseValidation.ts';
import type { Operation } from '../document.ts';
import { expectError, expectShape, Fault, type Check, type ReceivedResponse, type Send } from './checks.ts';

interface SignedInAccount {
  readonly password: string;
  readonly bearer: () => string;
  readonly bearerElsewhere: () => Promise<string>;
}

/** A code that is not valid here, because no text message is sent and no app is enrolled. */
const unsentCode = '000000';

/**
 * Checks of identity verification and of the enrolment calls. They send no text message and change no factor; the
 * enrolment of an app is started and expires.
 *
 * @param account `bearer` is the token of its session, `bearerElsewhere` opens another one.
 */
export function secondStepChecks(
  call: (id: string) => Operation,
  checker: ContractChecker,
  send: Send,
  { password, bearer: signedIn, bearerElsewhere }: SignedInAccount,
): readonly Check[] {
  const validate = call('validatePassword');
  const app = call('addAuthenticator');
  const phone = call('addSmsPhone');
  const setup = call('validateMfaSetup');
  const disable = call('disableMfa');
  const info = call('getAuthyInfo');
  const token = call('createToken');
  const unknown = `conformance-${randomUUID()}`;
  const refuse = (operation: Operation, rule: string, body: unknown): Check => ({
    call: operation.id,
    rule: `${rule} is refused with a 4xx error`,
    run: async () => {
      expectError(checker, operation, await send(operation, { body, bearer: signedIn() }), 400, 499);
    },
  });
  const done = (operation: Operation, response: ReceivedResponse): Readonly<Record<string, unknown>> => {
    expectShape(checker, operation, response);
    if (response.status !== 200) throw new Fault(`status ${response.status} instead of 200`);
    return Object.fromEntries(Object.entries(response.body ?? {}));
  };
  const verify = async (bearer: string): Promise<unknown> =>
    done(validate, await send(validate, { body: { password }, bearer }))['authVerificationToken'];
  const newPhone = { phone: '+12025550143', countryCode: 'US', register: true };

  return [
    refuse(validate, 'a wrong password', { password: `not ${password}` }),
    {
      call: app.id,
      rule: 'with the identity verified it gives a secret, and verifies no code that the app did not show',
      run: async () => {
        const bearer = signedIn();
        const authVerificationToken = await verify(bearer);
        const { code, url } = done(app, await send(app, { body: { authVerificationToken }, bearer }));
        if (!String(url).includes(String(code))) throw new Fault('the url does not hold the code');
        const entered = { mfaCode: unsentCode, mfaRegistering: 'mfa', authVerificationToken };
        expectError(checker, setup, await send(setup, { body: entered, bearer }), 400, 499);
      },
    },
    {
      call: validate.id,
      rule: 'a verification opens nothing in another session',
      run: async () => {
        const authVerificationToken = await verify(signedIn());
        const bearer = await bearerElsewhere();
        const response = await send(app, { body: { authVerificationToken }, bearer });
        expectError(checker, app, response, 401, 401);
      },
    },
    refuse(app, 'a session without a verified identity', {}),
    refuse(phone, 'a session without a verified identity', newPhone),
    refuse(setup, 'a session without a verified identity', {
      mfaCode: unsentCode,
      mfaRegistering: 'authy',
    }),
    refuse(disable, 'the password without a verified identity', { password }),
    refuse(disable, 'a verification that was made up', { password, authVerificationToken: unknown }),
    {
      call: info.id,
      rule: 'an account without text messages gets 404',
      run: async () => {
        expectError(checker, info, await send(info, { bearer: signedIn() }), 404, 404);
      },
    },
    ...(['mfaCode', 'resend'] as const).map((form): Check => ({
      call: token.id,
      rule: `${form}: a challenge that was made up is refused with 401`,
      run: async () => {
        const body = {
          username: `${unknown}@example.invalid`,
          method: 'basic',
          authVerificationToken: unknown,
          ...(form === 'mfaCode' ? { mfaCode: unsentCode } : {}),
        };
        expectError(checker, token, await send(token, { body }), 401, 401);
      },
    })),
  ];
}

/** @jest-environment node */
import { enrolmentMethodChosen } from '@features/mfa';
import { wayRequested } from '@shared/slots';
import { passkeys } from '../../support/builders';
import { expectLockedOut, openSigned } from '../../support/lockedOut';
import { lockout } from '../auth/challenge/openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('too many failed attempts with a passkey at verify identity end the session', async () => {
  const app = await openSigned(({ api }) => api.passkeys.verify.mockRejectedValue(lockout), {
    config: { extensions: ['passkeys'], passkeys: { rpId: 'login.payments.example' } },
  });
  await app.send(enrolmentMethodChosen({ method: 'text' }));
  app.deps.authenticator.gives({ kind: 'given', credential: passkeys.assertion });
  await app.send(wayRequested('passkeys'));
  await expectLockedOut(app);
});

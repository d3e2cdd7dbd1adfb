/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { recoveryCodesRequested } from '@features/recovery-codes/recoveryCodes.slice';
import { expectLockedOut, openSigned, sendAll } from '../../support/lockedOut';
import { lockout } from '../auth/challenge/openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('too many failed attempts to get recovery codes end the session', async () => {
  const arrange = ({ api }: Parameters<Parameters<typeof openSigned>[0] & object>[0]) => {
    api.recovery.count.mockResolvedValue(0);
    api.recovery.make.mockRejectedValue(lockout);
  };
  const app = await openSigned(arrange, { config: { extensions: ['recovery-codes'] } });
  await sendAll(app, recoveryCodesRequested(), identityPasswordSubmitted('Corr3ct-horse'));
  await expectLockedOut(app);
});

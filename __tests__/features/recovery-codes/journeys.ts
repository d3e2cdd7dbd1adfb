import { codeKindSwitched, codeSubmitted } from '@features/auth/challenge/challenge.slice';
import {
  recoveryCodesHidden,
  recoveryCodesRequested,
  recoveryCodesTaken,
} from '@features/recovery-codes/recoveryCodes.slice';
import { byPassword, open, session, signIn, wrongCode, type Journey } from '../../dev/devtools/journeys';
import { secrets } from '../../dev/devtools/markedSecrets';
import { answers } from '../../support/builders';
import type { FakeBrowser, FakeDeps } from '../../support/fakeDeps';

function openWithCodes(browser: FakeBrowser, signedIn?: 'password'): FakeDeps {
  const path = signedIn ? '/account-settings' : '/login';
  const deps = open({ path, config: { extensions: ['recovery-codes'] } }, signedIn, browser);
  const { count, make, use } = deps.api.recovery;
  count.mockResolvedValue(2);
  make.mockResolvedValue([secrets.recoveryCode]);
  use.mockResolvedValue(session);
  return deps;
}

export const journeys: Readonly<Record<string, Journey>> = {
  'new recovery codes': {
    open: (browser) => openWithCodes(browser, 'password'),
    run: async (drive) => {
      await drive.act(recoveryCodesRequested());
      await drive.confirm();
      await byPassword(drive);
      for (const how of ['copy', 'download', 'print'] as const) await drive.act(recoveryCodesTaken(how));
      await drive.act(recoveryCodesHidden());
    },
    end: '/account-settings',
  },
  'a recovery code at the second step': {
    open: (browser) => openWithCodes(browser),
    run: async (drive) => {
      await signIn(drive, answers.appChallenge({ authVerificationToken: secrets.challengeToken }));
      await drive.act(codeKindSwitched('recovery-codes'));
      drive.deps.api.recovery.use.mockRejectedValueOnce(wrongCode);
      await drive.act(codeSubmitted({ code: secrets.wrongCode, trust: false }));
      await drive.confirm();
      await drive.pass(2000);
      await drive.act(codeSubmitted({ code: secrets.recoveryCode, trust: true }));
    },
    end: '/account-settings',
  },
};

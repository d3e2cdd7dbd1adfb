import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import {
  nameSubmitted,
  proofNeeded,
  removalRequested,
  renamingToggled,
} from '@features/passkeys/passkeys.slice';
import { logoutRequested } from '@features/session';
import { wayRequested } from '@shared/slots';
import { enterUsername, open, session, signIn, type Journey } from '../../dev/devtools/journeys';
import { secrets } from '../../dev/devtools/markedSecrets';
import { answers, passkeys } from '../../support/builders';
import type { FakeDeps } from '../../support/fakeDeps';

const config = { extensions: ['passkeys'], passkeys: { rpId: 'login.payments.example' } };

/** In a browser that lists passkeys in fields. */
function openWithPasskeys(): FakeDeps {
  const deps = open({ path: '/account-settings', config }, 'password');
  const calls = deps.api.passkeys;
  deps.authenticator.capabilities.add('conditionalGet');
  const challenge = { challengeToken: secrets.passkeyChallenge };
  for (const call of [calls.signInOptions, calls.verifyOptions])
    call.mockResolvedValue({ ...passkeys.options, ...challenge });
  calls.addOptions.mockResolvedValue({ ...passkeys.creationOptions, ...challenge });
  calls.add.mockResolvedValue(passkeys.entry);
  calls.list.mockResolvedValue({ userId: 'handle', passkeys: [passkeys.entry] });
  for (const call of [calls.rename, calls.remove]) call.mockResolvedValue(undefined);
  calls.verify.mockResolvedValue({ authVerificationToken: secrets.verificationToken });
  calls.signIn.mockResolvedValue(session);
  return deps;
}

export const journeys: Readonly<Record<string, Journey>> = {
  passkeys: {
    open: () => openWithPasskeys(),
    run: async (drive) => {
      const { act, confirm, deps } = drive;
      const credentialId = passkeys.entry.id;
      const signature = secrets.passkeySignature;
      const given = { ...passkeys.assertion, response: { ...passkeys.assertion.response, signature } };
      deps.authenticator.gives({ kind: 'given', credential: passkeys.made }, { kind: 'cancelled' });
      await act(proofNeeded({ kind: 'add' }));
      await act(identityPasswordSubmitted(secrets.password));
      await act(renamingToggled(credentialId));
      await act(nameSubmitted({ credentialId, name: 'Laptop' }));
      await act(removalRequested(credentialId));
      await confirm();
      await act(wayRequested('passkeys'));
      deps.authenticator.gives({ kind: 'given', credential: given });
      await act(wayRequested('passkeys'));
      await act(logoutRequested());
      await enterUsername(drive);
      deps.authenticator.gives({ kind: 'failed' }, { kind: 'given', credential: given });
      await act(wayRequested('passkeys'));
      await confirm();
      await act(wayRequested('passkeys'));
    },
    end: '/account-settings',
  },
  'a passkey that is offered after a password and a code': {
    open: () => {
      const deps = open({ config });
      deps.authenticator.capabilities.add('conditionalCreate');
      const { addOptions, add } = deps.api.passkeys;
      addOptions.mockResolvedValue({
        ...passkeys.creationOptions,
        challengeToken: secrets.passkeyChallenge,
      });
      add.mockResolvedValue(passkeys.entry);
      return deps;
    },
    run: async (drive) => {
      const { act, deps } = drive;
      await signIn(drive, answers.appChallenge({ authVerificationToken: secrets.challengeToken }));
      const offering = { ...session, passkeyOffer: secrets.passkeyOffer };
      deps.api.auth.token.mockResolvedValueOnce(offering);
      deps.authenticator.gives({ kind: 'given', credential: passkeys.made });
      await act(codeSubmitted({ code: secrets.code, trust: false }));
    },
    end: '/account-settings',
  },
};

import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import {
  nameSubmitted,
  proofNeeded,
  removalRequested,
  renamingToggled,
} from '@features/passkeys/passkeys.slice';
import { logoutRequested } from '@features/session';
import { wayRequested } from '@shared/slots';
import { enterUsername, open, session, type Journey } from '../../dev/devtools/journeys';
import { secrets } from '../../dev/devtools/markedSecrets';
import { passkeys } from '../../support/builders';
import type { FakeDeps } from '../../support/fakeDeps';

/** In a browser that lists passkeys in fields. */
function openWithPasskeys(): FakeDeps {
  const config = { extensions: ['passkeys'], passkeys: { rpId: 'login.payments.example' } };
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
};

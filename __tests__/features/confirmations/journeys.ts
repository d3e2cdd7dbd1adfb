import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { identityRequested } from '@features/confirmations/confirmations.slice';
import {
  codeSubmitted,
  newCodeRequested,
  passkeyRequested,
  permissionRequested,
  textRequested,
} from '@features/confirmations/proof.slice';
import { open, type Journey } from '../../dev/devtools/journeys';
import { secrets } from '../../dev/devtools/markedSecrets';
import { passkeys } from '../../support/builders';
import type { FakeBrowser, FakeDeps } from '../../support/fakeDeps';
import { confirmation, here, link, refusal } from './openConfirmation';

function openPayment(browser: FakeBrowser): FakeDeps {
  const deps = open(link, 'password', browser);
  const { confirmations } = deps.api;
  confirmations.confirmation.mockResolvedValue({ ...confirmation, returnUrl: null });
  confirmations.passkeyOptions.mockResolvedValue({
    challengeToken: secrets.challengeToken,
    publicKey: { ...passkeys.options.publicKey, challenge: secrets.passkeyChallenge },
  });
  confirmations.byPasskey.mockResolvedValue('confirmed');
  confirmations.sendText.mockResolvedValue({ lastFourPhone: '0143' });
  confirmations.byCode.mockRejectedValueOnce(refusal(401, 'code_wrong')).mockResolvedValue('confirmed');
  deps.authenticator.capabilities.add('get');
  return deps;
}

export const journeys: Readonly<Record<string, Journey>> = {
  'a payment that is confirmed with a passkey': {
    open: openPayment,
    run: async ({ act, deps }) => {
      const { response } = passkeys.assertion;
      const credential = {
        ...passkeys.assertion,
        response: { ...response, signature: secrets.passkeySignature },
      };
      deps.authenticator.gives({ kind: 'cancelled' }, { kind: 'given', credential });
      await act(passkeyRequested());
      await act(passkeyRequested());
    },
    end: here,
  },
  'a payment that is confirmed by text message': {
    open: openPayment,
    run: async ({ act, confirm, pass }) => {
      await act(textRequested());
      await act(codeSubmitted(secrets.wrongCode));
      await confirm();
      await pass(1500);
      await act(newCodeRequested());
      await pass(6000);
      await act(codeSubmitted(secrets.code));
    },
    end: here,
  },
  'a payment that needs a recent proof of identity': {
    open: (browser) => {
      const deps = openPayment(browser);
      const { confirmations } = deps.api;
      confirmations.confirmation.mockResolvedValueOnce({
        ...confirmation,
        returnUrl: null,
        needsIdentity: true,
      });
      confirmations.proveIdentity.mockResolvedValue('open');
      return deps;
    },
    run: async ({ act }) => {
      await act(identityRequested({ by: 'text' }));
      await act(identityPasswordSubmitted(secrets.password));
    },
    end: here,
  },
  'a passkey that is permitted to confirm payments by text message': {
    open: (browser) => {
      const deps = open({ ...link, path: '/account-settings' }, 'password', browser);
      const { confirmations } = deps.api;
      const confirmsFrom = confirmation.expiresAt;
      confirmations.elements.mockResolvedValue({
        elements: [{ method: 'passkey', id: 'p1', name: 'Laptop', confirmsFrom, needsSignIn: true }],
        methods: ['text'],
      });
      confirmations.sendPermissionCode.mockResolvedValue({ lastFourPhone: '0143' });
      confirmations.permitByCode.mockResolvedValue(undefined);
      return deps;
    },
    run: async ({ act }) => {
      await act(permissionRequested({ credentialId: 'p1', methods: { passkey: false, text: true } }));
      await act(codeSubmitted(secrets.code));
    },
    end: '/account-settings',
  },
};

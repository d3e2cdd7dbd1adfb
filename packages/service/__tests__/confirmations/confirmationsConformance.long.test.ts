import { serveForConformance } from '../support/conformance.ts';
import { loginOrigin } from '../support/testService.ts';

const { brokenWith } = serveForConformance();

it('the conformance suite detects a service that has every confirmation', async () => {
  const confirmation = {
    application: { name: 'A' },
    amount: { value: '1.00', currency: 'EUR' },
    payee: { name: 'B' },
    ...{ reference: null, state: 'open', methods: [], waiting: [], blockedUntil: null, needsIdentity: false },
    ...{ lastFourPhone: null, returnUrl: null },
    expiresAt: '2026-01-01T00:00:00.000Z',
  };
  const broken = await brokenWith(({ url = '' }) => {
    if (!url.startsWith('/auth/v1/confirmations/')) return undefined;
    return url.endsWith('/receipt') ? { state: 'open', receipt: null } : confirmation;
  }, 'confirmations');
  expect(broken.filter((rule) => !/4xx error|without a bearer/.test(rule))).toEqual([
    ...['getConfirmation', 'startConfirmationByPasskey', 'textConfirmationCode', 'confirmByCode'].map(
      (call) => `${call}: an unknown confirmation is refused with 404`,
    ),
    'declineConfirmation: an unknown confirmation is refused with 404',
    'proveIdentityForConfirmation: an unknown confirmation is refused with 404',
    'getConfirmationReceipt: a session is no client',
    // It declines a payment of its own, which is then no payment here.
    'askForConfirmation: the key of a payment leads to it, in the state that it has by then',
  ]);
});

it('the conformance suite detects a service that asks for every payment', async () => {
  const made = {
    id: 'c',
    url: `${loginOrigin}/confirm/c`,
    expiresAt: '2026-01-01T00:00:00.000Z',
    state: 'open',
  };
  const broken = await brokenWith(
    ({ url }) => (url === '/auth/v1/confirmations' ? made : undefined),
    'confirmations',
  );
  expect(broken.filter((rule) => !/4xx error|unknown username/.test(rule))).toEqual([
    'askForConfirmation: a session is no client',
    ...[
      ['a fraction of yen', 'amount.value'],
      ['a currency that nobody pays with', 'amount.currency'],
      ['a name that reverses what follows', 'payee.name'],
      ['a name of 71 characters', 'payee.name'],
      ['an unknown field', 'note'],
      ['an address of no host that is listed', 'returnUrl'],
    ].map(([what, field]) => `askForConfirmation: ${what} is refused with 400, which names ${field}`),
    'askForConfirmation: the key of a payment leads to it, in the state that it has by then',
  ]);
});

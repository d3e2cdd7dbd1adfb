import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

it('the conformance suite detects a service that has every confirmation', async () => {
  const confirmation = {
    application: { name: 'A' },
    amount: { value: '1.00', currency: 'EUR' },
    payee: { name: 'B' },
    ...{ reference: null, state: 'open', methods: [], lastFourPhone: null, returnUrl: null },
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
    'getConfirmationReceipt: a session is no client',
  ]);
});

import type { Confirmation } from '@features/confirmations/confirmations.calls';
import { selectPayment } from '@features/confirmations/confirmations.slice';
import { selectProof } from '@features/confirmations/proof.slice';
import { ApiError } from '@shared/api/apiError';
import { act, screen } from '@testing-library/react';
import { accessToken, hosts, passkeys } from '../../support/builders';
import { fakeBrowser, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put } from '../../support/sessionCookies';

/** The start of the clock. */
export const now = 1_800_000_000_000;
export const here = '/confirm/c-1';
export const link: TabOptions = { path: here, config: { extensions: ['confirmations'] } };

/** A payment that is open for five minutes. */
export const confirmation: Confirmation = {
  payment: {
    application: { name: 'Ledger' },
    amount: { value: '149.90', currency: 'EUR' },
    payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
    reference: 'Invoice 2026-114',
  },
  state: 'open',
  methods: ['passkey', 'text'],
  waiting: [],
  blockedUntil: null,
  needsIdentity: false,
  returnUrl: `${hosts.ledger}payments/114`,
  expiresAt: new Date(now + 300_000).toISOString(),
};

export const refusal = (status: number, serverCode: string) => new ApiError('server', { status, serverCode });
export const closed = refusal(409, 'confirmation_closed');
export const unreached = 'We could not reach the service. Check your connection and try again.';

/** What the screen shows: how the user proves it while the payment is open, otherwise how it ended. */
export function phase(app: OpenApp): string {
  const { phase } = selectPayment(app.state());
  return phase === 'open' ? selectProof(app.state()).phase : phase;
}

/** Opens the page with a session, in a browser that supports passkeys, unless `arrange` takes them away. */
export async function openConfirmation(
  changes: Partial<Confirmation> = {},
  arrange: (deps: FakeDeps) => void = () => undefined,
  tab = link,
  browser = fakeBrowser(),
) {
  const deps = browser.tab(tab);
  put(deps, { token: accessToken({ username: 'ada', lifeSeconds: 86_400 }), refresh: 'r' });
  deps.authenticator.capabilities.add('get');
  const { confirmations } = deps.api;
  confirmations.confirmation.mockResolvedValue({ ...confirmation, ...changes });
  confirmations.passkeyOptions.mockResolvedValue(passkeys.options);
  confirmations.sendText.mockResolvedValue({ lastFourPhone: '0143' });
  arrange(deps);
  const app = openApp(deps);
  await settle();
  return { app, deps, confirmations };
}

/** Opens the page and renders it. */
export async function drawConfirmation(...options: Parameters<typeof openConfirmation>) {
  const opened = await openConfirmation(...options);
  await renderApp(opened.app);
  return opened;
}

/** Presses a button. */
export async function press(name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name }));
  await act(settle);
}

/** The labels of the buttons of the screen, without those of the header. */
export const buttons = (): readonly (string | null)[] =>
  screen
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter((name) => name !== 'Back' && name !== 'Logout');

import type { Page } from '@playwright/test';
import { sessionBearer } from '../support/bearers';
import type { LocalEnvironment } from '../support/environment';
import { FamilyCookies } from '../support/familyCookies';

/** The client of the local environment that has payments confirmed. */
const basic = `Basic ${Buffer.from('ledger:the-secret-of-ledger-in-the-local-environment').toString('base64')}`;

export const payment = {
  amount: { value: '1149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};

/** Asks for the confirmation of a payment of the user who is signed in. */
export async function ask(
  page: Page,
  environment: LocalEnvironment,
  changes: object = {},
): Promise<{ readonly id: string; readonly url: string }> {
  const { uid } = await sessionBearer(new FamilyCookies(page.context(), environment));
  const { body } = await environment.request('api', {
    method: 'POST',
    path: '/auth/v1/confirmations',
    headers: { authorization: basic },
    body: { uid, ...payment, ...changes },
  });
  return JSON.parse(body) as { id: string; url: string };
}

export async function receiptOf(
  environment: LocalEnvironment,
  id: string,
): Promise<{ state: string; receipt: string | null }> {
  const path = `/auth/v1/confirmations/${id}/receipt`;
  const { body } = await environment.request('api', {
    method: 'GET',
    path,
    headers: { authorization: basic },
  });
  return JSON.parse(body) as { state: string; receipt: string | null };
}

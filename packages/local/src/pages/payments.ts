import { isDeepStrictEqual } from 'node:util';
import { createVerifier, type Verifier } from '@vestibule/client/server';
import { ledger } from '../clients.ts';
import { originOf, requestUrl } from '../hosts.ts';
import { loopbackFetch } from '../http/loopbackFetch.ts';
import { sendJson, type HostHandler } from '../http/send.ts';

const payment = {
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};

/** The server of the ledger: it has a payment confirmed, and carries it out when its receipt says so. */
export function payments(
  port: number,
  verifier: Verifier,
): { readonly ask: HostHandler; readonly outcome: HostHandler } {
  const service = originOf('api', port);
  const fetch = loopbackFetch(port);
  const receipts = createVerifier({ issuer: service, audience: ledger.id, fetch });
  const credentials = Buffer.from(`${ledger.id}:${ledger.secret}`).toString('base64');
  const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' };
  return {
    ask: async (request, response) => {
      const user = await verifier.verify(request.headers.authorization);
      if (!user.ok) {
        sendJson(response, 401, { problem: user.reason });
        return;
      }
      const asked = { uid: user.claims.uid, ...payment, returnUrl: `${originOf('ledger', port)}/?paid` };
      const body = JSON.stringify(asked);
      const made = await fetch(`${service}/auth/v1/confirmations`, { method: 'POST', headers, body });
      sendJson(response, made.status, (await made.json()) as object);
    },
    outcome: async (request, response) => {
      const id = requestUrl(request).searchParams.get('id') ?? '';
      const path = `/auth/v1/confirmations/${encodeURIComponent(id)}/receipt`;
      const found = await fetch(service + path, { headers });
      const { state, receipt } = (await found.json()) as { state?: string; receipt?: string | null };
      const verified = await receipts.verifyConfirmation(receipt ?? '');
      // The receipt of another payment is valid too.
      const isPaid =
        verified.ok &&
        verified.confirmation.id === id &&
        isDeepStrictEqual(verified.confirmation.amount, payment.amount) &&
        isDeepStrictEqual(verified.confirmation.payee, payment.payee);
      sendJson(response, 200, {
        outcome: isPaid ? 'The payment was carried out.' : `Not paid: ${state ?? 'unknown'}`,
      });
    },
  };
}

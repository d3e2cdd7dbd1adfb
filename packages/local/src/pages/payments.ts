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

/** The server of the ledger: it has a payment confirmed (POST), and carries it out if the receipt proves that it was (GET, with the id). */
export function payments(port: number, verifier: Verifier): HostHandler {
  const service = `${originOf('api', port)}/auth/v1/confirmations`;
  const fetch = loopbackFetch(port);
  const receipts = createVerifier({ issuer: originOf('api', port), audience: ledger.id, fetch });
  const credentials = Buffer.from(`${ledger.id}:${ledger.secret}`).toString('base64');
  const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' };
  const asked = new Map<string, object>();

  return async (request, response) => {
    if (request.method === 'POST') {
      const user = await verifier.verify(request.headers.authorization);
      if (!user.ok) {
        sendJson(response, 401, { problem: user.reason });
        return;
      }
      const wanted = { uid: user.claims.uid, ...payment };
      const body = JSON.stringify({ ...wanted, returnUrl: `${originOf('ledger', port)}/?paid` });
      const created = await fetch(service, { method: 'POST', headers, body });
      const { id, url } = (await created.json()) as { id: string; url: string };
      asked.set(id, { id, ...wanted });
      sendJson(response, 200, { id, url });
      return;
    }
    const id = requestUrl(request).searchParams.get('id') ?? '';
    const found = await fetch(`${service}/${encodeURIComponent(id)}/receipt`, { headers });
    const { state = 'unknown', receipt } = (await found.json()) as { state?: string; receipt?: string };
    const verified = await receipts.verifyConfirmation(receipt ?? '');
    const { method: _method, iat: _time, ...paid } = verified.ok ? verified.confirmation : {};
    const isPaid = isDeepStrictEqual(paid, asked.get(id));
    sendJson(response, 200, { outcome: isPaid ? 'The payment was carried out.' : `Not paid: ${state}.` });
  };
}

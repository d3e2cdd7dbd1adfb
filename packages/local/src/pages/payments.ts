import { isDeepStrictEqual } from 'node:util';
import { createVerifier, type Confirmation, type Verifier } from '@vestibule/client/server';
import { ledger } from '../clients.ts';
import { originOf, requestUrl } from '../hosts.ts';
import { loopbackFetch } from '../http/loopbackFetch.ts';
import { readBody, sendJson, sendText, type HostHandler } from '../http/send.ts';

const payment = {
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};

/** The server of the ledger. */
interface Payments {
  /** Has a payment confirmed (POST), and carries it out if the receipt proves that it was (GET, with the id). */
  readonly pay: HostHandler;
  /** Takes the events about the ends of payments. */
  readonly hear: HostHandler;
}

export function payments(port: number, verifier: Verifier): Payments {
  const service = `${originOf('api', port)}/auth/v1/confirmations`;
  const fetch = loopbackFetch(port);
  const receipts = createVerifier({ issuer: originOf('api', port), audience: ledger.id, fetch });
  const credentials = Buffer.from(`${ledger.id}:${ledger.secret}`).toString('base64');
  const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' };
  const asked = new Map<string, object>();
  /** The states that events have brought. */
  const heard = new Map<string, string>();

  const pay: HostHandler = async (request, response) => {
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
    const isPaid = verified.ok && isDeepStrictEqual(paymentIn(verified.confirmation), asked.get(id));
    sendJson(response, 200, {
      outcome: isPaid ? 'The payment was carried out.' : `Not paid: ${state}.`,
      heard: heard.has(id) ? `The server was told: ${heard.get(id) ?? ''}.` : '',
    });
  };

  const hear: HostHandler = async (request, response) => {
    const form = new URLSearchParams((await readBody(request, 10_000)).toString());
    const event = await receipts.verifyConfirmation(form.get('event') ?? '');
    if (event.ok) heard.set(event.confirmation.id, event.confirmation.state);
    sendText(response, event.ok ? 200 : 400, event.ok ? 'Thank you.' : event.reason);
  };
  return { pay, hear };
}

/** What was confirmed; `null` for a payment that was not. */
const paymentIn = ({ state, id, uid, amount, payee, reference }: Confirmation): object | null =>
  state === 'confirmed' ? { id, uid, amount, payee, reference } : null;

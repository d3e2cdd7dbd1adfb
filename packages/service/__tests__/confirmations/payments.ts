import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import * as v from 'valibot';
import { deployedClients } from '../../src/core/clientFields.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { passkeyAuthenticator, type Key } from '../support/passkeyAuthenticator.ts';
import { loginOrigin, text, type TestResponse, type TestService } from '../support/testService.ts';

export const secret = 'secret-of-the-ledger-application-0123456789';
const secretHash = `sha256:${hashOfToken(secret)}`;

export const payment = {
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};

/** A client as the file of a deployment has it. */
export const clientFile = (client: object) => ({
  name: 'Ledger',
  secretHash,
  confirmations: true,
  ...client,
});

/** The clients of a test, each with what it names. */
export const clientsOf = (...clients: readonly object[]) => v.parse(deployedClients, clients.map(clientFile));

/** The options of a service with these clients, where new passkeys and phones confirm payments at once. */
export const withClients = (...clients: readonly object[]) => ({
  clients: clientsOf(...clients),
  confirmationEnrolmentHours: 0,
});

/** HTTP Basic of a client. */
export const basic = (id = 'ledger', password = secret) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
});

/** The status of a response with its error, its state, or `done`. */
export const outcome = ({ status, body }: TestResponse) => {
  const { error, state = 'done' } = body as { error?: { code?: string }; state?: string };
  return `${status} ${error?.code ?? state}`;
};

/** What a client and its users do with payments. */
export function paymentCalls(service: TestService) {
  const device = passkeyAuthenticator(loginOrigin);
  const call = (bearer: string, id: string, what: string, body: object = {}) =>
    service.post(`/auth/v1/confirmations/${id}/${what}`, body, { bearer });
  const optionsFor = async (bearer: string, id: string) =>
    (await call(bearer, id, 'passkey/options')).body as unknown as PasskeyRequestOptions;
  return {
    device,
    call,
    /** Begins a confirmation by passkey. */
    optionsFor,
    ask: async (uid: string, changes: object = {}, client?: string) =>
      text(
        await service.post(
          '/auth/v1/confirmations',
          { uid, ...payment, ...changes },
          { headers: basic(client) },
        ),
        'id',
      ),
    shown: async (bearer: string, id: string) =>
      (await service.get(`/auth/v1/confirmations/${id}`, { bearer })).body,
    receiptOf: async (id: string, client?: string) =>
      (await service.get(`/auth/v1/confirmations/${id}/receipt`, { headers: basic(client) })).body as {
        readonly state: string;
        readonly receipt: string | null;
      },
    /** Asks for a text message. @returns its code. */
    codeFor: async (bearer: string, id: string) => {
      await call(bearer, id, 'text');
      return service.outbox.newestCode();
    },
    confirmByText: async (bearer: string, id: string) => {
      await call(bearer, id, 'text');
      return outcome(await call(bearer, id, 'code', { code: service.outbox.newestCode() }));
    },
    confirmByPasskey: async (bearer: string, id: string, key: Key) => {
      const options = await call(bearer, id, 'passkey/options');
      if (options.status !== 200) return outcome(options);
      const { challengeToken, publicKey } = options.body as unknown as PasskeyRequestOptions;
      const credential = device.get(key, publicKey);
      return outcome(await call(bearer, id, 'passkey', { challengeToken, credential }));
    },
    fail: async (bearer: string, id: string) => {
      for (let failure = 0; failure < 5; failure += 1) await call(bearer, id, 'code', { code: 'x' });
    },
  };
}

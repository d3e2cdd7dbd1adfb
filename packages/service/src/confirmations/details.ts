import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalize } from 'json-canonicalize';
import type { ConfirmationRequest } from '@vestibule/contract/schema';

/** The payment as the user sees it, with all that a proof is bound to. */
export interface Details extends Pick<ConfirmationRequest, 'amount' | 'payee' | 'reference'> {
  /** Of the confirmation. */
  readonly id: string;
  readonly client: string;
  readonly uid: string;
}

/** The canonical JSON was made from `Details`. */
export const detailsOf = ({ details }: { readonly details: string }): Details =>
  JSON.parse(details) as Details;

export const canonicalDetails = (details: Details): string => canonicalize(details);

/** The challenge of a passkey: SHA-256 of the canonical details and of random bytes, base64url. @param nonce base64url. */
export const challengeOf = (canonical: string, nonce: string): string =>
  createHash('sha256').update(canonical, 'utf8').update(Buffer.from(nonce, 'base64url')).digest('base64url');

/** The types of the client data that a passkey may sign: in its own dialog, or in the browser's window for a payment. */
export const clientDataTypes = ['webauthn.get', 'payment.get'];

/** What browsers add to the client data of Secure Payment Confirmation, as an attacker may have written it. */
interface WindowData {
  readonly type: string;
  readonly origin: string;
  readonly topOrigin?: string;
  readonly payment?: {
    readonly rpId?: unknown;
    readonly topOrigin?: unknown;
    readonly payeeName?: unknown;
    readonly payeeOrigin?: unknown;
    readonly total?: unknown;
    readonly instrument?: { readonly displayName?: unknown; readonly details?: unknown } | null;
  } | null;
}

/**
 * Whether the browser's window, if there was one, showed this payment and nothing else.
 *
 * @param clientDataJSON base64url, of a response that is valid by itself.
 * @param application the name of the client, which the window shows as the instrument.
 */
export function isAsShown(
  clientDataJSON: string,
  { amount, payee }: Pick<Details, 'amount' | 'payee'>,
  application: string,
  rpId: string,
): boolean {
  const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as WindowData;
  if (data.type !== 'payment.get') return true;
  const { payment: shown, origin, topOrigin = origin } = data;
  return isDeepStrictEqual(
    {
      ...{ rpId: shown?.rpId, topOrigin: shown?.topOrigin, total: shown?.total },
      payee: [shown?.payeeName, shown?.payeeOrigin],
      instrument: [shown?.instrument?.displayName, shown?.instrument?.details],
    },
    { rpId, topOrigin, total: amount, payee: [payee.name, undefined], instrument: [application, undefined] },
  );
}

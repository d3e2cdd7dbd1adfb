import type { ConfirmationRequest } from '@vestibule/contract/schema';
import { permittedRedirect } from '@vestibule/contract/redirects';
import { requestRefused, type FieldFault } from '../platform/errors.ts';
import type { PaymentSettings } from './settings.ts';
import { digitsOf } from './currencies.ts';
import { faultOfName } from './names.ts';

/** The most digits of an amount. */
const mostDigits = 15;
/** The most characters of a name. The form NFC may have more than the contract has counted. */
const mostCharacters = 70;

type Settings = Pick<PaymentSettings, 'issuer' | 'links' | 'redirectHosts'>;

/**
 * Checks what the schema of the contract cannot express.
 *
 * @returns the request with its names in the form NFC, and its address as a browser reads it.
 * @throws ServiceError 400 `invalid_request`, with all faults.
 */
export function checkedRequest(request: ConfirmationRequest, settings: Settings): ConfirmationRequest {
  const faults: FieldFault[] = [];
  const check = (field: string, detail: string | null): void => {
    if (detail !== null) faults.push({ field, detail });
  };
  const { amount, payee, reference, returnUrl, ...others } = request;
  const [field, detail] = faultOfAmount(amount);
  check(field, detail);
  const name = (field: string, given: string): string => {
    const text = given.normalize('NFC');
    check(field, faultOfName(text) ?? faultOfLength(text));
    return text;
  };
  const checked = {
    ...others,
    amount,
    payee: {
      name: name('payee.name', payee.name),
      ...(payee.account === undefined ? {} : { account: name('payee.account', payee.account) }),
    },
    ...(reference === undefined ? {} : { reference: name('reference', reference) }),
    ...(returnUrl === undefined ? {} : { returnUrl: permittedAddress(returnUrl, settings, check) }),
  };
  if (faults.length > 0) throw requestRefused(400, faults);
  return checked;
}

function faultOfAmount({
  value,
  currency,
}: ConfirmationRequest['amount']): readonly [field: string, detail: string | null] {
  const digits = digitsOf(currency);
  if (digits === undefined) return ['amount.currency', 'is not a currency of ISO 4217 with which people pay'];
  const [whole = '', fraction = ''] = value.split('.');
  if (fraction.length !== digits)
    return ['amount.value', `must have ${digits} digits after the point in this currency`];
  if (whole.length + digits > mostDigits)
    return ['amount.value', `must not have more than ${mostDigits} digits`];
  return ['amount.value', /[1-9]/.test(value) ? null : 'must be greater than zero'];
}

const faultOfLength = (text: string): string | null =>
  Array.from(text).length > mostCharacters
    ? `must not have more than ${mostCharacters} characters in the form NFC`
    : null;

function permittedAddress(
  returnUrl: string,
  { issuer, links: { signOnUrl }, redirectHosts }: Settings,
  check: (field: string, detail: string) => void,
): string {
  const url = permittedRedirect(returnUrl, { signOnUrl, redirectHosts });
  if (url === null)
    check(
      'returnUrl',
      'is not an address that the page follows: it must be https, on a host that `redirectHosts` lists or on that of the page, without a user',
    );
  else if (isOfOpenId(url, issuer))
    check('returnUrl', 'is below `/oidc/`, where it would sign in to an application, or out of it');
  return url?.href ?? returnUrl;
}

/** The router of the service decodes paths. */
function isOfOpenId({ host, pathname }: URL, issuer: string): boolean {
  const decoded = pathname.replace(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return host === new URL(issuer).host && /\/oidc(?:\/|$)/i.test(decoded);
}

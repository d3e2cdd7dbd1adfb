import type { PasskeyOutcome, Passkeys } from '../ports';

/** Members that the types of TypeScript lack. */
type Payments = typeof PaymentRequest & {
  readonly securePaymentConfirmationAvailability?: () => Promise<string>;
  readonly getSecurePaymentConfirmationCapabilities?: unknown;
};

interface Browser {
  readonly PaymentRequest?: Payments;
}

const hasWindow = async (api: Payments | undefined): Promise<boolean> =>
  (await api?.securePaymentConfirmationAvailability?.()) === 'available';

/**
 * Makes a passkey that works in the window. Chromium accepts only passkeys of this device with user verification. In a frame nothing is
 * requested, because that would use up the user activation which the next request needs.
 *
 * @returns `null` if the browser has no such window, refuses, or the user declines
 */
export async function makePaymentKey(
  browser: Window,
  options: PublicKeyCredentialCreationOptions,
  signal: AbortSignal,
): Promise<Credential | null> {
  try {
    if (browser.parent !== browser || !(await hasWindow((browser as Browser).PaymentRequest))) return null;
    const payment = { isPayment: true };
    const publicKey = {
      ...options,
      authenticatorSelection: {
        ...options.authenticatorSelection,
        authenticatorAttachment: 'platform' as const,
      },
      extensions: { ...options.extensions, payment },
    };
    return await browser.navigator.credentials.create({ publicKey, signal });
  } catch {
    return null;
  }
}

type Request = Parameters<Passkeys['signPayment']>[0];
type Outcome<Made> = PasskeyOutcome<Made> | { readonly kind: 'refused' };

/** Implements `Passkeys.signPayment`, but rejects for a failure. */
export async function signPayment<Made>(browser: Window, request: Request): Promise<Outcome<Made>> {
  const { PaymentRequest: api } = browser as Browser;
  // Browsers before this function do not distinguish a cancelled window from one that no passkey can be used in.
  if (!api?.getSecurePaymentConfirmationCapabilities) return { kind: 'failed' };
  if (!(await hasWindow(api))) return { kind: 'failed' };
  const { payment, signal } = request;
  if (signal.aborted) return { kind: 'cancelled' };
  const total = { label: payment.payee.name, amount: payment.amount };
  const window = new api([methodOf(browser, request)], { total });
  // A browser that is asking for the passkey refuses it.
  signal.addEventListener('abort', () => void window.abort().catch(() => undefined));
  try {
    const response = await window.show();
    await response.complete('success').catch(() => undefined);
    const credential = response.details as { readonly toJSON: () => unknown };
    return { kind: 'given', credential: credential.toJSON() as Made };
  } catch (error) {
    const { name } = error as DOMException;
    if (name === 'AbortError') return { kind: 'cancelled' };
    if (name === 'NotAllowedError') return { kind: 'refused' };
    throw error;
  }
}

function methodOf(browser: Window, { publicKey, payment }: Request): PaymentMethodData {
  const { PublicKeyCredential: api } = browser as Window & typeof globalThis;
  const options = api.parseRequestOptionsFromJSON(publicKey as PublicKeyCredentialRequestOptionsJSON);
  const icon = browser.document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  return {
    supportedMethods: 'secure-payment-confirmation',
    data: {
      ...{ challenge: options.challenge, rpId: options.rpId, timeout: options.timeout },
      credentialIds: options.allowCredentials?.map(({ id }) => id),
      payeeName: payment.payee.name,
      instrument: {
        displayName: payment.application.name,
        // Required; browsers draw their own if it is no image.
        icon: icon ?? browser.location.href,
        iconMustBeShown: false,
      },
    },
  };
}

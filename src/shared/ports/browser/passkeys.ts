import { createChunk } from '../../chunk';
import type { PasskeyOutcome, Passkeys, PasskeySignals } from '../ports';

/** The JSON functions of WebAuthn Level 3, which browsers before 2025 lack, and members that the types of TypeScript lack. */
type Credentials = Partial<
  Pick<
    typeof PublicKeyCredential,
    'parseRequestOptionsFromJSON' | 'parseCreationOptionsFromJSON' | 'getClientCapabilities'
  > & { readonly [Name in keyof PasskeySignals]: (details: PasskeySignals[Name]) => Promise<void> }
>;

/** The request in progress. There is one for the page, because a browser makes one request at a time. */
let running: { readonly abort: () => void; readonly over: Promise<unknown> } | null = null;

const paymentWindow = createChunk(() => import(/* webpackChunkName: "extensions" */ './paymentWindow'));

/** Makes the port `Passkeys`. A browser without the JSON functions has no passkeys here. */
export function createPasskeys(browser: Window): Passkeys {
  const { PublicKeyCredential: api = {} } = browser as { readonly PublicKeyCredential?: Credentials };
  const { credentials } = browser.navigator;
  return {
    supports: async (capability) => {
      if (capability === 'get') return api.parseRequestOptionsFromJSON !== undefined;
      try {
        return (await api.getClientCapabilities?.())?.[capability] === true;
      } catch {
        return false;
      }
    },
    get: ({ publicKey, conditional, signal }) =>
      one(signal, async (aborted) => {
        const options = api.parseRequestOptionsFromJSON?.(publicKey as PublicKeyCredentialRequestOptionsJSON);
        if (!options) return null;
        return await credentials.get({
          publicKey: options,
          signal: aborted,
          ...(conditional && { mediation: 'conditional' }),
        });
      }),
    signPayment: async (request) => {
      try {
        return await (await paymentWindow.load()).signPayment(browser, request);
      } catch {
        return { kind: 'failed' };
      }
    },
    create: ({ publicKey, conditional, forPayments, signal }) =>
      one(signal, async (aborted) => {
        const options = api.parseCreationOptionsFromJSON?.(
          publicKey as PublicKeyCredentialCreationOptionsJSON,
        );
        if (!options) return null;
        const made = forPayments
          ? await paymentWindow.load().then(
              ({ makePaymentKey }) => makePaymentKey(browser, options, aborted),
              () => null,
            )
          : null;
        if (made) return made;
        return await credentials.create({
          publicKey: options,
          signal: aborted,
          // The types of TypeScript lack `mediation`.
          ...(conditional && { mediation: 'conditional' }),
        });
      }),
    signal: async (name, details) => {
      try {
        await (api[name] as ((given: object) => Promise<void>) | undefined)?.call(api, details);
      } catch {
        // The browser refused the signal, such as for a relying party of another site.
      }
    },
  };
}

const cancellations: readonly unknown[] = ['AbortError', 'NotAllowedError'];

async function one<Made>(
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Credential | null>,
): Promise<PasskeyOutcome<Made>> {
  const own = new AbortController();
  const before = running;
  const work = (async (): Promise<PasskeyOutcome<Made>> => {
    before?.abort();
    await before?.over;
    try {
      const both = AbortSignal.any([signal, own.signal]);
      if (both.aborted) return { kind: 'cancelled' };
      const credential = await ask(both);
      if (!credential || !('toJSON' in credential)) return { kind: 'failed' };
      return { kind: 'given', credential: (credential as PublicKeyCredential).toJSON() as Made };
    } catch (error) {
      const name = (error as { readonly name?: unknown } | null)?.name;
      return { kind: cancellations.includes(name) ? 'cancelled' : 'failed' };
    }
  })();
  running = { abort: () => own.abort(), over: work };
  return await work;
}

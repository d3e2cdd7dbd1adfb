import type { AppConfig } from '@vestibule/contract/appConfig';
import { find, Wrong, type Finding } from '../platform/doctor/findings.ts';
import { jsonOf, sendRequest, type Outside } from '../platform/doctor/webRequests.ts';
import { passkeyOrigins } from './settings.ts';

/** Checks the relying party, and the file that lets its other hosts use it. */
export async function passkeyFindings(
  outside: Outside,
  page: AppConfig,
  base: string,
): Promise<readonly Finding[]> {
  if (page.passkeys === undefined) return [];
  const { rpId } = page.passkeys;
  return [
    await find('passkeys', rpId, () => checkRelyingParty(outside, base, rpId)),
    // On the login host the file is one of the page.
    ...(rpId === new URL(page.signOnUrl).hostname
      ? []
      : [await find('passkeys', `https://${rpId}`, () => checkRelated(outside, rpId, passkeyOrigins(page)))]),
  ];
}

async function checkRelyingParty(outside: Outside, base: string, rpId: string): Promise<void> {
  const address = `${base}/auth/v1/passkeys/sign-in/options`;
  const { status, body } = await sendRequest(outside, address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { publicKey } = (jsonOf(body) ?? {}) as { readonly publicKey?: { readonly rpId?: unknown } };
  if (status !== 200 || publicKey?.rpId !== rpId)
    throw new Wrong(
      `${address} responds with ${status} and the relying party ${String(publicKey?.rpId)} instead of ${rpId}.`,
      'Restart the processes. Do not change passkeys.rpId: every passkey would be lost.',
    );
}

/** @param origins of the pages. Those on other hosts need the file on the host of the relying party. */
async function checkRelated(outside: Outside, rpId: string, origins: readonly string[]): Promise<void> {
  const others = origins.filter((origin) => !`.${new URL(origin).hostname}`.endsWith(`.${rpId}`));
  if (others.length === 0) return;
  const address = `https://${rpId}/.well-known/webauthn`;
  const { status, body } = await sendRequest(outside, address);
  const { origins: found } = (jsonOf(body) ?? {}) as { readonly origins?: unknown };
  const missing = others.filter((origin) => !Array.isArray(found) || !found.includes(origin));
  if (status !== 200 || missing.length > 0)
    throw new Wrong(
      `${address} responds with ${status} and does not name ${missing.join(' and ')}, where passkeys then do not work.`,
      'Serve there what the login host serves at this path.',
    );
}

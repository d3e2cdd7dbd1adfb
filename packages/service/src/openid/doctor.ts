import type { AppConfig } from '@vestibule/contract/appConfig';
import { find, Wrong, type Finding } from '../platform/doctor/findings.ts';
import { jsonOf, sendRequest, type Outside } from '../platform/doctor/webRequests.ts';

/** Checks that applications find the provider. @param base the address of the service. */
export async function openIdFindings(
  outside: Outside,
  { serviceUrl }: AppConfig,
  base: string,
): Promise<readonly Finding[]> {
  return [await find('openid', base, () => checkDiscovery(outside, base, new URL(serviceUrl).origin))];
}

async function checkDiscovery(outside: Outside, base: string, expected: string): Promise<void> {
  const address = `${base}/.well-known/openid-configuration`;
  const { status, body } = await sendRequest(outside, address);
  const { issuer } = (jsonOf(body) ?? {}) as { readonly issuer?: unknown };
  if (status !== 200 || issuer !== expected)
    throw new Wrong(
      `${address} responds with ${status} and the issuer ${String(issuer)} instead of ${expected}.`,
      'Restart the processes, and let the proxy pass on /.well-known/ and /oidc/.',
    );
}

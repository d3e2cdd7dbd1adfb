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
  const { issuer, id_token_signing_alg_values_supported: algorithms = [] } = (jsonOf(body) ?? {}) as {
    readonly issuer?: unknown;
    readonly id_token_signing_alg_values_supported?: readonly string[];
  };
  if (status !== 200 || issuer !== expected)
    throw new Wrong(
      `${address} responds with ${status} and the issuer ${String(issuer)} instead of ${expected}.`,
      'Restart the processes, and let the proxy pass on /.well-known/ and /oidc/.',
    );
  await checkAlgorithms(outside, base, algorithms);
}

/** Checks that clients can verify ID tokens of each algorithm that the provider says it has. */
async function checkAlgorithms(outside: Outside, base: string, algorithms: readonly string[]): Promise<void> {
  const address = `${base}/.well-known/jwks.json`;
  const { body } = await sendRequest(outside, address);
  const { keys = [] } = (jsonOf(body) ?? {}) as { readonly keys?: readonly { readonly alg?: unknown }[] };
  const missing = algorithms.filter((one) => !keys.some(({ alg }) => alg === one));
  if (missing.length > 0)
    throw new Wrong(
      `${address} has no key for ${missing.join(' and ')}, so that clients cannot verify their ID tokens.`,
      'Restart the processes: they make the keys at their start.',
    );
}

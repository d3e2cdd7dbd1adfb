import { createContractChecker } from '@vestibule/contract/responseValidation';
import { anonymousChecks } from '@vestibule/contract/conformance/anonymousChecks';
import { Fault, Skipped, type Send } from '@vestibule/contract/conformance/checks';
import { extensionChecks } from '@vestibule/contract/conformance/extensions';
import { operationsOf, readContract } from '@vestibule/contract/document';
import { capabilities } from '../../capabilities.ts';
import type { Deployment } from '../../deployment.ts';
import { jsonOf, sendRequest, type Outside } from '../../platform/doctor/webRequests.ts';
import { find, NotChecked, Wrong, type Finding } from '../../platform/doctor/findings.ts';

const strangers = ['https://doctor.example.invalid', 'null'];
const release =
  'Is this the service of this release, and does the log (journalctl -u vestibule) name a cause?';

/** Checks the service from outside, without changing anything. */
export async function serviceFindings(outside: Outside, deployment: Deployment): Promise<readonly Finding[]> {
  const { page, environment } = deployment;
  const base = page.serviceUrl.replace(/\/$/, '');
  const findings: Finding[] = [];
  const look = async (check: string, subject: string, work: () => Promise<void>): Promise<void> => {
    findings.push(await find(check, subject, work));
  };
  for (const origin of (environment['ALLOWED_ORIGINS'] ?? '').split(','))
    await look('CORS', origin, () => checkAllowed(outside, base, origin));
  for (const origin of strangers) await look('CORS', origin, () => checkStranger(outside, base, origin));
  await look('keys', `${base}/.well-known/jwks.json`, () => checkKeys(outside, base));
  await look('private addresses', base, async () => {
    for (const path of ['/metrics', '/health', '/live', '/ready']) {
      const { status } = await sendRequest(outside, base + path);
      if (status === 404) continue;
      throw new Wrong(
        `${base}${path} responds with ${status} instead of 404.`,
        'It must not be public: does the proxy in front keep the Host header?',
      );
    }
  });
  await look('headers', base, async () => {
    const { headers } = await sendRequest(outside, `${base}/.well-known/jwks.json`);
    if (headers['strict-transport-security'] === undefined)
      throw new Wrong(
        `${base} lacks the header Strict-Transport-Security.`,
        'Something in front of the process removes it.',
      );
  });
  const offered = capabilities.filter(({ name }) => page.extensions.includes(name));
  for (const { doctor } of offered) findings.push(...((await doctor?.service?.(outside, page, base)) ?? []));
  const send = senderTo(outside, base);
  const checker = createContractChecker();
  for (const operation of operationsOf(readContract())) {
    if (operation.extension !== null && !page.extensions.includes(operation.extension)) continue;
    for (const { call, rule, run, leavesTrace } of anonymousChecks(operation, checker, send)) {
      if (leavesTrace !== true) await look('contract', `${call}: ${rule}`, () => conform(call, rule, run));
    }
  }
  for (const { name, anonymous } of extensionChecks) {
    if (!page.extensions.includes(name)) continue;
    for (const { call, rule, run } of anonymous?.(operationsOf(readContract()), checker, send) ?? [])
      await look('contract', `${call}: ${rule}`, () => conform(call, rule, run));
  }
  return findings;
}

async function conform(call: string, rule: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Skipped) throw new NotChecked(`${call}: ${error.message}.`);
    if (error instanceof Fault)
      throw new Wrong(`The service breaks the contract at ${call} (${rule}): ${error.message}.`, release);
    throw error;
  }
}

function senderTo(outside: Outside, base: string): Send {
  return async ({ method, path }, { params = {}, body, rawBody, bearer }) => {
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await sendRequest(outside, base + filled, {
      method: method.toUpperCase(),
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
    return { status: response.status, headers, body: jsonOf(response.body) };
  };
}

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
});

async function checkAllowed(outside: Outside, base: string, origin: string): Promise<void> {
  const advice = 'Restart the processes: they read the file at their start.';
  const asked = await sendRequest(outside, `${base}/auth/v1/token`, preflight(origin));
  const called = await sendRequest(outside, `${base}/auth/v1/method/doctor`, { headers: { origin } });
  for (const { headers } of [asked, called]) {
    const found = headers['access-control-allow-origin'];
    if (found !== origin)
      throw new Wrong(
        `The service does not let the page on ${origin} call it: Access-Control-Allow-Origin is ${found ?? 'missing'}.`,
        advice,
      );
  }
  const names = (asked.headers['access-control-allow-headers'] ?? '').toLowerCase();
  for (const name of ['authorization', 'content-type']) {
    if (!names.includes(name))
      throw new Wrong(`The service does not let the page on ${origin} send the header ${name}.`, advice);
  }
}

async function checkStranger(outside: Outside, base: string, origin: string): Promise<void> {
  const asked = await sendRequest(outside, `${base}/auth/v1/token`, preflight(origin));
  const called = await sendRequest(outside, `${base}/auth/v1/method/doctor`, { headers: { origin } });
  for (const { headers } of [asked, called]) {
    const found = headers['access-control-allow-origin'];
    if (found === '*' || found === origin)
      throw new Wrong(
        `The service lets pages of strangers call it: Access-Control-Allow-Origin is ${found} for ${origin}.`,
        'Nothing in front of the process may add the header.',
      );
  }
}

type Key = Readonly<Record<string, unknown>>;
const isOfSession = ({ kty, crv }: Key): boolean => kty === 'EC' && crv === 'P-256';
/** Signs ID tokens of clients. */
const isOfClients = ({ kty, alg }: Key): boolean => kty === 'RSA' && alg === 'RS256';

async function checkKeys(outside: Outside, base: string): Promise<void> {
  const address = `${base}/.well-known/jwks.json`;
  const { status, body } = await sendRequest(outside, address);
  const keys = (jsonOf(body) as { readonly keys?: readonly Key[] } | undefined)?.keys;
  if (status !== 200 || !Array.isArray(keys) || keys.length === 0)
    throw new Wrong(
      `${address} responds with ${status} and has no key with which tokens can be verified.`,
      status === 503
        ? 'Compare the encryption keys of the machines: `/ready` of a process without a key of the others says `keys`.'
        : release,
    );
  for (const key of keys as readonly Key[]) {
    if ('d' in key)
      throw new Wrong(
        `${address} has a private key.`,
        'Remove it at once, and run `vestibule keys revoke KID` with its `kid`.',
      );
    if (typeof key['kid'] !== 'string' || (!isOfSession(key) && !isOfClients(key)))
      throw new Wrong(
        `${address} has a key that is not the service's (ES256 or RS256, with a kid).`,
        release,
      );
  }
  if (!(keys as readonly Key[]).some(isOfSession))
    throw new Wrong(`${address} has no key for ES256, which signs the tokens of sessions.`, release);
}

import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { returnPoint } from '@vestibule/contract/returnPoint';
import type { Deployment } from '../../deployment.ts';
import { expireCookiesPath, expiredCookies } from '@vestibule/contract/expiredCookies';
import { allowInline, appHeaders } from '@vestibule/contract/pageHeaders';
import { configIn, inlineParts } from '@vestibule/contract/page';
import { parseConfig } from '@vestibule/contract/pageConfig';
import { sendRequest, type Outside, type WebResponse } from '../../platform/doctor/webRequests.ts';
import { find, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { headerFacts } from '../../page/headerFacts.ts';
import { extensionFiles } from '../../slots.ts';

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const deploy = 'Restart the processes: they read the file and the page at their start.';
const inFront = `${deploy} If they are in place, something in front of them (a CDN, a proxy) changes the response.`;

/** One path of each kind of route: docs/behaviour.md#headers-of-the-host. */
const kinds = [
  '/login',
  returnPoint,
  '/unauthorized',
  '/reset-password/doctor',
  '/reset?hash=doctor',
  '/no/such/page',
];

/** Checks the page on one of its hosts. @param origin https */
export async function pageFindings(
  outside: Outside,
  deployment: Deployment,
  origin: string,
  isShortLinkHost: boolean,
): Promise<readonly Finding[]> {
  const host = new URL(origin).host;
  const { TRANSPORT_SECURITY: transportSecurity } = deployment.environment;
  const expectedOf = (path: string): Readonly<Record<string, string>> =>
    appHeaders({
      ...headerFacts(deployment.page),
      ...(transportSecurity === undefined ? {} : { transportSecurity }),
      path,
      shortLinkHost: isShortLinkHost,
    });
  const get = (path: string, headers: Readonly<Record<string, string>> = navigation) =>
    sendRequest(outside, origin + path, { headers });

  const findings: Finding[] = [];
  const look = async (check: string, subject: string, work: () => Promise<void>): Promise<void> => {
    findings.push(await find(check, subject, work));
  };
  for (const path of kinds) {
    await look('headers', origin + path, async () => {
      const response = await get(path);
      expectPage(response, origin + path);
      const inline = inlineParts(response.body.toString('utf8'));
      expectHeaders(
        response,
        allowInline(expectedOf(new URL(origin + path).pathname), inline),
        origin + path,
      );
      expectCaching(response, 'no-store', origin + path);
    });
  }
  await look('configuration', host, async () => {
    const { body } = await get('/login');
    const served = parseConfig(JSON.stringify(configIn(body.toString('utf8')) ?? null));
    if (!served.ok || !isDeepStrictEqual(served.config, deployment.page))
      throw new Wrong(
        `The page on ${host} has another configuration than the file of the deployment.`,
        deploy,
      );
  });
  await look('assets', host, () => checkAsset(outside, origin, expectedOf('/assets/')));
  await look('compression', `${origin}/login`, async () => {
    await checkBrotli(outside, `${origin}/login`, navigation);
  });
  await look('change of password', `${origin}/.well-known/change-password`, async () => {
    const { status, headers } = await get('/.well-known/change-password');
    if (status !== 302 || headers.location !== '/reset-password-verify')
      throw new Wrong(
        `${origin}/.well-known/change-password responds with ${status} and does not lead to /reset-password-verify.`,
        deploy,
      );
  });
  for (const { name, path, json } of extensionFiles(deployment.page))
    await look(name, origin + path, async () => {
      const { status, headers, body } = await get(path, { accept: '*/*' });
      if (
        status !== 200 ||
        headers['content-type']?.startsWith('application/json') !== true ||
        body.toString('utf8') !== json
      )
        throw new Wrong(`${origin}${path} responds with ${status} and is not: ${json}`, deploy);
    });
  await look('cookies', host, () => checkCookies(outside, deployment, origin));
  await look('private addresses', host, async () => {
    const page = await get('/login');
    for (const path of ['/metrics', '/health', '/ready']) {
      const { status, body } = await get(path, { accept: '*/*' });
      if (body.equals(page.body)) continue;
      throw new Wrong(
        `${origin}${path} responds with ${status} and not with the page.`,
        'Only files of the page may be served there.',
      );
    }
  });
  return findings;
}

function expectPage({ status, headers }: WebResponse, address: string): void {
  if (status !== 200 || headers['content-type']?.startsWith('text/html') !== true)
    throw new Wrong(
      `${address} responds with ${status} (${headers['content-type'] ?? 'no type'}) instead of the page.`,
      deploy,
    );
}

/** Headers that must be absent unless they are expected. */
const known = ['X-Frame-Options', 'Reporting-Endpoints', 'Access-Control-Allow-Origin'];

function expectHeaders(
  { headers }: WebResponse,
  expected: Readonly<Record<string, string>>,
  address: string,
): void {
  for (const name of new Set([...Object.keys(expected), ...known])) {
    const found = headers[name.toLowerCase()];
    const value = expected[name];
    if (found === value) continue;
    if (found === undefined)
      throw new Wrong(`${address} lacks the header ${name}; it has to be: ${value ?? ''}`, inFront);
    if (value === undefined)
      throw new Wrong(`${address} has a header ${name} that it must not have: ${String(found)}`, inFront);
    throw new Wrong(`${address} has another ${name}: ${String(found)} instead of: ${value}`, inFront);
  }
}

function expectCaching({ headers }: WebResponse, value: string, address: string): void {
  const found = headers['cache-control'];
  if (found !== value)
    throw new Wrong(
      `${address} has Cache-Control ${found === undefined ? 'missing' : `'${found}'`} instead of '${value}'.`,
      inFront,
    );
}

async function checkAsset(
  outside: Outside,
  origin: string,
  expected: Readonly<Record<string, string>>,
): Promise<void> {
  const { body } = await sendRequest(outside, `${origin}/login`, { headers: navigation });
  const [path] = /\/assets\/[\w.-]+\.[0-9a-f]{8,}\.(?:js|css)/.exec(body.toString('utf8')) ?? [];
  if (path === undefined) throw new Wrong(`The page on ${origin} references no script.`, deploy);
  const address = origin + path;
  const response = await checkBrotli(outside, address, { accept: '*/*' });
  expectHeaders(response, expected, address);
  expectCaching(response, 'public, max-age=31536000, immutable', address);
  const gone = `${origin}/assets/doctor.00000000.js`;
  const { status } = await sendRequest(outside, gone);
  if (status !== 404)
    throw new Wrong(`${gone}, which does not exist, responds with ${status} instead of 404.`, deploy);
}

/** @returns the uncompressed response. */
async function checkBrotli(
  outside: Outside,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<WebResponse> {
  const plain = await sendRequest(outside, address, { headers });
  if (plain.status !== 200)
    throw new Wrong(`${address} responds with ${plain.status} instead of 200.`, deploy);
  const small = await sendRequest(outside, address, { headers: { ...headers, 'accept-encoding': 'br' } });
  const advice = 'Does something in front of the processes remove Accept-Encoding?';
  if (small.headers['content-encoding'] !== 'br')
    throw new Wrong(`${address} is not compressed with Brotli for a browser that accepts it.`, advice);
  if (!brotliDecompressSync(small.body).equals(plain.body))
    throw new Wrong(`${address} differs between Brotli and no compression.`, deploy);
  return plain;
}

async function checkCookies(outside: Outside, { page }: Deployment, origin: string): Promise<void> {
  const { hostname } = new URL(origin);
  const { domain } = page.cookies;
  if (domain !== undefined && hostname !== domain && !hostname.endsWith(`.${domain}`))
    throw new Wrong(
      `Browsers refuse cookies of ${domain} on ${hostname}.`,
      'page.cookies.domain must be the host or a parent domain of it.',
    );
  const address = origin + expireCookiesPath;
  const headers = { 'sec-fetch-site': 'same-origin', 'content-length': '0' };
  const own = await sendRequest(outside, address, { method: 'POST', headers });
  const expected = expiredCookies(page.cookies, { secure: true });
  if (own.status !== 204 || own.headers['set-cookie']?.join() !== expected.join())
    throw new Wrong(
      `${address} responds with ${own.status} and does not expire the cookies of the session as the page writes them (${expected.join(', ')}).`,
      inFront,
    );
  const strange = await sendRequest(outside, address, {
    method: 'POST',
    headers: { ...headers, 'sec-fetch-site': 'cross-site' },
  });
  if (strange.status !== 403)
    throw new Wrong(
      `${address} responds with ${strange.status} to a page of another site instead of 403.`,
      deploy,
    );
}

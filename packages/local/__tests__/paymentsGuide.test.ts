import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { extensionNames } from '@vestibule/contract/document';
import { newDatabase } from '@vestibule/service/testing/postgres';
import { ownClient } from '../src/clients.ts';
import { createLocalEnvironment, type LocalEnvironment } from '../src/createLocalEnvironment.ts';
import { ask, post } from './support/ask.ts';

const project = path.join(__dirname, '../../..');
const guide = readFileSync(path.join(project, 'docs/payments.md'), 'utf8');
/** The first block of a language in the guide. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';

/** What a receipt says of the time and the place where it was made. */
const changing = ['iss', 'jti', 'iat', 'auth_time', 'enrolled_at'];
const claimsIn = (jws: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const describeWithPayments = extensionNames().includes('confirmations') ? describe : describe.skip;

/** Another user. */
const uma = {
  ...{ username: 'uma@payments.example', personas: {} },
  mfa: { type: 'authy', phone: '+12025550150', countryCode: 'US', authyId: '70150' },
} as const;

interface User {
  readonly uid: unknown;
  readonly headers: Record<string, string>;
}

/** The address of the page. */
const onPage = /^\/confirm\//;

describeWithPayments('the guide to payments', () => {
  let environment: LocalEnvironment;
  let shop: ReturnType<typeof ownClient>;
  let server: ChildProcess;
  let own: string;
  let folder: string;
  /** The payer of the guide. */
  let tess: User;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vestibule-guide-'));
    const page = '<!doctype html><script type="application/json" id="app-config">{}</script>';
    writeFileSync(path.join(folder, 'index.html'), page);
    writeFileSync(path.join(folder, 'server.mjs'), blockOf('js'));
    const [port = 0] = await freePorts(1);
    shop = ownClient('shop', port);
    own = `http://127.0.0.1:${String(port)}`;
    environment = await createLocalEnvironment({
      ...{ databaseUrl: await newDatabase(), distFolder: folder },
      ...{ applications: [shop.origin], accounts: [uma], service: { clients: [shop.client] } },
    });
    const { PATH } = process.env;
    server = spawn(process.execPath, ['--import', 'tsx', path.join(folder, 'server.mjs')], {
      cwd: project,
      env: { PATH, SECRET: shop.secret, PORT: String(port), ISSUER: environment.origins.api },
      stdio: 'inherit',
    });
    while ((await ask(own).catch(() => null)) === null) await pause(20);
    tess = await signedIn('text-message@payments.example');
  });
  afterAll(async () => {
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    await environment.close();
    rmSync(folder, { recursive: true });
  });

  const signedIn = async (username: string): Promise<User> => {
    const [session] = await environment.signInAs(username);
    const { authenticated } = JSON.parse(decodeURIComponent(session?.value ?? '')) as {
      authenticated: { token: string };
    };
    const { uid } = claimsIn(authenticated.token);
    return { uid, headers: { Authorization: `Bearer ${authenticated.token}` } };
  };
  const at = (path_ = '') => `${environment.origins.api}/auth/v1/confirmations${path_}`;
  const asShop = () => ({ Authorization: `Basic ${btoa(`shop:${shop.secret}`)}` });
  const confirm = async (id: string, { headers }: User = tess): Promise<void> => {
    await post(at(`/${id}/text`), {}, headers);
    const [newest] = await environment.outbox();
    const code = newest?.text.match(/\d{6}/g)?.at(-1);
    expect((await post(at(`/${id}/code`), { code }, headers)).text).toBe('{"state":"confirmed"}');
  };
  const receiptOf = async (id: string): Promise<string> => {
    const { text } = await ask(at(`/${id}/receipt`), { headers: asShop() });
    return (JSON.parse(text) as { receipt: string | null }).receipt ?? '';
  };
  /** Presses the button of the server. @returns the id of the payment, to whose page the browser is sent. */
  const pay = async (): Promise<string> => {
    const { status, headers } = await ask(`${own}/pay`, { method: 'POST' });
    const { origin, pathname } = new URL(headers.location ?? '');
    expect([status, origin, pathname]).toEqual([303, environment.origins.app, expect.stringMatching(onPage)]);
    return pathname.replace(onPage, '');
  };
  const shown = async () => /^\d+ paid/.exec((await ask(own)).text)?.[0];

  test('has a request and a receipt that can be pasted', async () => {
    const request = blockOf('sh');
    const found = (pattern: RegExp): string => pattern.exec(request)?.[1] ?? '';
    const headers = Object.fromEntries(
      Array.from(request.matchAll(/--header '([^:]+): ([^']+)'/g), ([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const credentials = { Authorization: `Basic ${btoa(found(/--user (\S+)/))}` };
    const address = found(/(http:\S+)/).replace(
      'http://api.payments.localhost:4000',
      environment.origins.api,
    );
    const { status, text } = await ask(address, {
      ...{ method: 'POST', body: found(/--data '(.*)'/), headers: { ...headers, ...credentials } },
    });
    const { id, state } = JSON.parse(text) as { id: string; state: string };
    expect([status, state]).toEqual([201, 'open']);
    await confirm(id);
    const claims = claimsIn(await receiptOf(id));
    const said = JSON.parse(blockOf('json')) as Record<string, unknown>;
    const now = Object.fromEntries(changing.map((name) => [name, claims[name]]));
    expect(Object.keys(said).sort()).toEqual(Object.keys(claims).sort());
    expect({ ...said, ...now }).toEqual(claims);
  });

  test('has a server of at most 40 lines, which hears of the payment that it has asked for', async () => {
    expect(blockOf('js').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const start = performance.now();
    const id = await pay();
    expect(await shown()).toBe('0 paid');
    await environment.clearJournal();
    await confirm(id);
    // Nobody has come back to it: it reads the receipt because of the event.
    const isRead = ({ path: read, status }: { path: string; status: number | null }) =>
      read.endsWith(`/${id}/receipt`) && status === 200;
    while (!(await environment.journal()).some(isRead)) await pause(20);
    expect(await shown()).toBe('1 paid');
    console.info(`Asked, confirmed and paid in ${String(Math.round(performance.now() - start))} ms.`);
  });

  test.each<[string, object, string | undefined]>([
    ['another payment', {}, undefined],
    ['another user', {}, uma.username],
    ['another amount', { amount: { value: '149.91', currency: 'EUR' } }, undefined],
    ['another payee', { payee: { name: 'Northwlnd' } }, undefined],
  ])('has a server that is not paid by the receipt of %s', async (_what, changes, other) => {
    const before = await shown();
    const payer = other === undefined ? tess : await signedIn(other);
    const order = { amount: { value: '149.90', currency: 'EUR' }, payee: { name: 'Northwind' } };
    const made = await post(at(), { uid: payer.uid, ...order, ...changes }, asShop());
    const { id } = JSON.parse(made.text) as { id: string };
    await confirm(id, payer);
    const body = { state: 'confirmed', receipt: await receiptOf(id) };
    const fault = { kind: 'answer', status: 200, body } as const;
    await environment.setFault({ path: `/auth/v1/confirmations/${await pay()}/receipt`, fault });
    expect(await shown()).toBe(before);
    await environment.clearFaults();
  });

  test('has a server that is not paid by a payment that was declined, or by a forged event', async () => {
    const before = await shown();
    await post(at(`/${await pay()}/decline`), {}, tess.headers);
    expect(await shown()).toBe(before);
    const forged = { method: 'POST', body: 'event=e30.e30.e30' };
    expect((await ask(`${own}/payment-event`, forged)).status).toBe(400);
  });
});

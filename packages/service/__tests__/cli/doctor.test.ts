import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDeployment, type Deployment } from '../../src/cli/deployment.ts';
import { nodeFindings } from '../../src/cli/doctor/certificateChecks.ts';
import { scannerFinding } from '../../src/cli/doctor/doctor.ts';
import { formatFinding } from '../../src/platform/doctor/findings.ts';
import { createTestDeployment } from '../support/testDeployment.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-doctor-'));
const file = (name: string): string => path.join(folder, name);
const days = (count: number) => Date.now() + count * 86_400_000;
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each<[string, string]>([
  ['auto', 'warning  one-time links: A mail scanner that runs the page uses up the links'],
  ['click', 'ok       one-time links: page.oneTimeLinks'],
])('with oneTimeLinks: %s the doctor says what mail scanners do', async (value, line) => {
  const { deployment, remove } = await createTestDeployment();
  remove();
  const { page } = readDeployment(deployment.replace('page:\n', `page:\n  oneTimeLinks: ${value}\n`));
  expect(formatFinding(await scannerFinding(page))).toContain(line);
});

describe('TLS between machines', () => {
  const tls = {
    certificate: file('service.pem'),
    certificateKey: file('service-key'),
    authority: file('authority.pem'),
    name: 'service.internal',
  };
  let node: https.Server;
  let plain: http.Server;
  const addressOf = (server: http.Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** A certificate of the authority, or of another one. */
  const certify = (name: string, authority = 'authority', life = '90'): void => {
    const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const of = (ca: string) => ['-CA', file(`${ca}.pem`), '-CAkey', file(`${ca}-key`), '-CAcreateserial'];
    const make = (ca: string) =>
      openssl(
        ...['req', '-x509', ...curve, '-subj', `/CN=${ca}`, '-keyout', file(`${ca}-key`)],
        ...['-out', file(`${ca}.pem`)],
      );
    make('authority');
    make('stranger');
    const request = file('request');
    const names = ['-addext', `subjectAltName=DNS:${name}`];
    openssl(
      'req',
      ...curve,
      '-keyout',
      tls.certificateKey,
      '-out',
      request,
      '-subj',
      `/CN=${name}`,
      ...names,
    );
    const out = ['-days', life, '-copy_extensions', 'copyall', '-out', tls.certificate];
    openssl('x509', '-req', '-in', request, ...of(authority), ...out);
  };
  const pair = () => ({ cert: readFileSync(tls.certificate), key: readFileSync(tls.certificateKey) });
  /** The findings about the files of this machine, a process with these files, and a process that speaks plain http. */
  const said = async (now = Date.now(), { isElsewhere = false } = {}) => {
    const deployment = {
      nodes: [addressOf(node), addressOf(plain)],
      nodeTls: tls,
      environment: { DATABASE_URL_FILE: isElsewhere ? file('gone') : tls.certificate },
    } satisfies Partial<Deployment>;
    const [files = '', ofNode = '', ofPlain = ''] = (await nodeFindings(deployment, now)).map(formatFinding);
    return { files, ofNode, ofPlain };
  };

  beforeAll(async () => {
    certify(tls.name);
    node = https.createServer(pair()).listen(0, '127.0.0.1');
    plain = http.createServer().listen(0, '127.0.0.1');
    await Promise.all([once(node, 'listening'), once(plain, 'listening')]);
  });
  beforeEach(() => {
    certify(tls.name);
    node.setSecureContext(pair());
  });
  afterAll(() => {
    node.close();
    plain.close();
  });

  it('is not looked for where the file has none', async () => {
    expect(await nodeFindings({ nodes: ['10.0.0.2:4001'], environment: {} }, Date.now())).toEqual([]);
  });

  it('is right with a certificate of the authority for the name, and wrong with a process that speaks plain http', async () => {
    const { files, ofNode, ofPlain } = await said();
    expect(files).toMatch(/^ok       TLS between machines: .*\/service\.pem: valid until \d{4}-\d\d-\d\d$/);
    expect(ofNode).toMatch(/^ok       TLS between machines: 127\.0\.0\.1:\d+: valid until/);
    expect(ofPlain).toMatch(/^WRONG    TLS between machines: 127\.0\.0\.1:\d+ shows no certificate \(.*\)\./);
  });

  it.each<[string, () => void, number, string]>([
    ['ends within 30 days', () => undefined, days(64.5), 'warning  .* ends in 25 days, on '],
    ['ends within 14 days', () => undefined, days(79.5), 'WRONG    .* ends in 10 days, on '],
    ['has expired', () => certify(tls.name, 'authority', '-1'), days(0), 'WRONG    .* has expired '],
    [
      'is of another name',
      () => certify('other.internal'),
      days(0),
      'WRONG    .* is of another name \\(names: other.internal;',
    ],
    [
      'is of another authority',
      () => certify(tls.name, 'stranger'),
      days(0),
      'WRONG    .* comes without the certificates',
    ],
  ])('is found in the files and at the process when its certificate %s', async (_what, change, now, line) => {
    change();
    node.setSecureContext(pair());
    const { files, ofNode } = await said(now);
    expect(files).toMatch(new RegExp(`^${line}`));
    expect(ofNode).toMatch(new RegExp(`^${line}`));
    expect(files).toContain(
      '\n         nginx only calls processes with a certificate of service.tls.authority',
    );
  });

  it('is wrong with the key of another certificate', async () => {
    writeFileSync(tls.certificateKey, readFileSync(file('stranger-key')));
    const { files, ofNode } = await said();
    expect(files).toMatch(/^WRONG    .*service-key are not a certificate and its key in PEM format/);
    // The process still runs with the former files.
    expect(ofNode).toMatch(/^ok /);
  });

  it('is wrong without a file on a machine with a process, and not checked on another machine', async () => {
    rmSync(tls.certificateKey);
    const line = `${tls.certificateKey} cannot be read here (ENOENT).`;
    expect((await said()).files).toContain(`WRONG    TLS between machines: ${line}`);
    const elsewhere = await said(Date.now(), { isElsewhere: true });
    expect(elsewhere.files).toBe(`skipped  TLS between machines: ${tls.certificate}: ${line}`);
    expect(elsewhere.ofNode).toMatch(/^ok /);
  });

  it('is not checked where a process cannot be reached', async () => {
    const nodes = ['127.0.0.1:1'];
    const findings = await nodeFindings({ nodes, nodeTls: tls, environment: {} }, Date.now());
    expect(findings.map(formatFinding)[1]).toBe(
      'skipped  TLS between machines: 127.0.0.1:1: It cannot be reached from here.',
    );
  });
});

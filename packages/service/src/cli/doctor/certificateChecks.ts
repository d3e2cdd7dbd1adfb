import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { Deployment } from '../deployment.ts';
import { find, NotChecked, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { readHere } from '../../platform/doctor/machineFiles.ts';
import {
  certificateOf,
  codeOf,
  isOpen,
  type Certificate,
  type Outside,
} from '../../platform/doctor/webRequests.ts';

const dayMilliseconds = 86_400_000;
/** Let's Encrypt renews 30 days before expiry. */
const minDays = 14;
/** Certificates between machines are not renewed automatically. */
const minDaysOfNodes = 30;

/** The error codes of Node and OpenSSL. */
const certificateFaults: Readonly<Record<string, readonly [problem: string, advice: string]>> = {
  CERT_HAS_EXPIRED: ['has expired', 'Renew it, and reload nginx.'],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Are the clocks right?'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is of another name', 'Have it issued for all names of the deployment.'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'comes without the certificates that lead to a known authority',
    'web.certificate must be the whole chain (fullchain.pem).',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'comes without the certificates that lead to a known authority',
    'web.certificate must be the whole chain (fullchain.pem). Of an authority of your own, set NODE_EXTRA_CA_CERTS.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed', 'Get one from an authority that browsers know.'],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'is of an authority that this machine does not trust',
    'Get one from an authority that browsers trust. For your own authority, set NODE_EXTRA_CA_CERTS.',
  ],
};

/** The certificate that browsers get. */
export async function checkCertificate(
  { connectTo, ca, now }: Outside,
  host: string,
  port: number,
): Promise<string> {
  const certificate = await certificateOf({
    host: connectTo ?? host,
    port,
    name: host,
    ...(ca === undefined ? {} : { authorities: [...tls.rootCertificates, ca] }),
  }).catch((error: unknown) => {
    throw new Wrong(
      `${host}:${port} shows no certificate (${codeOf(error)}).`,
      'Does nginx run there, with the vestibule.conf of this file? It only serves the names in the file.',
    );
  });
  const renew = 'Renew it and reload nginx; does the automatic renewal run?';
  return expectValid(host, certificate, now(), (fault) => certificateFaults[fault]?.[1] ?? renew);
}

/** @param now ms since 1970. @returns the end of its validity, as text. @throws Wrong */
function expectValid(
  subject: string,
  { fault, validUntil, names }: Certificate,
  now: number,
  adviceOf: (fault: string) => string,
  warnDays = minDays,
): string {
  const until = new Date(validUntil).toISOString().slice(0, 10);
  if (fault !== null)
    throw new Wrong(
      `The certificate of ${subject} ${certificateFaults[fault]?.[0] ?? `is not valid (${fault})`} (names: ${names}; valid until ${until}).`,
      adviceOf(fault),
    );
  const days = Math.floor((validUntil - now) / dayMilliseconds);
  if (days < warnDays)
    throw new Wrong(
      `The certificate of ${subject} ends in ${days} days, on ${until}.`,
      adviceOf(''),
      days < minDays ? 'wrong' : 'warning',
    );
  return `valid until ${until}`;
}

type NodeTls = NonNullable<Deployment['nodeTls']>;
type Nodes = Pick<Deployment, 'nodes' | 'nodeTls' | 'environment'>;

/**
 * The certificates between nginx and the processes (`service.tls`), verified as nginx does: the files of this machine, and what each
 * process presents.
 *
 * @param now ms since 1970.
 */
export async function nodeFindings(deployment: Nodes, now: number): Promise<readonly Finding[]> {
  const { nodes, nodeTls } = deployment;
  if (nodeTls === undefined) return [];
  const check = 'TLS between machines';
  return [
    await find(check, nodeTls.certificate, () => checkFiles(deployment, nodeTls, now)),
    ...(await Promise.all(
      nodes.map((node) => find(check, node, () => checkNode(deployment, nodeTls, node, now))),
    )),
  ];
}

const nodeAdvice =
  'nginx only calls processes with a certificate of service.tls.authority for service.tls.name. Make and apply such a certificate: docs/operations.md#more-machines.';

async function checkFiles(deployment: Nodes, files: NodeTls, now: number): Promise<string> {
  const { certificate, certificateKey, authority, name } = files;
  const [cert, key, authorities] = [certificate, certificateKey, authority].map((file) =>
    readHere(deployment, file),
  );
  const server = serverOf(files, { cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await expectNode(certificate, { host: '127.0.0.1', port, name }, authorities, now);
  } finally {
    server.close();
  }
}

/** A server that uses the files of a process. @throws Wrong if the key does not fit the certificate. */
function serverOf({ certificate, certificateKey }: NodeTls, pair: tls.TlsOptions): tls.Server {
  try {
    return tls.createServer(pair);
  } catch (error) {
    throw new Wrong(
      `${certificate} and ${certificateKey} are not a certificate and its key in PEM format (${codeOf(error)}).`,
      nodeAdvice,
    );
  }
}

async function checkNode(
  deployment: Nodes,
  { authority, name }: NodeTls,
  node: string,
  now: number,
): Promise<string> {
  const authorities = readHere(deployment, authority);
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(node) ?? [];
  if (!(await isOpen(host, Number(port)))) throw new NotChecked('It cannot be reached from here.');
  return expectNode(node, { host, port: Number(port), name }, authorities, now);
}

async function expectNode(
  subject: string,
  server: Omit<Parameters<typeof certificateOf>[0], 'authorities'>,
  authorities: string | undefined,
  now: number,
): Promise<string> {
  const certificate = await certificateOf({ ...server, authorities: [authorities ?? ''] }).catch(
    (error: unknown) => {
      throw new Wrong(`${subject} shows no certificate (${codeOf(error)}).`, nodeAdvice);
    },
  );
  return expectValid(subject, certificate, now, () => nodeAdvice, minDaysOfNodes);
}

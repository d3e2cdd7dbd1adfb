import tls from 'node:tls';
import type { Deployment } from '../../deployment.ts';
import { find, Wrong, type Finding } from '../../platform/doctor/findings.ts';
import { readHere } from '../../platform/doctor/machineFiles.ts';
import { certificateWithKey } from '../../platform/http/certificatePair.ts';
import { certificateOf, codeOf, type Certificate, type Outside } from '../../platform/doctor/webRequests.ts';

const dayMilliseconds = 86_400_000;
/** Let's Encrypt renews 30 days before expiry. */
const minDays = 14;

/** The error codes of Node and OpenSSL. */
const certificateFaults: Readonly<Record<string, readonly [problem: string, advice: string]>> = {
  CERT_HAS_EXPIRED: ['has expired', 'Renew it.'],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Are the clocks right?'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is of another name', 'Have it issued for all names of the deployment.'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'comes without the certificates that lead to a known authority',
    'TLS_CERTIFICATE_FILE must be the whole chain (fullchain.pem).',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'comes without the certificates that lead to a known authority',
    'TLS_CERTIFICATE_FILE must be the whole chain (fullchain.pem). Of an authority of your own, set NODE_EXTRA_CA_CERTS.',
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
      'Does a process run there, or the proxy in front of it?',
    );
  });
  const renew = 'Renew it; does the automatic renewal run?';
  return expectValid(host, certificate, now(), (fault) => certificateFaults[fault]?.[1] ?? renew);
}

/** @param now ms since 1970. @returns the end of its validity, as text. @throws Wrong */
function expectValid(
  subject: string,
  { fault, validUntil, names }: Certificate,
  now: number,
  adviceOf: (fault: string) => string,
): string {
  const until = new Date(validUntil).toISOString().slice(0, 10);
  if (fault !== null)
    throw new Wrong(
      `The certificate of ${subject} ${certificateFaults[fault]?.[0] ?? `is not valid (${fault})`} (names: ${names}; valid until ${until}).`,
      adviceOf(fault),
    );
  const days = Math.floor((validUntil - now) / dayMilliseconds);
  if (days < minDays)
    throw new Wrong(`The certificate of ${subject} ends in ${days} days, on ${until}.`, adviceOf(''));
  return `valid until ${until}`;
}

/**
 * The certificate that the processes read (`TLS_CERTIFICATE_FILE`), whether browsers or a proxy get it.
 *
 * @param now ms since 1970.
 */
export async function fileFindings(
  { environment }: Pick<Deployment, 'environment'>,
  now: number,
): Promise<readonly Finding[]> {
  const { TLS_CERTIFICATE_FILE: file, TLS_KEY_FILE: keyFile } = environment;
  if (file === undefined || keyFile === undefined) return [];
  const advice = 'Replace both files; the processes read them every minute.';
  return [
    await find('certificate file', file, () => {
      const [pem = '', key = ''] = [file, keyFile].map((one) => readHere({ environment }, one));
      const certificate = certificateIn(pem, key);
      if (certificate === null)
        throw new Wrong(`${file} and ${keyFile} are not a certificate and its key in PEM format.`, advice);
      return expectValid(file, certificate, now, () => advice);
    }),
  ];
}

/** @returns `null` unless both are PEM, and the key is that of the certificate. */
function certificateIn(pem: string, key: string): Certificate | null {
  try {
    const certificate = certificateWithKey(pem, key);
    const names = (certificate.subjectAltName ?? '').replaceAll('DNS:', '');
    return { fault: null, validUntil: Date.parse(certificate.validTo), names };
  } catch {
    return null;
  }
}

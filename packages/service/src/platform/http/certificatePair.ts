import { createPrivateKey, X509Certificate } from 'node:crypto';

/**
 * Reads a certificate, with its chain or without, and checks that a key is that of the certificate.
 *
 * @throws Error unless both are in PEM format and belong together.
 */
export function certificateWithKey(pem: string, key: string): X509Certificate {
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key is of another certificate');
  return certificate;
}

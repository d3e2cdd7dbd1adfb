import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts the few secrets that have to be read back (a password never has to). */
export interface SecretBox {
  /** Whether secrets are sealed at all. */
  readonly hasKey: boolean;
  /** @param owner the uid, or `signingKeyOwner`: what is sealed for one cannot be put in the place of another's. */
  readonly seal: (secret: string, owner: string) => string;
  /** @throws Error when the value was sealed for another owner, with another key, or was changed. */
  readonly open: (stored: string, owner: string) => string;
}

/**
 * Begins what is sealed, with the version of the form; one for more than one key can name the key. No secret that is
 * stored readable begins with it: base32 has no small letters, JSON begins with a brace.
 */
export const sealedPrefix = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key that is not in the database. Without a key secrets are stored as they are; those stored
 * before there was a key stay readable until `sealStoredSecrets`.
 *
 * @param key 32 bytes in base64 or base64url.
 * @throws Error when the key is of another length.
 */
export function createSecretBox(key: string | undefined): SecretBox {
  const bytes = key === undefined ? null : keyFrom(key);
  return {
    hasKey: bytes !== null,
    seal: (secret, owner) => (bytes === null ? secret : sealedPrefix + encrypt(bytes, secret, owner)),
    open: (stored, owner) => {
      if (!stored.startsWith(sealedPrefix)) return stored;
      if (bytes === null) {
        throw new Error(
          'The database holds encrypted secrets, and encryptionKey (ENCRYPTION_KEY) is not set.',
        );
      }
      try {
        return decrypt(bytes, stored.slice(sealedPrefix.length), owner);
      } catch (cause) {
        throw new Error(
          'A secret in the database does not open with encryptionKey (ENCRYPTION_KEY): it was encrypted with another key, or was changed.',
          { cause },
        );
      }
    },
  };
}

function keyFrom(key: string): Buffer {
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 32) throw new Error('encryptionKey (ENCRYPTION_KEY) must be 32 bytes in base64.');
  return bytes;
}

function encrypt(key: Buffer, secret: string, owner: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner, 'utf8'));
  const sealed = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

function decrypt(key: Buffer, sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(owner, 'utf8'))
    .setAuthTag(bytes.subarray(-tagBytes));
  const text = [decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}

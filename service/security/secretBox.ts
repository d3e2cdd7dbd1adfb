import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts the few secrets that have to be read back (a password never has to). */
export interface SecretBox {
  /** @param owner the uid: what is sealed for one user cannot be put in the place of another's. */
  readonly seal: (secret: string, owner: string) => string;
  /** @throws Error when the value was sealed for somebody else, with another key, or was changed. */
  readonly open: (stored: string, owner: string) => string;
}

/** No secret that is stored as it is begins with it: base32 has no small letters. */
const prefix = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key that is not in the database. Without a key secrets are stored as they are; those stored
 * before there was a key stay readable.
 *
 * @param key 32 bytes in base64 or base64url.
 * @throws Error when the key is of another length.
 */
export function createSecretBox(key: string | undefined): SecretBox {
  const bytes = key === undefined ? null : keyFrom(key);
  return {
    seal: (secret, owner) => (bytes === null ? secret : prefix + encrypt(bytes, secret, owner)),
    open: (stored, owner) => {
      if (!stored.startsWith(prefix)) return stored;
      if (bytes === null) throw new Error('A stored secret is encrypted, and no encryption key is set.');
      return decrypt(bytes, stored.slice(prefix.length), owner);
    },
  };
}

function keyFrom(key: string): Buffer {
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 32) throw new Error('The encryption key must be 32 bytes in base64.');
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

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts the secrets that must be readable (passwords are hashed instead). */
export interface SecretBox {
  /** Whether there is a key. */
  readonly hasKey: boolean;
  /** Whether there are more keys than the first: a rotation is in progress. */
  readonly hasFormerKeys: boolean;
  /** @param owner the uid, or `signingKeyOwner`: a value that was sealed for one owner does not open for another. */
  readonly seal: (secret: string, owner: string) => string;
  /**
   * @throws Error if the value was sealed for another owner, with none of the keys, or not at all, or was changed.
   */
  readonly open: (stored: string, owner: string) => string;
  /** Seals a stored secret with the first key; `null` if it already is. @throws Error as `open` does. */
  readonly reseal: (stored: string, owner: string) => string | null;
}

/**
 * The prefix of sealed values, with the version of the format. It names no key: the authentication tag shows whether
 * a key matches, and earlier releases can read values during a rotation. No plaintext secret starts with it: base32
 * has no lower-case letters, JSON starts with a brace.
 */
export const sealedPrefix = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with keys that are not in the database. Without a key, secrets are stored as plaintext. With a key,
 * plaintext is rejected: someone may have written it to the database.
 *
 * @param keys 32 bytes each in base64 or base64url, separated by commas or white space. The first encrypts, all
 * decrypt.
 * @throws Error if a key has another length.
 */
export function createSecretBox(keys: string | undefined): SecretBox {
  const ring =
    keys === undefined
      ? []
      : keys
          .trim()
          .split(/[\s,]+/)
          .map(keyFrom);
  const [current] = ring;
  const seal = (secret: string, owner: string): string =>
    current === undefined ? secret : sealedPrefix + encrypt(current, secret, owner);
  /** The secret, and whether the first key opened it. */
  const openWith = (stored: string, owner: string): readonly [secret: string, isCurrent: boolean] => {
    if (!stored.startsWith(sealedPrefix)) {
      if (current === undefined) return [stored, true];
      throw new Error(
        'A secret in the database is not encrypted, although encryptionKey (ENCRYPTION_KEY) is set.',
      );
    }
    if (current === undefined) {
      throw new Error('The database holds encrypted secrets, and encryptionKey (ENCRYPTION_KEY) is not set.');
    }
    let cause: unknown;
    for (const key of ring) {
      try {
        return [decrypt(key, stored.slice(sealedPrefix.length), owner), key === current];
      } catch (error) {
        cause = error;
      }
    }
    throw new Error(
      'A secret in the database does not open with encryptionKey (ENCRYPTION_KEY): it was encrypted with another key, or was changed.',
      { cause },
    );
  };
  return {
    hasKey: current !== undefined,
    hasFormerKeys: ring.length > 1,
    seal,
    open: (stored, owner) => openWith(stored, owner)[0],
    reseal: (stored, owner) => {
      const [secret, isCurrent] = openWith(stored, owner);
      return isCurrent ? null : seal(secret, owner);
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

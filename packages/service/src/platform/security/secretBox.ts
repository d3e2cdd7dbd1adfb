import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts the secrets that must be readable (passwords are hashed instead). */
export interface SecretBox {
  /** Whether there is a key. */
  readonly hasKey: boolean;
  /** The ids of the keys, in their order. They are derived from the keys and do not reveal them. */
  readonly keyIds: readonly string[];
  /** Seals with this key from now on; before, with the first one. */
  readonly sealWith: (keyId: string) => void;
  /** @param owner the uid, or `signingKeyOwner`: a value that was sealed for one owner does not open for another. */
  readonly seal: (secret: string, owner: string) => string;
  /**
   * @throws KeyFault if the value was sealed for another owner, with none of the keys, or not at all, or was changed.
   */
  readonly open: (stored: string, owner: string) => string;
  /** The id of the key that opens the value; `null` without a key. @throws KeyFault as `open` does. */
  readonly keyIdOf: (stored: string, owner: string) => string | null;
  /** Seals a stored secret with the key that seals; `null` if it already is. @throws KeyFault as `open` does. */
  readonly reseal: (stored: string, owner: string) => string | null;
}

/**
 * This process lacks a key, or a stored secret was changed. The caller is not at fault: a call responds with 503, and uses nothing up.
 */
export class KeyFault extends Error {
  override readonly name = 'KeyFault';
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
 * @param keys 32 bytes each in base64 or base64url, separated by commas or white space. The first encrypts (see `sealWith`), all
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
  let [sealing] = ring;
  const seal = (secret: string, owner: string): string =>
    sealing === undefined ? secret : sealedPrefix + encrypt(sealing.bytes, secret, owner);
  const openWith = (stored: string, owner: string): { readonly secret: string; readonly key: Key | null } => {
    if (!stored.startsWith(sealedPrefix)) {
      if (sealing === undefined) return { secret: stored, key: null };
      throw new KeyFault(
        'A secret in the database is not encrypted, although encryptionKey (ENCRYPTION_KEY) is set.',
      );
    }
    if (sealing === undefined) {
      throw new KeyFault(
        'The database holds encrypted secrets, and encryptionKey (ENCRYPTION_KEY) is not set.',
      );
    }
    let cause: unknown;
    for (const key of ring) {
      try {
        return { secret: decrypt(key.bytes, stored.slice(sealedPrefix.length), owner), key };
      } catch (error) {
        cause = error;
      }
    }
    throw new KeyFault(
      'A secret in the database does not open with encryptionKey (ENCRYPTION_KEY): it was encrypted with another key, or was changed.',
      { cause },
    );
  };
  return {
    hasKey: sealing !== undefined,
    keyIds: ring.map(({ id }) => id),
    sealWith: (keyId) => {
      sealing = ring.find(({ id }) => id === keyId) ?? sealing;
    },
    seal,
    open: (stored, owner) => openWith(stored, owner).secret,
    keyIdOf: (stored, owner) => openWith(stored, owner).key?.id ?? null,
    reseal: (stored, owner) => {
      const { secret, key } = openWith(stored, owner);
      return key === null || key === sealing ? null : seal(secret, owner);
    },
  };
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

function keyFrom(key: string): Key {
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 32) throw new Error('encryptionKey (ENCRYPTION_KEY) must be 32 bytes in base64.');
  return { id: Buffer.from(hkdfSync('sha256', bytes, '', 'vestibule key id', 16)).toString('hex'), bytes };
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

import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify as verifyArgon2 } from '@node-rs/argon2';

/**
 * A password hash of another system that is not accepted. The message is the end of a sentence, and never contains
 * the hash.
 */
export class HashRefused extends Error {
  override readonly name = 'HashRefused';
}

/**
 * Maximum cost of an imported hash: about a second of one processor. Costlier hashes could block the hash queue for
 * all users.
 */
const maxCost = {
  argon2Kib: 262_144,
  argon2KibPasses: 1_048_576,
  argon2Lanes: 16,
  bcrypt: 14,
};

/**
 * PBKDF2: the bytes of a block of the output, and the maximum of iterations for all blocks together (SHA-512 takes
 * longer). For SHA-1 this is Keycloak's default: 1.3 million for each of the four blocks of 64 bytes.
 */
const digests = {
  sha1: { bytes: 20, maxIterations: 5_200_000 },
  sha256: { bytes: 32, maxIterations: 5_000_000 },
  sha512: { bytes: 64, maxIterations: 1_500_000 },
} as const;
type Digest = keyof typeof digests;

const pbkdf2Form = /^\$pbkdf2-(sha1|sha256|sha512)\$i=([0-9]{1,8})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const derive = promisify(pbkdf2);

/**
 * Converts a password hash of another system to the form in which it is stored: argon2 (PHC), bcrypt (`$2a$`, `$2b$`,
 * `$2y$`) or PBKDF2 (PHC, passlib). Django's forms and Keycloak's credentials (an object, or its JSON) are rewritten.
 *
 * @throws HashRefused for an unknown format, and for a hash that costs too much.
 */
export function importedHash(given: unknown): string {
  if (typeof given === 'string' && given.length > 2048) throw new HashRefused('is too long');
  const hash =
    typeof given === 'string' && !given.startsWith('{') ? fromText(given) : fromKeycloak(objectFrom(given));
  checkCost(hash);
  return hash;
}

/** Whether the password matches a stored hash, ours or another system's. Computed in Node's thread pool. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  if (stored.startsWith('$2')) {
    // Loaded only if there is such a hash.
    const bcrypt = await import('@node-rs/bcrypt');
    return bcrypt.verify(password, stored);
  }
  const [, digest, iterations, salt, value] = pbkdf2Form.exec(stored) ?? [];
  if (digest === undefined || salt === undefined || value === undefined)
    return verifyArgon2(stored, password);
  const expected = Buffer.from(value, 'base64');
  const derived = await derive(
    password,
    Buffer.from(salt, 'base64'),
    Number(iterations),
    expected.length,
    digest,
  );
  return timingSafeEqual(derived, expected);
}

function fromText(given: string): string {
  // Django writes the name of the algorithm before a complete hash.
  const hash = given.replace(/^(?:argon2(?=\$argon2)|bcrypt\$(?=\$2))/, '');
  if (/^\$argon2|^\$2/.test(hash)) return hash;
  const [, prefix, digest, iterations = '', , salt = '', value = ''] =
    /^(\$pbkdf2-|\$pbkdf2(?=\$)|pbkdf2_)(sha1|sha256|sha512)?\$(?:i=)?([0-9]{1,8})(,l=[0-9]{1,3})?\$([^$]+)\$([^$]+)$/.exec(
      hash,
    ) ?? [];
  if (prefix === undefined || (prefix === '$pbkdf2') !== (digest === undefined))
    throw new HashRefused('is of no form that is known: argon2, bcrypt or PBKDF2');
  // Django's salt is text; passlib writes '.' for '+'.
  const salted = prefix === 'pbkdf2_' ? base64(Buffer.from(salt, 'utf8')) : salt.replaceAll('.', '+');
  return `$pbkdf2-${digest ?? 'sha1'}$i=${iterations}$${unpadded(salted)}$${unpadded(value.replaceAll('.', '+'))}`;
}

/** Converts `credentialData` and `secretData` of a Keycloak credential, which are JSON within JSON in its exports. */
function fromKeycloak(credential: Readonly<Record<string, unknown>>): string {
  const { algorithm, hashIterations, additionalParameters } = objectFrom(credential['credentialData']);
  const { value, salt } = objectFrom(credential['secretData']);
  const parameters = objectFrom(additionalParameters ?? {});
  const parameter = (name: string): string => {
    const list = parameters[name];
    return String(Array.isArray(list) ? list[0] : list);
  };
  if (typeof value !== 'string' || typeof salt !== 'string' || typeof algorithm !== 'string')
    throw new HashRefused('is no credential of Keycloak');
  const end = `$${unpadded(salt)}$${unpadded(value)}`;
  if (algorithm === 'argon2') {
    const version = parameter('version') === '1.0' ? 16 : 19;
    const costs = `m=${parameter('memory')},t=${String(hashIterations)},p=${parameter('parallelism')}`;
    return `$argon2${parameter('type')}$v=${version}$${costs}${end}`;
  }
  const name = algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm;
  return `$${name}$i=${String(hashIterations)}${end}`;
}

function objectFrom(given: unknown): Readonly<Record<string, unknown>> {
  let value = given;
  try {
    if (typeof given === 'string') value = JSON.parse(given);
  } catch {
    // Refused below.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HashRefused('is no text, and no credential of Keycloak');
  return value as Readonly<Record<string, unknown>>;
}

function checkCost(hash: string): void {
  if (hash.startsWith('$argon2')) checkArgon2(hash);
  else if (hash.startsWith('$2')) checkBcrypt(hash);
  else checkPbkdf2(hash);
}

function checkArgon2(hash: string): void {
  const [, memory, passes, lanes, salt = '', value = ''] =
    /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=([0-9]{1,10}),t=([0-9]{1,10}),p=([0-9]{1,8})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(
      hash,
    ) ?? [];
  if (memory === undefined) throw new HashRefused('is not a complete hash of argon2');
  checkLengths('argon2', salt, value);
  const [kib, times, width] = [Number(memory), Number(passes), Number(lanes)];
  if (times < 1 || width < 1 || kib < 8 * width) throw new HashRefused('has no valid costs of argon2');
  if (kib > maxCost.argon2Kib || kib * times > maxCost.argon2KibPasses || width > maxCost.argon2Lanes) {
    throw new HashRefused(
      `costs too much: of argon2 at most m=${maxCost.argon2Kib}, p=${maxCost.argon2Lanes}, and m times t=${maxCost.argon2KibPasses}`,
    );
  }
}

function checkBcrypt(hash: string): void {
  const [, cost] = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/.exec(hash) ?? [];
  if (cost === undefined) throw new HashRefused('is not a complete hash of bcrypt ($2a$, $2b$ or $2y$)');
  if (Number(cost) < 4) throw new HashRefused('has no valid cost of bcrypt');
  if (Number(cost) > maxCost.bcrypt)
    throw new HashRefused(`costs too much: of bcrypt at most ${maxCost.bcrypt}`);
}

function checkPbkdf2(hash: string): void {
  const [, digest, iterations, salt = '', value = ''] = pbkdf2Form.exec(hash) ?? [];
  if (digest === undefined)
    throw new HashRefused('is not a complete hash of PBKDF2 with SHA-1, SHA-256 or SHA-512');
  checkLengths('PBKDF2', salt, value);
  const { bytes, maxIterations: atMost } = digests[digest as Digest];
  const rounds = Number(iterations) * Math.ceil(bytesIn(value) / bytes);
  if (rounds < 1) throw new HashRefused('has no valid cost of PBKDF2');
  if (rounds > atMost) {
    throw new HashRefused(
      `costs too much: of PBKDF2 with ${digest} at most ${atMost} iterations, counted for each block of the output`,
    );
  }
}

function checkLengths(name: string, salt: string, value: string): void {
  if (bytesIn(salt) < 8 || bytesIn(salt) > 48)
    throw new HashRefused(`has a salt of ${name} that is not 8 to 48 bytes in base64`);
  if (bytesIn(value) < 16 || bytesIn(value) > 64)
    throw new HashRefused(`has an output of ${name} that is not 16 to 64 bytes in base64`);
}

/** 0 for invalid base64, with which argon2's library would fail to verify a password. */
function bytesIn(encoded: string): number {
  const bytes = Buffer.from(encoded, 'base64');
  return unpadded(base64(bytes)) === encoded ? bytes.length : 0;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

function unpadded(encoded: string): string {
  return encoded.replace(/=+$/, '');
}

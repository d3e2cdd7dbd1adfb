import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { TestService } from './testService.ts';

/** The differences from a correct response of browser and authenticator. */
export interface Deviations {
  readonly origin?: string;
  /** Of the page around the frame. */
  readonly topOrigin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly isSyncable?: boolean;
  readonly isSynced?: boolean;
  readonly algorithm?: number;
  /** Another key signs than the one of the credential. */
  readonly signsWith?: Key;
  /** The attestation: its format and its statement. */
  readonly attestation?: readonly [format: string, statement: Map<string, unknown>];
  readonly userHandle?: string | null;
  /** What the browser's own window for a payment has shown. */
  readonly payment?: object | null;
}

/** A credential of the authenticator. */
export type Key = ReturnType<typeof newKey>;

function newKey(userHandle: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { id: randomBytes(20), userHandle, privateKey, x, y, counter: 0 };
}

/** The options that it reads. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** An authenticator and its browser in software. It makes real signatures (ES256) over real CBOR. */
export function passkeyAuthenticator(pageOrigin: string) {
  const clientData = (type: string, { challenge }: Options, deviations: Deviations) => {
    const { origin = pageOrigin, topOrigin, payment } = deviations;
    return Buffer.from(
      JSON.stringify({
        type: payment === undefined ? type : 'payment.get',
        challenge: deviations.challenge ?? challenge,
        origin,
        crossOrigin: topOrigin !== undefined,
        ...(topOrigin === undefined ? {} : { topOrigin }),
        ...(payment === undefined ? {} : { payment }),
      }),
    );
  };
  const authenticatorData = (
    { rpId = '', rp }: Options,
    { isVerified = true, isPresent = true, isSyncable = true, isSynced = true, ...rest }: Deviations,
    counter: number,
    attested: Buffer = Buffer.alloc(0),
  ) => {
    const flags = [isPresent, false, isVerified, isSyncable, isSynced, false, attested.length > 0];
    const bits = flags.reduce((sum, flag, index) => sum + (flag ? 1 << index : 0), 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(bits, 0);
    tail.writeUInt32BE(rest.counter ?? counter, 1);
    return Buffer.concat([sha256(Buffer.from(rest.rpId ?? rp?.id ?? rpId)), tail, attested]);
  };

  return {
    /** As `navigator.credentials.create`. */
    create: (options: Options, deviations: Deviations = {}) => {
      const key = newKey(options.user?.id ?? '');
      return { key, credential: creation(key, options, deviations) };
    },
    /** The same for a key that exists already. */
    createAgain: (key: Key, options: Options, deviations: Deviations = {}) =>
      creation(key, options, deviations),
    /** As `navigator.credentials.get`. */
    get: (key: Key, options: Options, deviations: Deviations = {}) => {
      const clientDataJSON = clientData('webauthn.get', options, deviations);
      const data = authenticatorData(options, deviations, key.counter);
      const signer = deviations.signsWith ?? key;
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), signer.privateKey);
      const { userHandle = key.userHandle } = deviations;
      return {
        ...idOf(key),
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle,
        },
      };
    },
  };

  function creation(key: Key, options: Options, deviations: Deviations) {
    const { attestation: [fmt, attStmt] = ['none', new Map()], algorithm = -7 } = deviations;
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Buffer.from(key.x, 'base64url')],
      [-3, Buffer.from(key.y, 'base64url')],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(key.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, key.id, isoCBOR.encode(cose)]);
    const authData = authenticatorData(options, deviations, key.counter, attested);
    const attestation = isoCBOR.encode(
      new Map<string, never>([
        ['fmt', fmt as never],
        ['attStmt', attStmt as never],
        ['authData', authData as never],
      ]),
    );
    return {
      ...idOf(key),
      response: {
        clientDataJSON: clientData('webauthn.create', options, deviations).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    };
  }
}

/** Adds a passkey to the account of a session. */
export async function addKey(
  service: TestService,
  device: ReturnType<typeof passkeyAuthenticator>,
  bearer: string,
): Promise<Key> {
  const authVerificationToken = await service.verified(bearer);
  const asked = await service.post('/auth/v1/passkeys/add/options', { authVerificationToken }, { bearer });
  const { challengeToken, publicKey } = asked.body as unknown as {
    challengeToken: string;
    publicKey: Options;
  };
  const { key, credential } = device.create(publicKey);
  await service.post('/auth/v1/passkeys/add', { challengeToken, credential }, { bearer });
  return key;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

const idOf = ({ id }: Key) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  clientExtensionResults: {},
});

import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { NamedError } from '../../platform/namedError.ts';
import { hashOfToken } from '../../platform/security/opaqueTokens.ts';
import type { ServiceSettings } from '../settings/options.ts';
import { readSecretFile } from '../../platform/settings/secretFile.ts';
import type { ClientFields, DeployedClient } from '../clientFields.ts';

/** An application that is registered here. */
export interface Client extends ClientFields {
  /** `none`: a public client, which has neither a secret nor keys. */
  readonly authentication: 'none' | 'secret' | 'keys';
}

/** The applications that are registered in the deployment file and on the command line. */
export interface Clients {
  /** `null` for an unknown id. @param trx the transaction of the caller, if there is one. */
  readonly find: (id: string, trx?: Kysely<Tables>) => Promise<Client | null>;
  /** In the order of the file, then of their ids. */
  readonly list: () => Promise<readonly Client[]>;
  /** Whether it is one of the secrets of the client that are valid now. */
  readonly hasSecret: (id: string, secret: string) => Promise<boolean>;
}

type Context = { readonly db: Kysely<Tables> } & {
  readonly settings: Pick<ServiceSettings, 'clients' | 'now'>;
};

/** A shorter one could be guessed from its hash. */
const leastSecretLength = 32;

/**
 * Reads the files of the secrets.
 *
 * @throws Error naming the client whose file cannot be read, or whose secret is too short.
 */
export function createClients({ db, settings }: Context): Clients {
  const { clients: deployed, now } = settings;
  const hashes = new Map(deployed.map((client) => [client.id, hashesOf(client)]));
  const fixed = new Map(deployed.map((client) => [client.id, clientFrom(client)]));
  return {
    find: async (id, trx = db) => {
      const known = fixed.get(id);
      if (known !== undefined) return known;
      if (id.includes('\0')) return null;
      const [row] = await storedClients(trx).where('clients.id', '=', id).execute();
      return row === undefined ? null : storedClient(row);
    },
    list: async () => {
      const rows = await storedClients(db).orderBy('clients.id').execute();
      return [...fixed.values(), ...rows.filter(({ id }) => !fixed.has(id)).map(storedClient)];
    },
    hasSecret: async (id, secret) => {
      const given = hashOfToken(secret);
      const known = hashes.get(id);
      if (known !== undefined) return known.some((one) => isSame(one, given));
      const valid = await db
        .selectFrom('client_secrets')
        .select('secret_hash')
        .where('client_id', '=', id)
        .where('secret_hash', '=', given)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date(now()))]))
        .executeTakeFirst();
      return valid !== undefined;
    },
  };
}

function hashesOf({ id, secretFile, secretHash }: DeployedClient): readonly string[] {
  const ofFiles = secretFile.map((file) => {
    let secret: string;
    try {
      secret = readSecretFile(file);
    } catch (error) {
      throw new NamedError(`The secretFile of the client '${id}'`, error);
    }
    if (secret.length < leastSecretLength)
      throw new Error(
        `The secret of the client '${id}' is shorter than ${leastSecretLength} characters; \`openssl rand -hex 32\` makes one.`,
      );
    return hashOfToken(secret);
  });
  return [...ofFiles, ...secretHash.map((hash) => hash.slice('sha256:'.length))];
}

function clientFrom({ secretFile, secretHash, ...fields }: DeployedClient): Client {
  return { ...fields, authentication: authenticationOf(fields, secretFile.length + secretHash.length > 0) };
}

/** How a client proves who it is. */
export function authenticationOf(
  { jwks, jwksUri }: ClientFields,
  hasSecret: boolean,
): Client['authentication'] {
  if (jwks !== undefined || jwksUri !== undefined) return 'keys';
  return hasSecret ? 'secret' : 'none';
}

interface StoredClient {
  readonly id: string;
  readonly fields: ClientFields;
  readonly has_secret: unknown;
}

/** A client whose secrets have expired is no public client. */
const storedClients = (db: Kysely<Tables>) =>
  db
    .selectFrom('clients')
    .select(['id', 'fields'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('client_secrets').select('client_id').whereRef('client_id', '=', 'clients.id'))
        .as('has_secret'),
    );

const storedClient = ({ fields, has_secret }: StoredClient): Client => ({
  ...fields,
  authentication: authenticationOf(fields, has_secret === true),
});

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

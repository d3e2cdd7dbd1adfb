import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { CommandError } from '../../platform/commandError.ts';
import { hashOfToken, newOpaqueToken } from '../../platform/security/opaqueTokens.ts';
import type { ServiceContext } from '../context.ts';
import type { ClientFields } from '../clientFields.ts';
import { clientEvents } from './events.ts';
import { authenticationOf, type Client } from './clients.ts';

/** A client in the list of an operator. */
interface ListedClient extends Client {
  /** The deployment file, or the command line. */
  readonly from: 'file' | 'command';
}

/** Management of clients, for operators. Secrets are returned once and stored hashed. */
export interface ClientDirectory {
  /**
   * Adds a client. @param options `isPublic`: without a secret.
   * @returns its secret; `null` for a public client and one with keys. @throws CommandError if the id is taken, or a
   * capability refuses the client.
   */
  readonly add: (
    fields: ClientFields,
    options?: { readonly isPublic?: boolean },
  ) => Promise<{ readonly secret: string | null }>;
  readonly list: () => Promise<readonly ListedClient[]>;
  /**
   * Makes a new secret. The former one stays valid for `keepSeconds`; any older one ends.
   *
   * @throws CommandError for a client without a secret, and one of the deployment file.
   */
  readonly rotateSecret: (
    id: string,
    keepSeconds: number,
  ) => Promise<{ readonly secret: string; readonly formerExpiresAt: Date }>;
  /** Also removes what the client was given. @throws CommandError for an unknown client, and one of the deployment file. */
  readonly remove: (id: string) => Promise<void>;
}

export function createClientDirectory(context: ServiceContext): ClientDirectory {
  const { db, settings, clients, audit, slots } = context;
  const { now } = settings;
  const done = (trx: Kysely<Tables>, event: AuditEvent, id: string) =>
    audit.record(trx, { event, outcome: 'success', uid: null, method: id });
  const isDeployed = (id: string): boolean => settings.clients.some((client) => client.id === id);
  const stored = async (id: string): Promise<Client> => {
    if (isDeployed(id))
      throw new CommandError(`The client '${id}' is in the deployment file: change it there.`);
    const client = await clients.find(id);
    if (client === null) throw new CommandError(`There is no client '${id}'.`);
    return client;
  };
  /** SHA-256 suffices for a secret of 256 random bits, and a slow hash would delay each call of the client. */
  const addSecret = async (trx: Kysely<Tables>, client_id: string): Promise<string> => {
    const secret = newOpaqueToken();
    await trx
      .insertInto('client_secrets')
      .values({ client_id, secret_hash: hashOfToken(secret), created_at: new Date(now()), expires_at: null })
      .execute();
    return secret;
  };
  return {
    add: async (fields, { isPublic = false } = {}) => {
      const authentication = authenticationOf(fields, !isPublic);
      await slots.checkClient(context, { ...fields, authentication });
      return inTransaction(db, async (trx) => {
        const { id } = fields;
        const added = await trx
          .insertInto('clients')
          .values({ id, fields: JSON.stringify(fields), created_at: new Date(now()) })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (added === undefined || isDeployed(id))
          throw new CommandError(`There is a client '${id}' already.`);
        await done(trx, clientEvents['client-added'], id);
        return { secret: authentication === 'secret' ? await addSecret(trx, id) : null };
      });
    },
    list: async () =>
      (await clients.list()).map((client) => ({
        ...client,
        from: isDeployed(client.id) ? 'file' : 'command',
      })),
    rotateSecret: async (id, keepSeconds) => {
      if ((await stored(id)).authentication !== 'secret')
        throw new CommandError(`The client '${id}' has no secret.`);
      const formerExpiresAt = new Date(now() + keepSeconds * 1000);
      return inTransaction(db, async (trx) => {
        await trx
          .deleteFrom('client_secrets')
          .where('client_id', '=', id)
          .where('expires_at', 'is not', null)
          .execute();
        await trx
          .updateTable('client_secrets')
          .set({ expires_at: formerExpiresAt })
          .where('client_id', '=', id)
          .execute();
        const secret = await addSecret(trx, id);
        await done(trx, clientEvents['client-secret-rotated'], id);
        return { secret, formerExpiresAt };
      });
    },
    remove: async (id) => {
      await stored(id);
      await inTransaction(db, async (trx) => {
        await trx.deleteFrom('clients').where('id', '=', id).execute();
        await slots.clientRemoved({ ...context, db: trx }, id);
        await done(trx, clientEvents['client-removed'], id);
      });
    },
  };
}

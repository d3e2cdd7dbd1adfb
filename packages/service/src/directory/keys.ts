import { accountEvents } from '../accounts/events.ts';
import type { AuditEvent } from '../core/audit/audit.ts';
import { CommandError } from '../platform/commandError.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { KeyDirectory } from '../core/directory.ts';
import { resealStoredSecrets } from '../core/keys/sealStoredSecrets.ts';
import { addSigningKey, revokeSigningKey } from '../core/keys/signingKeys.ts';
import type { ServiceContext } from '../core/context.ts';

export function createKeyDirectory(context: ServiceContext): KeyDirectory {
  const { db, audit, secretBox, settings, encryptionKeys } = context;
  const done = (event: AuditEvent, trx = db): Promise<void> =>
    audit.record(trx, { event, outcome: 'success', uid: null });
  return {
    rotate: async () => {
      const added = await addSigningKey(db, secretBox, settings.now);
      if (added === null) throw new Error('No signing key was added.');
      await done(accountEvents['signing-key-rotated']);
      return added;
    },
    list: async () => {
      const rows = await db
        .selectFrom('signing_keys')
        .select(['kid', 'created_at'])
        .orderBy('created_at')
        .execute();
      return rows.map(({ kid, created_at }) => ({ kid, signsFrom: created_at }));
    },
    revoke: (kid) =>
      inTransaction(db, async (trx) => {
        const signs = await revokeSigningKey(trx, secretBox, kid, settings.now);
        if (signs !== null) await done(accountEvents['signing-key-revoked'], trx);
        return signs;
      }),
    reseal: async () => {
      const behind = await encryptionKeys.withoutFirstKey();
      if (behind.length > 0)
        throw new CommandError(
          `Nothing was changed: these processes do not encrypt with the first key of encryptionKey (ENCRYPTION_KEY): ${behind.join(', ')}. Restart them with it. A process that was killed counts as running for a minute.`,
        );
      const secrets = await resealStoredSecrets(db, secretBox);
      await done(accountEvents['secrets-resealed']);
      return secrets;
    },
  };
}

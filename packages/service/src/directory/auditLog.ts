import { readAuditLog, signedInFrom } from '../core/audit/auditLog.ts';
import type { AuditDirectory, UidOf } from '../core/directory.ts';
import type { ServiceContext } from '../core/context.ts';

export function createAuditDirectory({ db, slots }: ServiceContext, uidOf: UidOf): AuditDirectory {
  return {
    read: async function* ({ username, ...filter } = {}) {
      const uid = username === undefined ? {} : { uid: await uidOf(username) };
      const clientEvents = Object.entries(slots.auditEvents).flatMap(([event, { isOfClient }]) =>
        isOfClient === true ? [event] : [],
      );
      yield* readAuditLog(db, { ...uid, ...filter }, clientEvents);
    },
    signedInFrom: (network, period = {}) => signedInFrom(db, { network, ...period }),
  };
}

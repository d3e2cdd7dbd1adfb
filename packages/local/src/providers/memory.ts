import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Entry {
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Storage of one provider, for as long as its environment runs. The one of oidc-provider is meant for
 * development and warns on every start.
 */
export function memoryStorage(): AdapterFactory {
  const kinds = new Map<string, Map<string, Entry>>();
  return (kind) => {
    const entries = new Map<string, Entry>();
    kinds.set(kind, entries);
    const alive = (entry: Entry | undefined): AdapterPayload | undefined =>
      entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
    const findBy = (property: string, value: string): AdapterPayload | undefined =>
      alive([...entries.values()].find(({ payload }) => payload[property] === value));
    const done = Promise.resolve();
    return {
      upsert: (id, payload, expiresIn = Number.POSITIVE_INFINITY) => {
        for (const [key, entry] of entries) if (alive(entry) === undefined) entries.delete(key);
        entries.set(id, { payload, expiresAt: Date.now() + expiresIn * 1000 });
        return done;
      },
      find: (id) => Promise.resolve(alive(entries.get(id))),
      findByUid: (uid) => Promise.resolve(findBy('uid', uid)),
      findByUserCode: (code) => Promise.resolve(findBy('userCode', code)),
      consume: (id) => {
        const payload = entries.get(id)?.payload;
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
        return done;
      },
      destroy: (id) => {
        entries.delete(id);
        return done;
      },
      revokeByGrantId: (grantId) => {
        // A code that is used twice revokes everything of its grant: tokens of all kinds.
        for (const things of kinds.values()) {
          for (const [id, { payload }] of things) if (payload.grantId === grantId) things.delete(id);
        }
        return done;
      },
    };
  };
}

import type { Notes } from '../platform';

/**
 * Notes in the browser's own storage of the login origin, beside a copy that does while the browser refuses: a frame whose
 * storage is blocked throws on every access, and a full one on every write.
 *
 * @param storage - asked each time, because asking for it may throw
 * @param prefix - keeps several deployments on one origin apart
 */
export function createNotes(storage: () => Storage, prefix: string): Notes {
  const held = new Map<string, string>();
  return {
    read: (name) => held.get(name) ?? attempt(() => storage().getItem(prefix + name)) ?? null,
    write: (name, text) => {
      held.delete(name);
      const kept = attempt(() => {
        if (text === null) storage().removeItem(prefix + name);
        else storage().setItem(prefix + name, text);
        return true;
      });
      if (!kept && text !== null) held.set(name, text);
      return kept === true;
    },
  };
}

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

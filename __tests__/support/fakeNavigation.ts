import type { RawLocation } from '@shared/ports/ports';

/** History in memory, which records all calls. */
export type FakeNavigation = ReturnType<typeof createFakeNavigation>;
export function createFakeNavigation(initialPath: string, host: string) {
  const pushes: string[] = [];
  const replaces: string[] = [];
  const leaves: string[] = [];
  const states: unknown[] = [];
  let reloads = 0;
  let nextKey = 0;
  const listeners = new Set<(location: RawLocation) => void>();
  const entryFor = (path: string, state: unknown): RawLocation => {
    // As the real one does: with the origin in front, `//host` is a path.
    const { pathname, search, hash } = new URL(`http://${host}${path}`);
    nextKey += 1;
    return { pathname, search, hash, state: structuredClone(state), key: `key-${String(nextKey)}` };
  };
  let past: readonly RawLocation[] = [];
  let current = entryFor(initialPath, null);
  const moveTo = (entry: RawLocation) => {
    current = entry;
    for (const listener of [...listeners]) listener(entry);
  };
  const visit = (path: string, state: unknown = null) => {
    past = [...past, current];
    moveTo(entryFor(path, state));
  };
  return {
    /** Every path pushed, replaced, and every address left to, in order. */
    ...{ pushes, replaces, leaves },
    /** The state that was stored with each of them in the browser's history. */
    states,
    reloads: () => reloads,
    /** The address in the address bar: path, query, fragment. */
    address: () => current.pathname + current.search + current.hash,
    /** The user types an address of the application, or follows a link to it outside of the application. */
    visit,
    host: () => host,
    current: () => current,
    push: (path: string, state?: unknown) => {
      pushes.push(path);
      states.push(state);
      visit(path, state);
    },
    replace: (path: string, state: unknown = null) => {
      replaces.push(path);
      states.push(state);
      moveTo(entryFor(path, state));
    },
    back: () => {
      const previous = past.at(-1);
      past = past.slice(0, -1);
      if (previous) moveTo(previous);
    },
    subscribe: (listener: (location: RawLocation) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    leave: (target: string) => {
      leaves.push(target);
    },
    reload: () => {
      reloads += 1;
    },
  };
}

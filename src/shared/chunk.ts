import { isChunkLoadError } from '@shared/api/apiError';
import { createElement, useLayoutEffect, useState, type ComponentType } from 'react';

/** Code that is fetched when it is first needed. */
export interface Chunk<Module> {
  /** Fetches it once. Rejects as `import()` does when a file fails twice; the next call tries again. */
  readonly load: () => Promise<Module>;
  /** Without waiting. */
  readonly loaded: () => Module | undefined;
}

export function createChunk<Module>(fetch: () => Promise<Module>): Chunk<Module> {
  let module: Module | undefined;
  return { load: async () => (module ??= await fetchTwice(fetch)), loaded: () => module };
}

/** Code that the page can do without: where its files fail twice, the module is empty. */
export function createOptionalChunk<Module extends object>(
  fetch: () => Promise<Module>,
): Chunk<Partial<Module>> {
  return createChunk<Partial<Module>>(() => fetchTwice(fetch).catch(() => ({})));
}

/** One part of a module, by its name. */
export const partOf = <Module, Name extends keyof Module>(
  fetch: () => Promise<Module>,
  name: Name,
): Chunk<Module[Name]> => createChunk(async () => (await fetch())[name]);

/** Requests each file that breaks once more, so that a press that waits for it is carried out; a reload would lose the press. */
async function fetchTwice<Module>(
  fetch: () => Promise<Module>,
  broken: readonly unknown[] = [],
): Promise<Module> {
  try {
    return await fetch();
  } catch (error) {
    if (!isChunkLoadError(error) || broken.includes(error.request)) throw error;
    return await fetchTwice(fetch, [...broken, error.request]);
  }
}

/**
 * A component in a chunk, drawn at once where that has arrived, and as nothing before. React's `lazy` suspends at its first
 * drawing in any case, and React shows what was suspended 300 ms later at the earliest. A failed load goes to the error boundary; nothing
 * is drawn from an empty module.
 */
export function componentIn<Module, Props extends object>(
  chunk: Chunk<Module>,
  pick: (module: Module) => ComponentType<Props> | undefined,
): ComponentType<Props> & { readonly load: Chunk<Module>['load'] } {
  function InChunk(props: Props) {
    const [, redraw] = useState({});
    const module = chunk.loaded();
    useLayoutEffect(() => {
      if (chunk.loaded()) return;
      chunk.load().then(
        () => redraw({}),
        (error: unknown) =>
          redraw(() => {
            throw error;
          }),
      );
    }, []);
    const Picked = module && pick(module);
    return Picked ? createElement(Picked, props) : null;
  }
  InChunk.load = chunk.load;
  return InChunk;
}

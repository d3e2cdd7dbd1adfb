import { isChunkLoadError } from '@shared/api/apiError';
import { pageTexts } from './texts';
import { createElement, useLayoutEffect, useState, type ComponentType } from 'react';

/** Code that is fetched when it is first needed. */
export interface Chunk<Module> {
  /** Loads the code once. Rejects as `import()` does if a file fails twice, and then the next call tries again. */
  readonly load: () => Promise<Module>;
  /** The module if it has been loaded. */
  readonly loaded: () => Module | undefined;
}

export function createChunk<Module>(fetch: () => Promise<Module>): Chunk<Module> {
  let module: Module | undefined;
  const load = async (): Promise<Module> => {
    if (module) return module;
    const fetched = await fetchTwice(fetch);
    await pageTexts.loadTexts?.();
    return (module ??= fetched);
  };
  return { load, loaded: () => module };
}

/** A chunk that the page can do without. If its files fail twice, the module is empty. */
export function createOptionalChunk<Module extends object>(
  fetch: () => Promise<Module>,
): Chunk<Partial<Module>> {
  return createChunk<Partial<Module>>(() => fetchTwice(fetch).catch(() => ({})));
}

/** A chunk with one export of a module. */
export const partOf = <Module, Name extends keyof Module>(
  fetch: () => Promise<Module>,
  name: Name,
): Chunk<Module[Name]> => createChunk(async () => (await fetch())[name]);

/** Requests each file that fails once more. A reload instead would lose a press that waits for the file. */
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
 * A component in a chunk. It renders nothing until the chunk has loaded, and nothing if the module is empty. A failed load
 * goes to the error boundary. React's `lazy` is not used, because it suspends even if the chunk has loaded, and React then
 * waits 300 ms.
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

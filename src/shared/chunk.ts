import { createElement, useLayoutEffect, useState, type ComponentType } from 'react';

/** Code that is fetched when it is first needed. */
export interface Chunk<Module> {
  /** Fetches it once; after a failure the next call tries again. Rejects as `import()` does. */
  readonly load: () => Promise<Module>;
  /** Without waiting. */
  readonly loaded: () => Module | undefined;
}

export function createChunk<Module>(fetch: () => Promise<Module>): Chunk<Module> {
  let module: Module | undefined;
  return { load: async () => (module ??= await fetch()), loaded: () => module };
}

/**
 * A component in a chunk, drawn at once where that has arrived, and as nothing before. React's `lazy` suspends at its first
 * drawing in any case, and React shows what was suspended 300 ms later at the earliest. A failed load goes to the error boundary.
 */
export function componentIn<Module, Props extends object>(
  chunk: Chunk<Module>,
  pick: (module: Module) => ComponentType<Props>,
): ComponentType<Props> {
  return function InChunk(props: Props) {
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
    return module ? createElement(pick(module), props) : null;
  };
}

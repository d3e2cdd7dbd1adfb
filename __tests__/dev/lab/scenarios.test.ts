/** @jest-environment node */
import type { RootState } from '@app/rootReducer';
import { routes } from '@app/routes';
import { scenarios, stateOf } from '@dev/lab/scenarios';

const names = Object.keys(scenarios);

/** What the state holds at a path such as `auth.signIn`. */
function at(state: RootState | null, path: string): unknown {
  return path.split('.').reduce<unknown>((held, key) => {
    if (typeof held !== 'object' || held === null) return undefined;
    return (held as Readonly<Record<string, unknown>>)[key];
  }, state);
}

const phaseAt = (name: string): unknown => {
  const held = at(stateOf(name), name.split('/')[0] ?? '');
  return typeof held === 'object' && held !== null && 'phase' in held ? held.phase : undefined;
};

describe('a scenario', () => {
  // The compiler asks for one of every phase; the reducers have to agree that it is one.
  it.each(names.filter((name) => phaseAt(name) !== undefined))('%s is in the phase of its name', (name) => {
    expect(phaseAt(name)).toBe(name.split('/')[1]);
  });

  it.each(['none', 'trusted', 'untrusted'])('says who embeds the page: %s', (embedding) => {
    const [name] = names.filter((one) => one.startsWith(`session.embedding/${embedding}/`));
    expect(stateOf(name ?? '')?.session.embedding).toBe(embedding);
  });

  it('is there for every screen', () => {
    const drawn = new Set(names.map((name) => stateOf(name)?.page.location.route));
    expect(Object.keys(routes).filter((route) => !drawn.has(route))).toEqual([]);
  });

  it('can be had in another look, with long words, and embedded', () => {
    const state = stateOf('auth.signIn/loadingMethods/slow', {
      look: 'epay',
      words: 'long',
      embedding: 'trusted',
    });
    expect(state?.page.brand.application).toBe('e-pay');
    expect(state?.session.embedding).toBe('trusted');
    expect(JSON.stringify(state?.auth.signIn).length).toBeGreaterThan(150);
  });
});

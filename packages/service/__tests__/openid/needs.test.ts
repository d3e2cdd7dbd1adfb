import { isUnmet, levelIn, needsOf, type Demand, type Standing } from '../../src/openid/needs.ts';

const now = 1_000_000;
const demand = (changes: Partial<Demand> = {}): Demand => ({
  prompts: new Set(),
  maxAge: null,
  preferredLevel: 1,
  leastLevel: 1,
  scopes: ['openid', 'email'],
  asksConsent: false,
  isAssured: true,
  ...changes,
});
const standing = (changes: Partial<Standing> = {}): Standing => ({
  authenticatedAt: now - 100_000,
  level: 1,
  isFresh: false,
  hasProved: false,
  consented: null,
  hasAgreed: false,
  ...changes,
});

it.each<[string, Partial<Demand>, Partial<Standing>, readonly string[]]>([
  ['nothing', {}, {}, []],
  ['prompt=login', { prompts: new Set(['login']) }, {}, ['identity']],
  ['prompt=login after a sign-in', { prompts: new Set(['login']) }, { isFresh: true }, []],
  ['prompt=login after a proof', { prompts: new Set(['login']) }, { hasProved: true }, []],
  ['max_age that is over', { maxAge: 99 }, {}, ['identity']],
  ['max_age that is not over', { maxAge: 100 }, {}, []],
  ['a preferred level', { preferredLevel: 2 }, {}, ['identity']],
  ['a preferred level that is there', { preferredLevel: 2 }, { level: 2 }, []],
  ['a preferred level that the proof did not reach', { preferredLevel: 2 }, { hasProved: true }, []],
  ['a least level', { leastLevel: 2 }, {}, ['identity']],
  ['a least level after a sign-in by one factor', { leastLevel: 2 }, { isFresh: true }, ['identity']],
  ['consent', { asksConsent: true }, {}, ['consent']],
  ['consent that was given', { asksConsent: true }, { consented: ['openid', 'email'] }, []],
  ['consent for another scope', { asksConsent: true }, { consented: ['openid', 'profile'] }, ['consent']],
  ['consent for no scope', { asksConsent: true, scopes: ['openid'] }, {}, []],
  ['prompt=consent', { prompts: new Set(['consent']) }, { consented: ['email'] }, ['consent']],
  ['prompt=consent after the answer', { prompts: new Set(['consent']) }, { hasAgreed: true }, []],
  ['a client that is not assured', { isAssured: false, scopes: ['openid'] }, {}, ['consent']],
  [
    'a client that is not assured, with consent that was given',
    { isAssured: false, asksConsent: true },
    { consented: ['openid', 'email'] },
    ['consent'],
  ],
  ['a client that is not assured, after the answer', { isAssured: false }, { hasAgreed: true }, []],
  ['both', { prompts: new Set(['login', 'consent']) }, {}, ['identity', 'consent']],
])('%s', (_what, asked, known, needs) => {
  expect(needsOf(demand(asked), standing(known), now)).toEqual(needs);
});

it('a least level is unmet after a proof only', () => {
  const strong = demand({ leastLevel: 2 });
  expect(isUnmet(strong, standing({ isFresh: true }))).toBe(false);
  expect(isUnmet(strong, standing({ hasProved: true }))).toBe(true);
  expect(isUnmet(strong, standing({ hasProved: true, level: 2 }))).toBe(false);
});

it.each([
  [undefined, 1],
  ['', 1],
  ['urn:other urn:vestibule:2 urn:vestibule:1', 2],
  ['urn:vestibule:1 urn:vestibule:2', 1],
  ['urn:vestibule:22', 1],
])('acr_values %s has the level %i', (values, level) => {
  expect(levelIn(values)).toBe(level);
});

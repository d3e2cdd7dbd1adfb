import {
  isUnmet,
  levelIn,
  promptsOf,
  type AuthorizationRequest,
  type EndUser,
} from '../../src/openid/prompts.ts';

const now = 1_000_000;
const request = (changes: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  prompt: new Set(),
  maxAge: null,
  acrValues: 1,
  leastAcr: 1,
  scopes: ['openid', 'email'],
  asksConsent: false,
  isAssured: true,
  ...changes,
});
const user = (changes: Partial<EndUser> = {}): EndUser => ({
  authTime: now - 100_000,
  acr: 1,
  hasSecondStep: false,
  isFresh: false,
  wasAsked: false,
  hasSelected: false,
  hasProved: false,
  consented: null,
  hasAgreed: false,
  ...changes,
});

it.each<[string, Partial<AuthorizationRequest>, Partial<EndUser>, readonly string[]]>([
  ['nothing', {}, {}, []],
  ['prompt=login', { prompt: new Set(['login']) }, {}, ['login']],
  ['prompt=login after a sign-in', { prompt: new Set(['login']) }, { isFresh: true }, []],
  ['prompt=login after a proof', { prompt: new Set(['login']) }, { hasProved: true }, []],
  ['max_age that is over', { maxAge: 99 }, {}, ['login']],
  ['max_age that is not over', { maxAge: 100 }, {}, []],
  ['a preferred level', { acrValues: 2 }, {}, ['login']],
  ['a preferred level that is there', { acrValues: 2 }, { acr: 2 }, []],
  ['a preferred level that the proof did not reach', { acrValues: 2 }, { hasProved: true }, []],
  ['a preferred level without a second step, after a sign-in', { acrValues: 2 }, { isFresh: true }, []],
  ['a preferred level that was asked for before', { acrValues: 2 }, { wasAsked: true }, []],
  [
    'a preferred level with a second step, after a sign-in by one step',
    { acrValues: 2 },
    { hasSecondStep: true, isFresh: true, wasAsked: true },
    ['login'],
  ],
  ['prompt=select_account', { prompt: new Set(['select_account']) }, {}, ['select_account']],
  ['prompt=select_account after a sign-in', { prompt: new Set(['select_account']) }, { isFresh: true }, []],
  [
    'prompt=select_account after the answer',
    { prompt: new Set(['select_account']) },
    { hasSelected: true },
    [],
  ],
  ['a least level', { leastAcr: 2 }, {}, ['login']],
  ['a least level after a sign-in by one factor', { leastAcr: 2 }, { isFresh: true }, ['login']],
  ['consent', { asksConsent: true }, {}, ['consent']],
  ['consent that was given', { asksConsent: true }, { consented: ['openid', 'email'] }, []],
  ['consent for another scope', { asksConsent: true }, { consented: ['openid', 'profile'] }, ['consent']],
  ['consent for no scope', { asksConsent: true, scopes: ['openid'] }, {}, []],
  ['prompt=consent', { prompt: new Set(['consent']) }, { consented: ['email'] }, ['consent']],
  ['prompt=consent after the answer', { prompt: new Set(['consent']) }, { hasAgreed: true }, []],
  ['a client that is not assured', { isAssured: false, scopes: ['openid'] }, {}, ['consent']],
  [
    'a client that is not assured, with consent that was given',
    { isAssured: false, asksConsent: true },
    { consented: ['openid', 'email'] },
    ['consent'],
  ],
  ['a client that is not assured, after the answer', { isAssured: false }, { hasAgreed: true }, []],
  ['both', { prompt: new Set(['login', 'consent']) }, {}, ['login', 'consent']],
])('%s', (_what, asked, known, prompts) => {
  expect(promptsOf(request(asked), user(known), now)).toEqual(prompts);
});

it('a least level is unmet after a proof only', () => {
  const strong = request({ leastAcr: 2 });
  expect(isUnmet(strong, user({ isFresh: true }))).toBe(false);
  expect(isUnmet(strong, user({ hasProved: true }))).toBe(true);
  expect(isUnmet(strong, user({ hasProved: true, acr: 2 }))).toBe(false);
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

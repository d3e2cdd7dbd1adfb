import { decideAccess, type AccessDecision } from '@app/routeAccess.saga';
import type { RouteAccess } from '@app/routes';

type Row = readonly [RouteAccess | null, AccessDecision, AccessDecision, AccessDecision, AccessDecision];

describe('who may be where', () => {
  // route, then: nobody, a session, a setup-mode session, both
  it.each<Row>([
    ['public', 'enter', 'enter', 'enter', 'enter'],
    ['session', 'login', 'enter', 'accountSettings', 'enter'],
    ['setup', 'login', 'enter', 'enter', 'enter'],
    [null, 'login', 'accountSettings', 'accountSettings', 'accountSettings'],
  ])('%s route', (access, nobody, session, setup, both) => {
    expect(decideAccess(access, { session: false, setup: false })).toBe(nobody);
    expect(decideAccess(access, { session: true, setup: false })).toBe(session);
    expect(decideAccess(access, { session: false, setup: true })).toBe(setup);
    expect(decideAccess(access, { session: true, setup: true })).toBe(both);
  });
});

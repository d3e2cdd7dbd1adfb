/** @jest-environment node */
import { destinationOf, type Destination } from '@features/session/redirect/leaveFor.saga';
import { allowConfigured } from '@features/session/redirect/redirectAllowlist';
import type { Feature } from '@shared/deps';
import { hosts, testConfig } from '../../../support/builders';

const evil = 'https://evil.test/';
const settings: Destination = { kind: 'screen', path: '/account-settings' };
const one = [[hosts.ledger, hosts.hub]];
/** `/login` leads back to the screen of one of them. */
const features: readonly Feature[] = [
  { name: 'other' },
  {
    name: 'payments',
    routes: {
      settings: { pattern: '/account-settings', access: 'session', screen: { Screen: () => null } },
      confirm: {
        pattern: '/confirm/:id',
        returnsAfterLogin: true,
        access: 'session',
        screen: { Screen: () => null },
      },
    },
  },
];
const several = [[hosts.ledger], [hosts.hub]];

describe('the destination of a signed-in user', () => {
  it.each<readonly [string, readonly (readonly string[])[], string | null, Destination | string]>([
    ['one persona group: to its first application', one, null, hosts.ledger],
    ['several persona groups: to account settings', several, null, settings],
    ['an allowed redirect precedes the only persona', one, hosts.hub, hosts.hub],
    ['an allowed redirect precedes several', several, `${hosts.hub}x?id=7`, `${hosts.hub}x?id=7`],
    ['a path on the login host is a redirect too', one, '/two-auth', `${hosts.login}/two-auth`],
    ['a rejected redirect is ignored: the only persona decides', one, evil, hosts.ledger],
    ['a rejected redirect is ignored: several personas', several, evil, settings],
    ['an empty redirect is ignored', one, '', hosts.ledger],
    ['a persona address that is not allowed is ignored', [[evil]], null, settings],
    ['only the first address of the group counts', [[evil, hosts.ledger]], null, settings],
    ['a persona group without an address', [[]], null, settings],
  ])('%s', (_name, personas, redirectUrl, expected) => {
    const url = typeof expected === 'string' ? allowConfigured(expected) : null;
    expect(
      destinationOf({ personas }, { embedded: false, redirectUrl }, { config: testConfig(), features: [] }),
    ).toEqual(url ? { kind: 'application', url } : expected);
  });

  const framed = (redirectUrl: string | null) =>
    destinationOf({ personas: one }, { embedded: true, redirectUrl }, { config: testConfig(), features });

  it.each([
    null,
    hosts.hub,
    '/account-settings',
    '/two-auth',
    '//evil.test/confirm/c-1',
    '\\confirm\\c-1',
    `${hosts.ledger}confirm/c-1`,
    `${hosts.login}/confirm/c-1`,
    '/confirm',
    '/confirm/c-1/more',
  ])('nothing happens in an iframe, for any other redirect: %s', (redirectUrl) => {
    expect(framed(redirectUrl)).toEqual({ kind: 'stay' });
  });

  it('a frame returns to the screen that asked for the sign-in', () => {
    expect(framed('/confirm/c%201?x=1')).toEqual({ kind: 'screen', path: '/confirm/c%201?x=1' });
  });
});

/** @jest-environment node */
import { destinationOf, type Destination } from '@features/session/redirect/leaveFor.saga';
import { allowConfigured } from '@features/session/redirect/redirectDoor';
import { hosts, testConfig } from '../../../support/builders';

const evil = 'https://evil.test/';
const settings: Destination = { kind: 'accountSettings' };
const one = [[hosts.ledger, hosts.hub]];
const several = [[hosts.ledger], [hosts.hub]];

describe('the destination of a signed-in user', () => {
  it.each<readonly [string, readonly (readonly string[])[], string | null, Destination | string]>([
    ['one persona group: to its first application', one, null, hosts.ledger],
    ['several persona groups: to account settings', several, null, settings],
    ['an allowed redirect wins over the only persona', one, hosts.hub, hosts.hub],
    [
      'an allowed redirect wins over several',
      several,
      `${hosts.hub}invoices?id=7`,
      `${hosts.hub}invoices?id=7`,
    ],
    ['a path on the login host is a redirect too', one, '/two-auth', `${hosts.login}/two-auth`],
    ['a refused redirect is as none: the only persona decides', one, evil, hosts.ledger],
    ['a refused redirect is as none: several personas', several, evil, settings],
    ['an empty redirect is as none', one, '', hosts.ledger],
    ['a persona address that the door refuses counts as not given', [[evil]], null, settings],
    ['only the first address of the group counts', [[evil, hosts.ledger]], null, settings],
    ['a persona group without an address', [[]], null, settings],
  ])('%s', (_name, personas, redirectUrl, expected) => {
    const url = typeof expected === 'string' ? allowConfigured(expected) : null;
    expect(destinationOf({ personas }, { embedded: false, redirectUrl }, testConfig())).toEqual(
      url ? { kind: 'application', url } : expected,
    );
  });

  it.each([null, hosts.hub])(
    'nothing happens in an iframe, whatever redirect is given: %s',
    (redirectUrl) => {
      expect(destinationOf({ personas: one }, { embedded: true, redirectUrl }, testConfig())).toEqual({
        kind: 'stay',
      });
    },
  );
});

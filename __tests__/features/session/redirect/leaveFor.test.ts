/** @jest-environment node */
import { destinationOf, type Destination } from '@features/session/redirect/leaveFor.saga';
import { allowConfigured } from '@features/session/redirect/redirectDoor';
import { hosts, testConfig } from '../../../support/builders';

const evil = 'https://evil.test/';
const application = (address: string): Destination => {
  const url = allowConfigured(address);
  if (!url) throw new Error(`not an address: ${address}`);
  return { kind: 'application', url };
};

interface Case {
  readonly who: string;
  readonly personas?: readonly (readonly string[])[];
  readonly redirectUrl?: string | null;
  readonly embedded?: boolean;
  readonly expected: Destination;
}

describe('where a signed-in user goes', () => {
  it.each<Case>([
    {
      who: 'one persona group: to its first application',
      personas: [[hosts.ledger, hosts.hub]],
      expected: application(hosts.ledger),
    },
    {
      who: 'several persona groups: to account settings',
      personas: [[hosts.ledger], [hosts.hub]],
      expected: { kind: 'accountSettings' },
    },
    {
      who: 'an allowed redirect wins over the only persona',
      personas: [[hosts.ledger]],
      redirectUrl: hosts.hub,
      expected: application(hosts.hub),
    },
    {
      who: 'an allowed redirect wins over several personas',
      personas: [[hosts.ledger], [hosts.hub]],
      redirectUrl: `${hosts.hub}invoices?id=7`,
      expected: application(`${hosts.hub}invoices?id=7`),
    },
    {
      who: 'a path on the login host is a redirect too',
      personas: [[hosts.ledger]],
      redirectUrl: '/account-settings',
      expected: application(`${hosts.login}/account-settings`),
    },
    {
      who: 'a refused redirect is as none: the only persona decides',
      personas: [[hosts.ledger]],
      redirectUrl: evil,
      expected: application(hosts.ledger),
    },
    {
      who: 'a refused redirect is as none: several personas go to account settings',
      personas: [[hosts.ledger], [hosts.hub]],
      redirectUrl: evil,
      expected: { kind: 'accountSettings' },
    },
    {
      who: 'an empty redirect is as none',
      personas: [[hosts.ledger]],
      redirectUrl: '',
      expected: application(hosts.ledger),
    },
    {
      who: 'a persona address that the door refuses counts as not given',
      personas: [[evil]],
      expected: { kind: 'accountSettings' },
    },
    {
      who: 'only the first address of the group counts, even when it is refused',
      personas: [[evil, hosts.ledger]],
      expected: { kind: 'accountSettings' },
    },
    { who: 'a persona group without an address', personas: [[]], expected: { kind: 'accountSettings' } },
    {
      who: 'nothing happens in an iframe, whoever it is',
      personas: [[hosts.ledger]],
      embedded: true,
      expected: { kind: 'stay' },
    },
    {
      who: 'nothing happens in an iframe, not even for a given redirect',
      personas: [[hosts.ledger], [hosts.hub]],
      redirectUrl: hosts.hub,
      embedded: true,
      expected: { kind: 'stay' },
    },
  ])('$who', ({ personas = [], redirectUrl = null, embedded = false, expected }) => {
    expect(destinationOf({ personas }, { embedded, redirectUrl }, testConfig())).toEqual(expected);
  });
});

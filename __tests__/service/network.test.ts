/** @jest-environment node */
import fc from 'fast-check';
import { networkOf } from '../../service/http/network';

describe('what a client is counted by', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:51234', '192.0.2.1'],
    ['2001:db8:1:2::7', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1::/48'],
    ['[2001:db8:1:2::8]:443', '2001:db8:1::/48'],
    ['[2001:db8:1:2::8]', '2001:db8:1::/48'],
    ['2001:db8:1:3::7', '2001:db8:1::/48'],
    ['2001:db8:2:2::7', '2001:db8:2::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '127.0.0.1'],
    ['::', '0:0:0::/48'],
    ['1::', '1:0:0::/48'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['192.0.2', 'unknown'],
    ['192.0.2.1%eth0', 'unknown'],
    ["ada' or 1=1", 'unknown'],
  ])('of %j is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for every address of a /48, and another for every other', () => {
    const group = fc.integer({ min: 1, max: 0xfffe }).map((value) => value.toString(16));
    const front = fc.array(group, { minLength: 3, maxLength: 3 });
    const rest = fc.array(group, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(front, rest, front, rest, (network, host, otherNetwork, otherHost) => {
        const own = networkOf([...network, ...host].join(':'));
        expect(networkOf([...network, ...otherHost].join(':'))).toBe(own);
        const other = networkOf([...otherNetwork, ...host].join(':'));
        expect(other === own).toBe(network.join(':') === otherNetwork.join(':'));
      }),
    );
  });

  it('is found for anything that a header may hold', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => networkOf(text).length > 0));
    fc.assert(fc.property(fc.ipV6(), (address) => networkOf(address) !== 'unknown'));
  });
});

/** @jest-environment node */
import { lastFourOf } from '@features/mfa/status/lastFour';
import { methodOf } from '@features/mfa/activated/methodOf';

describe('the last four digits', () => {
  it.each([
    ['XXX-XXX-0143', '0143'],
    ['+12025550143', '0143'],
    ['+44 7700 900 123', '0123'],
    ['(202) 555-01-43', '0143'],
    ['0143', '0143'],
    ['143', null],
    ['XXX-XXX-XXXX', null],
    ['+1 202 555 0143 (mobile)', null],
    ['', null],
  ])('of %j are %j', (phoneNumber, digits) => {
    expect(lastFourOf(phoneNumber)).toBe(digits);
  });
});

describe('the method in the address', () => {
  it.each([
    ['?method=sms', 'sms'],
    ['?method=qrcode', 'qrcode'],
    ['?a=1&method=sms', 'sms'],
    ['?method=SMS', null],
    ['?method=', null],
    ['?method=%3Cb%3E', null],
    ['', null],
  ])('%j is %j', (search, method) => {
    expect(methodOf(search)).toBe(method);
  });
});

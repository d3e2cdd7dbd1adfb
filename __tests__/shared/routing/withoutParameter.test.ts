/** @jest-environment node */
import { withoutParameter } from '@shared/routing/paths';

it.each([
  ['', ''],
  ['?', ''],
  ['?mode=verify', ''],
  ['?mode', ''],
  ['?m%6Fde=verify', ''],
  ['?mode=verify&mode=other', ''],
  ['?url=https%3A%2F%2Fledger.test%2F%3Fmode%3Dverify', '?url=https%3A%2F%2Fledger.test%2F%3Fmode%3Dverify'],
  ['?url=/a+b&mode=verify&supplierHub', '?url=/a+b&supplierHub'],
  ['?Mode=verify&model=x&a=%zz', '?Mode=verify&model=x&a=%zz'],
])('of %j without its mode %j is left', (search, left) => {
  expect(withoutParameter(search, 'mode')).toBe(left);
});

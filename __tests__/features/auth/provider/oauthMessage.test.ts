/** @jest-environment node */
import { isReceived, readOauthMessage } from '@features/auth/provider/oauthMessage';
import fc from 'fast-check';
import { anyMessage, isGenuine } from './anyMessage';
import { examples } from '../../../support/examples';

const runs = examples(100_000);

describe('a message of the pop-up', () => {
  it.each([
    { type: 'oauth/code', code: 'c' },
    { type: 'oauth/code', code: 'c'.repeat(4096) },
    { type: 'oauth/code', code: '4/0AX4 <b>&"\u0000' },
    { type: 'oauth/error', error: 'access_denied' },
    { type: 'oauth/error', error: 'e'.repeat(64) },
  ])('is read as it stands: %j', (message) => {
    expect(readOauthMessage(message)).toEqual(message);
  });

  it.each<readonly [string, unknown]>([
    ['no object', 'oauth/code'],
    ['nothing', null],
    ['nothing at all', undefined],
    ['a list', ['oauth/code', 'c']],
    ['no type', { code: 'c' }],
    ['another type', { type: 'oauth/codes', code: 'c' }],
    ['the type in another case', { type: 'OAuth/Code', code: 'c' }],
    ['a type in a list', { type: ['oauth/code'], code: 'c' }],
    ['the opener’s own answer', { type: 'oauth/received' }],
    ['no code', { type: 'oauth/code' }],
    ['an empty code', { type: 'oauth/code', code: '' }],
    ['a code that is no text', { type: 'oauth/code', code: 1 }],
    ['a code in an object', { type: 'oauth/code', code: { toString: 'c' } }],
    ['a code over 4,096 characters', { type: 'oauth/code', code: 'c'.repeat(4097) }],
    ['more than the code', { type: 'oauth/code', code: 'c', state: 's' }],
    ['code and error', { type: 'oauth/code', code: 'c', error: 'access_denied' }],
    ['an error that is none of the protocol’s', { type: 'oauth/error', error: '<img src=x>' }],
    ['an error with a line after it', { type: 'oauth/error', error: 'access_denied\n' }],
    ['an empty error', { type: 'oauth/error', error: '' }],
    ['an error over 64 characters', { type: 'oauth/error', error: 'e'.repeat(65) }],
  ])('is ignored when it is %s', (_name, message) => {
    expect(readOauthMessage(message)).toBeNull();
  });

  it('of any shape is read exactly if it is genuine, and reading it never throws', () => {
    let genuine = 0;
    fc.assert(
      fc.property(anyMessage, (message) => {
        if (isGenuine(message)) genuine += 1;
        expect(readOauthMessage(message) !== null).toBe(isGenuine(message));
      }),
      { numRuns: runs },
    );
    // Both sides were seen.
    expect(genuine).toBeGreaterThan(runs / 500);
    expect(runs - genuine).toBeGreaterThan(runs / 2);
  });
});

describe('the answer of the opener', () => {
  it.each<readonly [unknown, boolean]>([
    [{ type: 'oauth/received' }, true],
    [{ type: 'oauth/code', code: 'c' }, false],
    [{ type: 'received' }, false],
    [{}, false],
    [null, false],
    ['oauth/received', false],
  ])('%j: %s', (message, expected) => {
    expect(isReceived(message)).toBe(expected);
  });

  it('is looked for in anything without throwing', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const { type } = Object(message) as { readonly type?: unknown };
        expect(isReceived(message)).toBe(typeof message === 'object' && type === 'oauth/received');
      }),
      { numRuns: runs },
    );
  });
});

import { createLog } from '@shared/ports/browser/log';
import { ApiError } from '@shared/api/apiError';
import * as v from 'valibot';

const token = 'eyJhbGciOiJub25lIn0.secret';

function report(error: unknown): string {
  const console = { warn: jest.fn(), error: jest.fn() };
  createLog(console).error('saga crashed', error);
  return console.error.mock.calls.flat().join('\n');
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('warns with the event and its facts', () => {
  const console = { warn: jest.fn(), error: jest.fn() };
  createLog(console).warn('session cookie refused', { bytes: 4097 });
  expect(console.warn.mock.calls).toEqual([['vestibule: session cookie refused', { bytes: 4097 }]]);
});

it('names the error and its position in the code', () => {
  const fault = thrownBy(() => (undefined as unknown as { x: number }).x);
  const text = report(fault);
  expect(text).toContain('vestibule: saga crashed');
  expect(text).toContain('TypeError: Cannot read properties of undefined');
  expect(text).toMatch(/\n\s+at .*log\.test/);
});

it('names the kind of call that failed', () => {
  expect(report(new ApiError('server', { status: 503, serverMessage: token }))).toContain(
    'ApiError: api call failed: server 503',
  );
});

it.each<[string, () => unknown]>([
  ['truncated JSON', () => JSON.parse(`"${token}`) as unknown],
  ['invalid JSON', () => JSON.parse(token) as unknown],
  ['a schema', () => v.parse(v.number(), token)],
  [
    'an address that history rejected',
    () => {
      throw new DOMException(`https://x/reset-password/${token}`, 'SecurityError');
    },
  ],
  [
    'a thrown value that is not an error',
    () => {
      throw token as unknown as Error;
    },
  ],
])('does not contain the processed data: %s', (_case, work) => {
  const text = report(thrownBy(work));
  expect(text).not.toContain('secret');
  expect(text).not.toContain('eyJ');
});

it('truncates a long message', () => {
  expect(report(new Error('x'.repeat(5000))).length).toBeLessThan(3000);
});

import fc from 'fast-check';
import type { TestResponse, TestService } from './testService.ts';

export const newPassword = 'New-secret8';

/** The error for a used, expired, unknown or wrong-kind link, as a credential. */
export const refusedLink = {
  error: { message: 'This link is invalid or has expired.', code: 'invalid_link' },
};

type Poster = Pick<TestService, 'post'>;

export function reset({ post }: Poster, hash: string, changes: object = {}): Promise<TestResponse> {
  const body = { password: newPassword, confirm: newPassword, hash, method: 'basic', ...changes };
  return post('/password-reset/v1/password-reset', body);
}

export function activate({ post }: Poster, hash: string, changes: object = {}): Promise<TestResponse> {
  const names = { firstName: 'Ina', lastName: 'Vited' };
  const body = { ...names, password: newPassword, confirm: newPassword, hash, method: 'basic', ...changes };
  return post('/password-reset/v1/activate', body);
}

export function openInvite({ get }: Pick<TestService, 'get'>, hash: string): Promise<TestResponse> {
  return get(`/user-management/v1/api-users/invite/link/${encodeURIComponent(hash)}`);
}

export function exchange({ post }: Poster, magiclinkId: string): Promise<TestResponse> {
  return post('/auth/v1/token', { magiclinkId, method: 'magiclink' });
}

/** Ids that are similar to the issued one. */
export function mangled(id: string): readonly string[] {
  return [
    id.slice(0, -1),
    `${id}A`,
    ` ${id}`,
    `${id}/`,
    `${id}?x=1`,
    `%2e%2e/${id}`,
    id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase(),
    `${id}' or '1'='1`,
    id.repeat(200),
  ];
}

/** Whatever may be in a link's segment: the contract excludes NUL, browsers exclude `.` and `..`. */
export const anySegment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  .filter((text) => !text.includes('\u0000') && text !== '.' && text !== '..');

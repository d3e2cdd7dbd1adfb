import { bearer, get, post, tokens, type Row } from '../../support/callRow';

const challenge = { username: 'a', method: 'basic', authVerificationToken: 'vt' } as const;
const used = { ...challenge, code: '7f3k', trust: true } as const;

/** The calls of recovery codes. */
export const rows: Readonly<Record<string, Row>> = {
  'recovery codes, left': [
    ({ recovery }) => recovery.count('b'),
    { remaining: 7, createdAt: '2026-11-02T09:30:00Z' },
    get('/auth/v1/recovery-codes', bearer),
    7,
  ],
  'recovery codes, new': [
    ({ recovery }) => recovery.make('b', { authVerificationToken: 'vt' }),
    { codes: ['7F3K-9QXA-2MVD-H4TE'] },
    post('/auth/v1/recovery-codes', { authVerificationToken: 'vt' }, bearer),
    ['7F3K-9QXA-2MVD-H4TE'],
  ],
  'recovery codes, used': [
    ({ recovery }) => recovery.use(used),
    { ...tokens, trustedToken: 'tt' },
    post('/auth/v1/recovery-codes/use', used),
  ],
};

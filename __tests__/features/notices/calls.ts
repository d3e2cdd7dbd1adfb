import { bearer, get, post, type Row } from '../../support/callRow';

const where = { browser: 'Firefox 153', system: null };
const at = '2026-11-02T09:30:00Z';
const network = '203.0.113.0/24';

/** The calls of `notices`. */
export const rows: Readonly<Record<string, Row>> = {
  'known device': [
    ({ notices }) => notices.know('b', { deviceToken: 'd' }),
    { deviceToken: 'd' },
    post('/auth/v1/devices/known', { deviceToken: 'd' }, bearer),
  ],
  notice: [
    ({ notices }) => notices.notice('h/1'),
    { kind: 'new-device', at, state: 'open', network, ...where },
    get('/auth/v1/notices/h%2F1'),
  ],
  'answer to a notice': [
    ({ notices }) => notices.answer('h/1', false),
    { resetHash: 'r' },
    post('/auth/v1/notices/h%2F1', { mine: false }),
    'r',
  ],
};

import { bearer, get, post, type Row } from '../../support/callRow';

const where = { browser: 'Firefox 153', system: null };
const at = '2026-11-02T09:30:00Z';
const network = '203.0.113.0/24';
const session = { id: 's', current: true, startedAt: at, lastSeenAt: at, method: 'basic', network, ...where };
const device = { id: 'd', trustedAt: at, expiresAt: at, ...where };
const event = { id: '7', at, kind: 'signed-in', method: 'basic', network, ...where };

/** The calls of `sessions`. */
export const rows: Readonly<Record<string, Row>> = {
  sessions: [
    ({ sessions }) => sessions.list('b'),
    { sessions: [session] },
    get('/auth/v1/sessions', bearer),
    [session],
  ],
  'end sessions': [
    ({ sessions }) => sessions.end('b', { ids: ['s'] }),
    {},
    post('/auth/v1/sessions/end', { ids: ['s'] }, bearer),
    undefined,
  ],
  'trusted devices': [
    ({ sessions }) => sessions.trustedDevices('b'),
    { devices: [device] },
    get('/auth/v1/trusted-devices', bearer),
    [device],
  ],
  'forget devices': [
    ({ sessions }) => sessions.forgetDevices('b', { ids: ['d'] }),
    {},
    post('/auth/v1/trusted-devices/forget', { ids: ['d'] }, bearer),
    undefined,
  ],
  'activity, first page': [
    ({ sessions }) => sessions.activity('b'),
    { events: [event, { ...event, id: '6' }], more: true },
    get('/auth/v1/activity', bearer),
    {
      entries: [
        { ...event, added: event },
        { ...event, id: '6', added: { ...event, id: '6' } },
      ],
      next: '6',
    },
  ],
  'activity, next page': [
    ({ sessions }) => sessions.activity('b', '6'),
    { events: [], more: false },
    get('/auth/v1/activity?before=6', bearer),
    { entries: [], next: null },
  ],
};

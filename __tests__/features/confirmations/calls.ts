import { passkeys } from '../../support/builders';
import { bearer, get, post, type Row } from '../../support/callRow';

const path = '/auth/v1/confirmations/c%2F1';
const assertion = { challengeToken: 'c', credential: passkeys.assertion };
const bound = {
  application: { name: 'Ledger' },
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};
const open = {
  state: 'open',
  methods: ['passkey', 'text', 'pigeon'],
  waiting: [{ method: 'text', from: '2026-11-29T12:00:00.000Z' }],
  blockedUntil: '2026-11-28T12:15:00.000Z',
  needsIdentity: true,
  returnUrl: 'https://ledger.example.com/payments/114',
  expiresAt: '2026-11-28T12:05:00.000Z',
};
const least = { ...bound, payee: { name: 'Northwind GmbH' }, reference: null };
const decided = {
  state: 'declined',
  methods: [],
  waiting: [],
  blockedUntil: null,
  needsIdentity: false,
  returnUrl: null,
  expiresAt: open.expiresAt,
};
const { waiting: _since, blockedUntil: _this, needsIdentity: _version, ...former } = decided;
const elements = '/auth/v1/payment-elements';
const element = {
  method: 'passkey',
  id: 'p1',
  name: 'Firefox on Windows',
  confirmsFrom: '2026-11-29T12:00:00.000Z',
  needsSignIn: true,
};
const found = {
  elements: [element, { ...element, method: 'text', id: null, name: null }],
  methods: ['text'],
};

/** The calls of `confirmations`. */
export const rows: Readonly<Record<string, Row>> = {
  confirmation: [
    ({ confirmations }) => confirmations.confirmation('b', 'c/1'),
    { ...bound, ...open, lastFourPhone: '0123' },
    get(path, bearer),
    { ...open, payment: bound },
  ],
  'confirmation with the least': [
    ({ confirmations }) => confirmations.confirmation('b', 'c/1'),
    { ...least, ...decided, lastFourPhone: null },
    get(path, bearer),
    { ...decided, payment: least },
  ],
  'confirmation of the former version': [
    ({ confirmations }) => confirmations.confirmation('b', 'c/1'),
    { ...least, ...former, lastFourPhone: null },
    get(path, bearer),
    { ...decided, payment: least },
  ],
  'identity for a confirmation': [
    ({ confirmations }) => confirmations.proveIdentity('b', 'c/1', { authVerificationToken: 'v' }),
    { state: 'open' },
    post(`${path}/identity`, { authVerificationToken: 'v' }, bearer),
    'open',
  ],
  'payment elements': [
    ({ confirmations }) => confirmations.elements('b'),
    { ...found, lastFourPhone: '0123' },
    get(elements, bearer),
    found,
  ],
  'passkey options of a permission': [
    ({ confirmations }) => confirmations.permissionOptions('b', 'p1'),
    passkeys.options,
    post(`${elements}/passkey/options`, { id: 'p1' }, bearer),
  ],
  'permission by passkey': [
    ({ confirmations }) => confirmations.permitByPasskey('b', { id: 'p1', ...assertion }),
    {},
    post(`${elements}/passkey`, { id: 'p1', ...assertion }, bearer),
    undefined,
  ],
  'text message of a permission': [
    ({ confirmations }) => confirmations.sendPermissionCode('b', 'p1'),
    { lastFourPhone: '0123' },
    post(`${elements}/text`, { id: 'p1' }, bearer),
  ],
  'permission by code': [
    ({ confirmations }) => confirmations.permitByCode('b', { id: 'p1', code: '123456' }),
    {},
    post(`${elements}/code`, { id: 'p1', code: '123456' }, bearer),
    undefined,
  ],
  'passkey options of a confirmation': [
    ({ confirmations }) => confirmations.passkeyOptions('b', 'c/1'),
    passkeys.options,
    post(`${path}/passkey/options`, {}, bearer),
  ],
  'confirmation by passkey': [
    ({ confirmations }) => confirmations.byPasskey('b', 'c/1', assertion),
    { state: 'confirmed' },
    post(`${path}/passkey`, assertion, bearer),
    'confirmed',
  ],
  'text message of a confirmation': [
    ({ confirmations }) => confirmations.sendText('b', 'c/1'),
    { lastFourPhone: '0123' },
    post(`${path}/text`, {}, bearer),
  ],
  'confirmation by code': [
    ({ confirmations }) => confirmations.byCode('b', 'c/1', '123456'),
    { state: 'confirmed' },
    post(`${path}/code`, { code: '123456' }, bearer),
    'confirmed',
  ],
  'declined confirmation': [
    ({ confirmations }) => confirmations.decline('b', 'c/1'),
    { state: 'declined' },
    post(`${path}/decline`, {}, bearer),
    'declined',
  ],
};

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
  returnUrl: 'https://ledger.example.com/payments/114',
  expiresAt: '2026-11-28T12:05:00.000Z',
};
const least = { ...bound, payee: { name: 'Northwind GmbH' }, reference: null };
const decided = { state: 'declined', methods: [], returnUrl: null, expiresAt: open.expiresAt };

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

import * as v from 'valibot';
import { clientFields } from '../../src/core/clientFields.ts';
import { optionsOf } from '../support/extensions.ts';
import { sms } from '../support/secondStep.ts';
import { ada, describeService, issuer, startTestService, text } from '../support/testService.ts';
import { basic, payment, paymentCalls, secret, withClients } from './payments.ts';

const clients = withClients(
  { id: 'ledger' },
  { id: 'treasury', persona: 'treasury' },
  { id: 'reports', confirmations: false },
);
const path = '/auth/v1/confirmations';

const refused = {
  message: 'This request could not be understood. Please check your entries and try again.',
  code: 'invalid_request',
};
const forbidden = { message: 'This application may not ask for this payment.', code: 'forbidden' };

describeService(
  'asking for a payment',
  (service) => {
    const ask = (changes: object = {}, headers: Readonly<Record<string, string>> = basic()) =>
      service.post(path, { uid: 'u_ada', ...payment, ...changes }, { headers });
    const faultsOf = async (changes: object) => {
      const { status, body } = await ask(changes);
      return [status, body['errors']];
    };
    const { call, confirmByText, fail, receiptOf } = paymentCalls(service);
    beforeEach(async () => {
      await service.write({ uid: 'u_ada' });
    });

    it('is refused to a client that does not confirm payments, and so are receipts', async () => {
      const id = text(await ask(), 'id');
      for (const response of [
        await ask({}, basic('reports')),
        await service.get(`${path}/${id}/receipt`, { headers: basic('reports') }),
      ]) {
        expect([response.status, response.headers.get('content-type')]).toEqual([
          403,
          'application/problem+json; charset=utf-8',
        ]);
        expect(response.body).toEqual({
          ...{ type: 'about:blank', title: 'Forbidden', status: 403 },
          detail: 'the client is registered without `confirmations`',
          error: forbidden,
        });
      }
    });

    it('is refused for a user without the persona that the client requires', async () => {
      const detail = 'is of a user without the persona that the client requires';
      expect((await ask({}, basic('treasury'))).body).toEqual({
        ...{ type: 'about:blank', title: 'Forbidden', status: 403 },
        detail: `uid: ${detail}`,
        errors: [{ field: 'uid', detail }],
        error: forbidden,
      });
      await service.write({ uid: 'u_ada', personas: { treasury: [] } });
      expect((await ask({}, basic('treasury'))).status).toBe(201);
    });

    it.each([
      ['the user loses the persona', () => service.write({ uid: 'u_ada', mfa: sms }), 'open'],
      ['the client is removed', () => service.directory.clients.remove('shop'), undefined],
    ])('leads to a payment that nobody can confirm once %s', async (_what, change, state) => {
      const fields = { id: 'shop', name: 'Shop', confirmations: true, persona: 'treasury' };
      const added = await service.directory.clients.add(v.parse(clientFields, fields));
      const { bearer } = await service.signedIn({ uid: 'u_ada', personas: { treasury: [] }, mfa: sms });
      const own = basic('shop', added.secret ?? '');
      const id = text(await ask({}, own), 'id');
      expect((await call(bearer, id, 'text')).status).toBe(200);
      await change();
      const code = service.outbox.newestCode();
      for (const response of [
        await service.get(`${path}/${id}`, { bearer }),
        await call(bearer, id, 'text'),
        await call(bearer, id, 'code', { code }),
        await call(bearer, id, 'decline'),
      ])
        expect(response.status).toBe(404);
      const receipt = await service.get(`${path}/${id}/receipt`, { headers: own });
      expect(receipt.body['state']).toBe(state);
      if (state !== undefined) await service.directory.clients.remove('shop');
    });

    it.each<[string, object, string, string]>([
      [
        'a currency with which nobody pays',
        { amount: { value: '1.00', currency: 'XXX' } },
        'amount.currency',
        'is not a currency of ISO 4217 with which people pay',
      ],
      [
        'a fraction of yen',
        { amount: { value: '1.00', currency: 'JPY' } },
        'amount.value',
        'must have 0 digits after the point in this currency',
      ],
      [
        'too few digits',
        { amount: { value: '1', currency: 'EUR' } },
        'amount.value',
        'must have 2 digits after the point in this currency',
      ],
      [
        'forints without fillér',
        { amount: { value: '149', currency: 'HUF' } },
        'amount.value',
        'must have 2 digits after the point in this currency',
      ],
      [
        'too many digits',
        { amount: { value: '12345678901234.56', currency: 'EUR' } },
        'amount.value',
        'must NOT have more than 16 characters',
      ],
      [
        'sixteen digits',
        { amount: { value: '1234567890123456', currency: 'JPY' } },
        'amount.value',
        'must not have more than 15 digits',
      ],
      [
        'nothing',
        { amount: { value: '0.00', currency: 'EUR' } },
        'amount.value',
        'must be greater than zero',
      ],
      [
        'a currency in small letters',
        { amount: { value: '1.00', currency: 'eur' } },
        'amount.currency',
        'must match pattern "^[A-Z]{3}$"',
      ],
      ...['-1.00', '01.00', '1.', '1e3'].map((value): [string, object, string, string] => [
        `the amount ${value}`,
        { amount: { value, currency: 'EUR' } },
        'amount.value',
        String.raw`must match pattern "^(0|[1-9][0-9]*)(\.[0-9]+)?$"`,
      ]),
      [
        'half a character',
        { payee: { name: 'Eve\ud800' } },
        'payee.name',
        String.raw`must match pattern "^[^\u0000\ud800-\udfff]*$"`,
      ],
      ['an amount without currency', { amount: { value: '1.00' } }, 'amount.currency', 'is missing'],
      ['a number', { amount: { value: 149.9, currency: 'EUR' } }, 'amount.value', 'must be string'],
      ['no payee', { payee: undefined }, 'payee', 'is missing'],
      [
        'a long name',
        { payee: { name: 'x'.repeat(71) } },
        'payee.name',
        'must NOT have more than 70 characters',
      ],
      [
        // In the form NFC this letter is written with a mark.
        'a name that is long in the form NFC',
        { payee: { name: '\u0958'.repeat(36) } },
        'payee.name',
        'must not have more than 70 characters in the form NFC',
      ],
      [
        'a name that hides something',
        { payee: { name: 'Ev\u200be' } },
        'payee.name',
        'has U+200B, of which nothing is drawn there',
      ],
      [
        'an account of two blanks',
        { payee: { name: 'Eve', account: 'DE02  1203' } },
        'payee.account',
        'has two blanks in a row',
      ],
      [
        'a reference with a blank behind',
        { reference: 'Invoice ' },
        'reference',
        'begins or ends with a blank',
      ],
      ['an unknown field', { note: 'x' }, 'note', 'is not known'],
      ['an unknown field of the payee', { payee: { name: 'Eve', iban: 'x' } }, 'payee.iban', 'is not known'],
      ['a long life', { lifeSeconds: 901 }, 'lifeSeconds', 'must be <= 900'],
      ['a short life', { lifeSeconds: 59 }, 'lifeSeconds', 'must be >= 60'],
      ['a method that is none', { methods: ['mail'] }, 'methods.0', 'must be one of passkey, text'],
    ])(
      'with %s is answered with the field and what is wrong with it',
      async (_what, changes, field, detail) => {
        expect(await faultsOf(changes)).toEqual([400, [{ field, detail }]]);
      },
    );

    it('is answered with all that is wrong with amount, names and address', async () => {
      const response = await ask({
        amount: { value: '1.00', currency: 'ANG' },
        payee: { name: 'Eve\u202e' },
        returnUrl: 'https://evil.test/',
      });
      const errors = [
        { field: 'amount.currency', detail: 'is not a currency of ISO 4217 with which people pay' },
        { field: 'payee.name', detail: 'has U+202E, of which nothing is drawn there' },
        {
          field: 'returnUrl',
          detail:
            'is not an address that the page follows: it must be https, on a host that `redirectHosts` lists or on that of the page, without a user',
        },
      ];
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(response.body).toEqual({
        ...{ type: 'about:blank', title: 'Bad Request', status: 400 },
        detail: errors.map(({ field, detail }) => `${field}: ${detail}`).join('; '),
        errors,
        error: refused,
      });
    });

    it.each([
      ['no JSON', '{', 'body is not valid JSON'],
      ['a list', '[]', 'must be object'],
      ['a value as a name', '{"4111 1111 1111 1111":1}', 'has a property that is not known'],
    ])('with %s is answered without a field, and without what was sent', async (_what, rawBody, detail) => {
      const uid = rawBody.startsWith('{"')
        ? `{"uid":"u","amount":{"value":"1","currency":"JPY"},"payee":{"name":"x"},`
        : '';
      const response = await service.send('POST', path, {
        rawBody: uid + (uid === '' ? rawBody : rawBody.slice(1)),
        headers: basic(),
      });
      expect(response.body).toEqual({
        ...{ type: 'about:blank', title: 'Bad Request', status: 400, detail, error: refused },
      });
    });

    it('with an empty key names the header', async () => {
      const long = { ...basic(), 'Idempotency-Key': 'x'.repeat(256) };
      expect((await ask({}, long)).body['errors']).toEqual([
        { field: 'Idempotency-Key', detail: 'must have 1 to 255 characters' },
      ]);
    });

    it('does not tell servers without valid credentials what is wrong', async () => {
      const { status, headers, body } = await ask({ note: 'x' }, basic('ledger', 'wrong'));
      expect([status, headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
      expect(Object.keys(body)).toEqual(['error']);
    });

    it('keeps names in the form NFC, in which they are compared', async () => {
      const key = { ...basic(), 'Idempotency-Key': 'coffee' };
      const decomposed = { payee: { name: 'Cafe\u0301', account: 'e\u0301' }, reference: 'e\u0301' };
      const first = await ask(decomposed, key);
      const second = await ask({ payee: { name: 'Café', account: 'é' }, reference: 'é' }, key);
      expect([second.status, second.body]).toEqual([201, first.body]);
      const { confirmations } = (await service.directory.accounts.exportPerson(ada)) as unknown as {
        confirmations: { details: string }[];
      };
      expect(confirmations).toHaveLength(1);
      expect(JSON.parse(confirmations[0]?.details ?? '')).toMatchObject({
        ...{ payee: { name: 'Café', account: 'é' }, reference: 'é' },
      });
    });

    it.each([
      'https://evil.test/',
      'https://example.com.evil.test/',
      'https://ledger.example.com@evil.test/',
      'https://ada@ledger.example.com/',
      '//ledger.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'ledger.example.com',
    ])('with %s to return to is refused', async (returnUrl) => {
      const [status, errors] = await faultsOf({ returnUrl });
      expect(status).toBe(400);
      expect(errors).toEqual([
        { field: 'returnUrl', detail: expect.stringMatching(/^is not an address that/) as unknown },
      ]);
    });

    it.each(['https://ledger.example.com/payments/114?paid', '/account-settings'])(
      'may return to %s',
      async (returnUrl) => {
        expect((await ask({ returnUrl })).status).toBe(201);
      },
    );

    it('says with the same key in which state the payment is by now', async () => {
      const { bearer } = await service.signedIn({ uid: 'u_ada', mfa: sms });
      const keyed = async (key: string) =>
        (await ask({ lifeSeconds: 60 }, { ...basic(), 'Idempotency-Key': key })).body as {
          id: string;
          state: string;
        };
      const [confirmed, declined, failed] = [await keyed('1'), await keyed('2'), await keyed('3')];
      await keyed('4');
      expect(confirmed.state).toBe('open');
      await confirmByText(bearer, confirmed.id);
      await call(bearer, declined.id, 'decline');
      await fail(bearer, failed.id);
      service.passSeconds(61);
      const states = [];
      for (const key of ['1', '2', '3', '4']) states.push((await keyed(key)).state);
      expect(states).toEqual(['confirmed', 'declined', 'failed', 'expired']);
      const again = await keyed('5');
      expect([again.state, again.id === declined.id, (await receiptOf(again.id)).state]).toEqual([
        'open',
        false,
        'open',
      ]);
    });
  },
  // The service has the hosts of the page, such as `*.example.com`.
  { ...optionsOf('confirmations'), ...clients },
);

it('an address of OpenID Connect is none to return to, also where its host is listed', async () => {
  await using service = await startTestService({ ...clients, redirectHosts: ['*.payments.localhost'] });
  await service.write({ uid: 'u_ada' });
  const answers = [];
  for (const below of ['/oidc/auth?client_id=x', '/%6fidc/logout', '//OIDC/auth', '/oidc', '/paid', '/oidcs'])
    answers.push(
      await service.post(path, { uid: 'u_ada', ...payment, returnUrl: issuer + below }, { headers: basic() }),
    );
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 201, 201]);
  expect(answers[0]?.body['errors']).toEqual([
    {
      field: 'returnUrl',
      detail: 'is below `/oidc/`, where it would sign in to an application, or out of it',
    },
  ]);
});

describe('the calls of servers', () => {
  const start = (rateLimit: object) =>
    startTestService({ ...clients, rateLimit, trustedProxies: ['127.0.0.1'] });
  const from = (address: string, headers: object) => ({
    headers: { 'X-Forwarded-For': address, ...headers },
  });
  const receipt = `${path}/unknown/receipt`;

  it('are limited for each client, from whatever address they come', async () => {
    await using service = await start({ clientCallsPerMinute: 3, secretChecksPerMinute: 1 });
    const statuses = async (addresses: readonly string[], client: string) => {
      const found: number[] = [];
      for (const address of addresses)
        found.push((await service.get(receipt, from(address, basic(client)))).status);
      return found;
    };
    const one = '192.0.2.1';
    expect(await statuses([one, one, one, one, '192.0.2.2'], 'ledger')).toEqual([404, 404, 404, 429, 429]);
    // Another application of the same network.
    expect(await statuses([one, one, one, one], 'treasury')).toEqual([404, 404, 404, 429]);
  });

  it('are limited by network while the credentials are wrong, which harms no other client there', async () => {
    await using service = await start({ clientCallsPerMinute: 3, secretChecksPerMinute: 2 });
    const [one, other] = ['192.0.2.1', '192.0.2.2'];
    const status = async (address: string, headers: object) =>
      (await service.get(receipt, from(address, headers))).status;
    expect(await status(one, basic('unknown'))).toBe(401);
    expect(await status(one, {})).toBe(401);
    expect(await status(one, basic('unknown'))).toBe(429);
    expect(await status(one, basic('ledger', 'wrong'))).toBe(429);
    expect(await status(one, { Authorization: 'Basic !' })).toBe(429);
    expect(await status(other, basic('unknown'))).toBe(401);
    expect(await status(one, basic('treasury'))).toBe(404);
  });

  it('do not check more secrets of a client from a network than the limit says', async () => {
    await using service = await start({ secretChecksPerMinute: 2 });
    const [one, other] = ['192.0.2.1', '192.0.2.2'];
    const statuses: number[] = [];
    for (const password of ['a', 'b', secret])
      statuses.push((await service.get(receipt, from(one, basic('ledger', password)))).status);
    statuses.push((await service.get(receipt, from(other, basic()))).status);
    expect(statuses).toEqual([401, 401, 429, 404]);
  });
});

import { createContractChecker } from '../src/responseValidation.ts';
import { operationsOf, readContract } from '../src/document.ts';

const document = readContract();
const operations = operationsOf(document);
const checker = createContractChecker();
const callsOf = (wanted: string | null): readonly string[] =>
  operations
    .filter(({ extension }) => extension === wanted)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .sort();

describe('the contract', () => {
  it('has the sixteen calls, two of which share one address', () => {
    expect(callsOf(null)).toEqual(
      [
        'GET /auth/v1/method/{username}',
        'POST /auth/v1/token',
        'POST /auth/v1/refresh',
        'POST /auth/v1/validate-password',
        'POST /mfa/v1/validate-setup',
        'POST /mfa/v1/sms-authy-add',
        'POST /mfa/v1/twofactor-add',
        'POST /mfa/v1/disable',
        'GET /mfa/v1/authy-info',
        'GET /user-management/v1/users/{uid}',
        'POST /password-reset/v1/forgot-password',
        'POST /password-reset/v1/password-reset',
        'POST /password-reset/v1/password-reset-manual',
        'POST /password-reset/v1/activate',
        'GET /user-management/v1/api-users/invite/link/{hash}',
      ].sort(),
    );
    expect(checker.faultInRequest('createToken', { magiclinkId: 'x', method: 'magiclink' })).toBeNull();
  });

  it('tags every call of an extension, and no other, as extension', () => {
    const calls = Object.values(propertiesOf(document['paths'])).flatMap((path) =>
      Object.values(propertiesOf(path)).map(propertiesOf),
    );
    const tagged = calls.filter(({ tags }) => Array.isArray(tags) && tags.includes('extension'));
    expect(tagged).toEqual(calls.filter((call) => 'x-extension' in call));
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has examples, and each is as its own schema says',
    (id, { requestExamples, responses }) => {
      const requestFaults = Object.values(requestExamples ?? { none: undefined }).map((example) =>
        checker.faultInRequest(id, example),
      );
      expect(new Set(requestFaults)).toEqual(new Set([null]));
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', 'default']));
      expect('200' in responses || '201' in responses).toBe(true);
      for (const [status, { examples }] of Object.entries(responses)) {
        const code = status === 'default' ? 500 : Number(status.replace('XX', '99'));
        const faults = Object.values(examples).map((example) => checker.faultInResponse(id, code, example));
        expect([status, new Set(faults)]).toEqual([status, new Set([null])]);
      }
    },
  );

  const withJson = operations.filter(({ isStream }) => !isStream);
  it.each(withJson.map(({ id }) => id))('%s: an answer may have additional properties', (id) => {
    const { responses = {} } = operations.find((operation) => operation.id === id) ?? {};
    const status = '201' in responses ? 201 : 200;
    const [example] = Object.values(responses[status]?.examples ?? {});
    const withMore = (item: unknown): object => ({ ...propertiesOf(item), further: { any: 1 } });
    const more = Array.isArray(example) ? example.map(withMore) : withMore(example);
    expect(checker.faultInResponse(id, status, more)).toBeNull();
  });

  it.each([
    'validateMfaSetup',
    'disableMfa',
    'requestPasswordReset',
    'resetPassword',
    'changePassword',
    'activateAccount',
  ])('%s: what the specification leaves open, the contract does', (id) => {
    for (const status of [200, 201, 202, 204])
      for (const body of [{}, { id: 7 }, 'OK', true, null, [], undefined])
        expect([status, body, checker.faultInResponse(id, status, body)]).toEqual([status, body, null]);
    expect(checker.faultInResponse(id, 300, {})).not.toBeNull();
    expect(checker.faultInResponse(id, 401, 'No')).not.toBeNull();
  });

  it.each(operations.filter(({ requestSchema }) => requestSchema !== null).map(({ id }) => id))(
    '%s: a request may not',
    (id) => {
      const examples = operations.find((operation) => operation.id === id)?.requestExamples;
      for (const example of Object.values(examples ?? {})) {
        expect(checker.faultInRequest(id, { ...propertiesOf(example), further: 1 })).not.toBeNull();
      }
    },
  );

  it('limits every string of a request, and excludes NUL and unpaired surrogates', () => {
    const requests = operations.flatMap(({ id, requestExamples }) =>
      Object.values(requestExamples ?? {}).map((example) => [id, example] as const),
    );
    let strings = 0;
    for (const [id, example] of requests) {
      for (const [name, value] of Object.entries(propertiesOf(example))) {
        if (typeof value !== 'string') continue;
        strings += 1;
        for (const invalid of [`${value}\u0000`, `${value}\ud800`, value.repeat(10_000)]) {
          expect([
            id,
            name,
            checker.faultInRequest(id, { ...propertiesOf(example), [name]: invalid }),
          ]).toEqual([id, name, expect.any(String)]);
        }
      }
    }
    expect(strings).toBeGreaterThan(40);
  });
});

function propertiesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}));
}

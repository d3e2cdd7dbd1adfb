/** @jest-environment node */
import { hostOf, originOf, roleOf } from '../../local/hosts';

describe('the name in the Host header', () => {
  test.each([
    ['payments.localhost:4000', 'start'],
    ['localhost:4000', 'start'],
    ['127.0.0.1:4000', 'start'],
    ['[::1]:4000', 'start'],
    ['login.payments.localhost:4000', 'app'],
    ['LOGIN.payments.localhost', 'app'],
    ['login.payments.localhost.:4000', 'app'],
    ['suppliers.payments.localhost:4000', 'suppliers'],
    ['go.payments.localhost:4000', 'shortLinks'],
    ['api.payments.localhost:4000', 'api'],
    ['ledger.payments.localhost:4000', 'ledger'],
    ['hub.payments.localhost:4000', 'hub'],
    ['outbox.payments.localhost:4000', 'outbox'],
    ['partner.localhost:4000', 'partner'],
    ['evil.localhost:4000', 'stranger'],
  ])('%s leads to %s', (host, role) => {
    expect(roleOf(host)).toBe(role);
  });

  test.each([
    undefined,
    '',
    'example.com',
    'login.payments.localhost.example.com',
    'payments.localhost@x',
    '10.0.0.1',
  ])('%s leads nowhere, so that no foreign page can rebind its name to this machine', (host) => {
    expect(roleOf(host)).toBeNull();
  });

  test('is written without the port where browsers leave it out', () => {
    expect(hostOf('app', 4000)).toBe('login.payments.localhost:4000');
    expect(originOf('app', 80)).toBe('http://login.payments.localhost');
  });
});

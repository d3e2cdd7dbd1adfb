/**
 * Tests openid.calls.
 * @jest-environment node
 */
import { ApiError } from '@shared/api/apiError';
import { createAllCalls } from '../../support/allCalls';
import type { Calls } from '../../support/callRow';
import { answering, startScriptedService, type ScriptedService } from '../../support/scriptedService';

let service: ScriptedService;
let api: Calls;

beforeAll(async () => {
  service = await startScriptedService();
  api = await createAllCalls({
    serviceUrl: service.url,
    clock: { now: () => Date.now(), monotonic: () => 0, pause: () => Promise.resolve() },
  });
});
afterAll(async () => {
  await service.stop();
});

const over = (application?: object) => ({
  error: { code: 'request_over', message: 'This request is over.', application },
});
const calls = {
  request: () => api.openid.request('b', 'q'),
  answer: () => api.openid.answer('b', 'q', { allow: true }),
  sendCode: () => api.openid.sendCode('b', 'q', { authVerificationToken: 'v' }),
};

describe('a request that is over', () => {
  it.each(Object.entries(calls))('names the application: %s', async (_name, call) => {
    service.behave(answering(over({ name: 'Reports', url: 'https://reports.example.com' }), 404));
    expect(await call()).toEqual({ over: { name: 'Reports', url: 'https://reports.example.com/' } });
  });

  it.each([
    'http://localhost:4000/start',
    'http://reports.localhost/',
    'http://127.0.0.1:8080/',
    'http://[::1]/',
  ])('may begin anew on this device: %s', async (url) => {
    service.behave(answering(over({ name: 'Reports', url }), 404));
    expect(await calls.request()).toEqual({ over: { name: 'Reports', url } });
  });

  it.each([
    ['another scheme', 'javascript:alert(1)'],
    ['http elsewhere', 'http://reports.example.com/'],
    ['http on a host that begins alike', 'http://localhost.example.com/'],
    ['http on a host that ends alike', 'http://notlocalhost/'],
    ['no address', 'reports'],
    ['a path', '/account-settings'],
    ['none', null],
  ])('has no address with %s', async (_what, url) => {
    service.behave(answering(over({ name: 'Reports', url }), 404));
    expect(await calls.request()).toEqual({ over: null });
  });

  it('need not name an application', async () => {
    service.behave(answering(over(), 404));
    expect(await calls.request()).toEqual({ over: null });
  });

  it.each([
    ['another refusal', { error: { code: 'not_found', message: 'No.' } }],
    ['no JSON', 'Not found'],
  ])('is not told by %s with this status', async (_what, body) => {
    service.behave(answering(body, 404));
    await expect(calls.request()).rejects.toEqual(new ApiError('server', { status: 404 }));
  });
});

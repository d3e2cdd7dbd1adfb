/** @jest-environment node */
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { ApiError } from '@shared/api/apiError';
import fc from 'fast-check';
import { anyLinkId } from '../../../support/anyLinkId';
import { accessToken } from '../../../support/builders';
import { fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

/** Opens an address as somebody who is signed in, and sends whatever form comes up. */
const follow = async (path: string): Promise<FakeDeps> => {
  const deps = fakeDeps({ path });
  const session = { authenticated: { token: accessToken({ lifeSeconds: 86_400 }), refresh: 'r' } };
  deps.cookies.write('payments-test-session', JSON.stringify(session), { kind: 'session' });
  deps.cookies.write('payments-test-session-refresh', 'r', { kind: 'session' });
  const { api } = deps;
  const refused = new ApiError('server', { status: 410 });
  const calls = [api.users.apiInvite, api.auth.exchangeMagicLink, api.password.reset, api.password.activate];
  for (const call of calls) call.mockRejectedValue(refused);
  const app = openApp(deps);
  await settle();
  app.dispatch(newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' }));
  await settle();
  return deps;
};

/** The ids that the service was sent, by whichever call. */
const idsSent = ({ api }: FakeDeps): readonly string[] => [
  ...api.users.apiInvite.mock.calls.map(([hash]) => hash),
  ...api.auth.exchangeMagicLink.mock.calls.map(([id]) => id),
  ...[...api.password.reset.mock.calls, ...api.password.activate.mock.calls].map(([{ hash }]) => hash),
];

const addresses = {
  'a reset': (id: string) => `/reset-password/${id}`,
  'a reset by query': (id: string) => `/reset?hash=${id}`,
  'an activation': (id: string) => `/activate/${id}`,
  'an API invitation': (id: string) => `/secret-key/${id}`,
  'a magic link': (id: string) => `/redirect/${id}`,
} as const;

describe.each(Object.entries(addresses))('the id of %s', (_name, addressOf) => {
  it('reaches the service as it is, once, whatever characters it has', async () => {
    await fc.assert(
      fc.asyncProperty(anyLinkId, async (id) => {
        expect(idsSent(await follow(addressOf(encodeURIComponent(id))))).toEqual([id]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it.each(['', '.', '..', '%2e', '%2E.', '%2e%2e', '.%2E'])('is not sent when it is %j', async (id) => {
    expect(idsSent(await follow(addressOf(id)))).toEqual([]);
  });
});

describe.each(['/reset-password/', '/activate/', '/secret-key/', '/redirect/'])('behind %s', (route) => {
  it.each(['%', '%2', 'a%zz', '%ff', '%c3', '%ed%a0%80', '%f8%88%80%80%80'])(
    '%s is no text: it is not sent, and the link is over',
    async (segment) => {
      const deps = await follow(route + segment);
      expect(idsSent(deps)).toEqual([]);
      expect(deps.navigation.address()).toBe('/unauthorized');
    },
  );

  it.each(['a/b', 'a%2Fb/c', '../../etc'])('%s is not one segment: none is sent', async (segments) => {
    expect(idsSent(await follow(route + segments))).toEqual([]);
  });
});

/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken, answers, hosts } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword } from '../../support/openApp';
import { arrangeSignIn } from '../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const device = 'payments-test-device';
const notices: TabOptions = { config: { extensions: ['notices'] } };
const tokenOf = (deps: FakeDeps) => deps.cookies.readAll(device).join();
const years = 4_000_000_000_000 as const;

/** Ada signs in with her password; the service has not said anything about the device yet. */
async function signIn(arrange: (deps: FakeDeps) => void, options = notices) {
  const deps = fakeDeps(options);
  const session = answers.session();
  arrangeSignIn(deps.api, session);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await signInWithPassword(app);
  return { app, deps, bearer: session.token };
}

const silent = () => new Promise<never>(() => undefined);

describe('after a sign-in on a device without a token', () => {
  it('the page leaves when the service has responded, and keeps the token for a year', async () => {
    const { deps, bearer } = await signIn(({ api }) =>
      api.notices.know.mockImplementation(async () => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        return { deviceToken: 'device-1' };
      }),
    );
    expect(deps.api.notices.know.mock.calls).toEqual([[bearer, {}]]);
    await pass(699);
    expect(deps.navigation.leaves).toEqual([]);
    await pass(1);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(deps.cookies.contents()[device]).toBe('device-1');
  });

  it('the page leaves after 1.5 s without a response', async () => {
    const { deps } = await signIn(({ api }) => api.notices.know.mockImplementation(silent));
    await pass(1499);
    expect(deps.navigation.leaves).toEqual([]);
    await pass(1);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a failure is ignored', async () => {
    const { deps } = await signIn(({ api }) => api.notices.know.mockRejectedValue(new ApiError('network')));
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(tokenOf(deps)).toBe('');
  });
});

describe('after a sign-in on a device with a token', () => {
  const known = (deps: FakeDeps) => {
    deps.cookies.write(device, 'device-1', years);
    deps.api.notices.know.mockImplementation(silent);
  };

  it('the token is sent, and the page does not wait', async () => {
    const { deps, bearer } = await signIn(known);
    expect(deps.api.notices.know.mock.calls).toEqual([[bearer, { deviceToken: 'device-1' }]]);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a sign-out keeps the token', async () => {
    const { app, deps } = await signIn(known);
    await app.send(logoutRequested());
    expect(deps.cookies.contents()).toEqual({ [device]: 'device-1' });
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    ['that no service has issued', ({ cookies }) => void cookies.write(device, 'a b', years)],
    ['of two, one by a sibling host', ({ cookies }) => cookies.toss(device, 'device-2')],
  ])('a value %s, is not sent', async (_which, plant) => {
    const { deps, bearer } = await signIn((tab) => {
      known(tab);
      plant(tab);
    });
    expect(deps.api.notices.know.mock.calls).toEqual([[bearer, {}]]);
  });
});

it('a magic link counts as a sign-in', async () => {
  const deps = fakeDeps({ path: '/redirect/id', ...notices });
  const token = accessToken();
  deps.api.auth.exchangeMagicLink.mockResolvedValue({
    application: 'ledger',
    applicationUrl: hosts.ledger,
    token,
    refreshToken: 'r',
  });
  deps.api.notices.know.mockResolvedValue({ deviceToken: 'device-1' });
  openApp(deps);
  await settle();
  expect(deps.api.notices.know.mock.calls).toEqual([[token, {}]]);
  expect(deps.navigation.leaves).toHaveLength(1);
  expect(tokenOf(deps)).toBe('device-1');
});

it('setup mode makes no such call, and neither does a page without the extension', async () => {
  const inSetup = await signIn(({ api }) => api.auth.token.mockResolvedValue(answers.mustSetUpMfa()));
  const without = await signIn(() => undefined, {});
  for (const { deps } of [inSetup, without]) expect(deps.api.notices.know).not.toHaveBeenCalled();
  expect(without.deps.navigation.leaves).toEqual([hosts.ledger]);
});

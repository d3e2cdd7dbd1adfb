/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import {
  recoveryCodesHidden,
  recoveryCodesRequested,
  recoveryCodesTaken,
  selectRecoveryCodes,
} from '@features/recovery-codes/recoveryCodes.slice';
import { accountChanged } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken, userAttributes } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { put, putSetup } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const codes = ['7F3K-9QXA-2MVD-H4TE', '0YJ8-RB5N-WC1G-6ZPS'];

const openSettings = async ({
  remaining = 7,
  extensions = ['recovery-codes'],
  attributes = { isAppActive: true },
  arrange = () => undefined,
}: {
  readonly remaining?: number;
  readonly extensions?: readonly string[];
  readonly attributes?: Parameters<typeof userAttributes>[0];
  readonly arrange?: (deps: FakeDeps) => void;
} = {}) => {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions } });
  put(deps, { token: accessToken({ lifeSeconds: 86_400 }), refresh: 'refresh-1' });
  deps.api.users.attributes.mockResolvedValue(userAttributes(attributes));
  deps.api.mfa.activePhone.mockResolvedValue({ lastFourPhone: '0143' });
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  deps.api.recovery.count.mockResolvedValue(remaining);
  deps.api.recovery.make.mockResolvedValue(codes);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await settle();
  return { ...app, recovery: () => selectRecoveryCodes(app.state()) };
};
type SettingsApp = Awaited<ReturnType<typeof openSettings>>;

/** Goes on until the new codes are shown. */
const getCodes = async (app: SettingsApp) => {
  await app.send(recoveryCodesRequested());
  if (app.dialog()) app.answerDialog(true);
  await settle();
  await app.send(identityPasswordSubmitted('Corr3ct-horse'));
};

describe('how many recovery codes are left', () => {
  it.each([{ isAppActive: true }, { isTextActive: true }])('is loaded where %j', async (attributes) => {
    const app = await openSettings({ attributes });
    expect(app.recovery()?.count).toEqual({ phase: 'counted', remaining: 7 });
  });

  it.each<[string, Parameters<typeof openSettings>[0]]>([
    ['while two-step verification is off', { attributes: {} }],
    ['without the extension', { extensions: [] }],
    [
      'in setup mode',
      {
        arrange: (deps) => {
          deps.cookies.remove('payments-test-session');
          putSetup(deps);
        },
      },
    ],
  ])('is not asked for %s', async (_when, options) => {
    const app = await openSettings(options);
    expect(app.deps.api.recovery.count).not.toHaveBeenCalled();
  });

  it('is loaded again when the account was changed elsewhere, and its failure affects nothing else', async () => {
    const app = await openSettings();
    app.deps.api.recovery.count.mockRejectedValue(new ApiError('network'));
    await app.send(accountChanged({ what: ['recovery-codes'] }));
    expect(app.recovery()?.count).toEqual({ phase: 'failed' });
    expect(app.state().session.profile.phase).toBe('loaded');
  });
});

describe('Get Recovery Codes', () => {
  it('asks before codes are replaced; Cancel changes nothing', async () => {
    const app = await openSettings();
    await app.send(recoveryCodesRequested());
    expect(app.dialog()).toMatchObject({ confirmLabel: 'Replace Codes', cancelLabel: 'Cancel' });
    app.answerDialog(false);
    await settle();
    expect(app.address()).toBe('/account-settings');
  });

  it.each([0, 7])(
    'with %i codes makes new ones once identity is verified, and shows them until Done',
    async (remaining) => {
      const app = await openSettings({ remaining });
      await app.send(recoveryCodesRequested());
      expect(app.dialog() === undefined).toBe(remaining === 0);
      if (remaining > 0) app.answerDialog(true);
      await settle();
      expect(app.address()).toBe('/ask-password/recovery-codes');
      await app.send(identityPasswordSubmitted('Corr3ct-horse'));
      expect(app.deps.api.recovery.make.mock.calls).toEqual([
        [expect.any(String), { authVerificationToken: 'vt-1' }],
      ]);
      expect(app.address()).toBe('/account-settings');
      expect(app.recovery()?.codes).toMatchObject({ phase: 'shown', copied: null });
      expect(app.deps.vault.get('recoveryCodes')).toEqual(codes);
      expect(app.deps.vault.get('verification')).toBeUndefined();
      expect(JSON.stringify(app.state())).not.toContain(codes[0]);

      app.deps.api.recovery.count.mockResolvedValue(10);
      await app.send(recoveryCodesHidden());
      expect(app.deps.vault.get('recoveryCodes')).toBeUndefined();
      expect(app.recovery()).toEqual({
        count: { phase: 'counted', remaining: 10 },
        codes: { phase: 'none' },
      });
    },
  );

  it('copies, saves and prints them', async () => {
    const app = await openSettings();
    await getCodes(app);
    for (const how of ['copy', 'download', 'print'] as const) await app.send(recoveryCodesTaken(how));
    expect(app.deps.clipboard.copied).toEqual([codes.join('\n')]);
    expect(app.deps.paper.files).toEqual([
      {
        name: 'recovery-codes.txt',
        text: [
          'Payments: recovery codes',
          'Account: ada@example.com',
          'Made on January 15, 2027',
          'Each code works once, instead of a code of your phone or app.',
          '',
          ...codes,
          '',
        ].join('\n'),
      },
    ]);
    expect(app.deps.paper.prints()).toBe(1);
    app.deps.clipboard.refuse();
    await app.send(recoveryCodesTaken('copy'));
    expect(app.recovery()?.codes).toMatchObject({ copied: { outcome: 'refused', times: 2 } });
  });

  it.each<[string, (app: SettingsApp) => unknown]>([
    ['the screen is left', (app) => app.visit('/mfa-options')],
    ['the page is left', (app) => app.deps.pageLife.emit('left')],
    [
      'the session ends in another tab',
      async ({ deps }) => {
        deps.cookies.remove('payments-test-session');
        await pass(5000);
      },
    ],
  ])('they are gone when %s', async (_when, leave) => {
    const app = await openSettings();
    await getCodes(app);
    await leave(app);
    await settle();
    expect(app.deps.vault.get('recoveryCodes')).toBeUndefined();
    expect(app.recovery()?.codes).toEqual({ phase: 'none' });
  });

  it('a failure is shown on the verify screen, and can be tried again', async () => {
    const app = await openSettings();
    app.deps.api.recovery.make.mockRejectedValueOnce(
      new ApiError('server', { status: 503, serverMessage: 'Not now' }),
    );
    await getCodes(app);
    expect(app.dialog()).toMatchObject({ message: 'Not now' });
    app.answerDialog(true);
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(app.recovery()?.codes.phase).toBe('shown');
  });

  it('the address alone, and going back to it, creates none', async () => {
    const app = await openSettings();
    await app.visit('/ask-password/recovery-codes');
    expect(app.address()).toBe('/account-settings');
    await app.send(recoveryCodesRequested());
    app.answerDialog(true);
    await settle();
    await app.visit('/account-settings');
    await app.visit('/ask-password/recovery-codes');
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.api.recovery.make).not.toHaveBeenCalled();
  });
});

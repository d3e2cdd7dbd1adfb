/** Tests applyPasskeyChange.saga, signalUserDetails.saga and verifyByPasskey.saga. */
import { featuresOf } from '@app/features';
import { wayRequested } from '@shared/slots';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { accountChanged } from '@features/session';
import { linkFollowed } from '@shared/routing/location.slice';
import { ApiError } from '@shared/api/apiError';
import type { Feature } from '@shared/deps';
import type { PasskeyOutcome } from '@shared/ports/ports';
import { act, screen, within } from '@testing-library/react';
import { passkeys, severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put, putSetup } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const rpId = 'login.payments.example';
const phone = { ...passkeys.entry, id: 'key-2', name: 'Phone', lastUsedAt: '2026-11-24T16:05:00Z' };
const accepted = (...ids: readonly string[]) => [
  'signalAllAcceptedCredentials',
  { rpId, userId: 'handle', allAcceptedCredentialIds: ids },
];
const given = { kind: 'given', credential: passkeys.assertion } as const;
const made = { kind: 'given', credential: passkeys.made } as const;

const factorsChanged = jest.fn<Promise<undefined>, [string]>(() => Promise.resolve(undefined));
const other: Feature = { name: 'other', afterFactorChange: factorsChanged };

async function open(arrange: (deps: FakeDeps) => void = () => undefined, more: readonly Feature[] = []) {
  factorsChanged.mockClear();
  const deps = fakeDeps({
    overrides: { features: [...featuresOf({ extensions: ['passkeys'] }), other, ...more] },
    path: '/account-settings',
    config: { extensions: ['passkeys'], passkeys: { rpId } },
  });
  const tokens = tokenPair({ personas: severalPersonas });
  put(deps, tokens);
  const calls = deps.api.passkeys;
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  calls.list.mockResolvedValue({ userId: 'handle', passkeys: [phone, passkeys.entry] });
  calls.addOptions.mockResolvedValue(passkeys.creationOptions);
  calls.add.mockResolvedValue(passkeys.entry);
  calls.rename.mockResolvedValue(undefined);
  calls.remove.mockResolvedValue(undefined);
  calls.verifyOptions.mockResolvedValue(passkeys.options);
  calls.verify.mockResolvedValue({ authVerificationToken: 'vt-2' });
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  await act(settle);
  return { app, deps, calls, token: tokens.token };
}

const section = () => within(screen.getByRole('region', { name: 'Passkeys' }));
const rows = () => section().getAllByRole('listitem');
const press = async (button: HTMLElement) => {
  await user.click(button);
  await act(settle);
};
const pressIn = async (row: number, name: string) =>
  await press(within(rows()[row] ?? document.body).getByRole('button', { name }));
const send = async (app: ReturnType<typeof openApp>, action: { readonly type: string }) =>
  await act(() => app.send(action));

describe('the passkeys on the account settings', () => {
  it('are listed, and the list is signalled to the password manager', async () => {
    const { deps, calls, token } = await open();
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^PhoneAdded November 2nd.*Last used November 24th.*RenameRemove$/),
      expect.stringMatching(/^Firefox on WindowsAdded .*Never usedRenameRemove$/),
    ]);
    expect(calls.list.mock.calls).toEqual([[token]]);
    expect(deps.authenticator.signals).toEqual([accepted('key-2', 'key-1')]);
  });

  it('are not shown, and not asked for, in setup mode', async () => {
    const { calls } = await open((deps) => {
      deps.cookies.remove('payments-test-session');
      deps.cookies.remove('payments-test-session-refresh');
      putSetup(deps);
    });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Settings');
    expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull();
    expect(calls.list).not.toHaveBeenCalled();
  });

  it('can be loaded again after a failure', async () => {
    const { deps, calls } = await open(({ api }) =>
      api.passkeys.list.mockRejectedValueOnce(new ApiError('network')),
    );
    expect(deps.authenticator.signals).toEqual([]);
    await press(section().getByRole('button', { name: 'Try Again' }));
    expect([rows().length, calls.list.mock.calls.length]).toEqual([2, 2]);
  });

  it('get another name', async () => {
    const { calls, token } = await open();
    await pressIn(0, 'Rename');
    const field = section().getByLabelText('Name');
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, ' Work phone ');
    await press(section().getByRole('button', { name: 'Save' }));
    expect(calls.rename.mock.calls).toEqual([[token, { id: 'key-2', name: 'Work phone' }]]);
    expect(section().queryByLabelText('Name')).toBeNull();
    expect(within(rows()[0] ?? document.body).getByRole('button', { name: 'Rename' })).toHaveFocus();
    expect(calls.list).toHaveBeenCalledTimes(2);
  });

  it('show that a name could not be saved', async () => {
    const { app } = await open(({ api }) => api.passkeys.rename.mockRejectedValue(new ApiError('network')));
    await pressIn(0, 'Rename');
    await press(section().getByRole('button', { name: 'Save' }));
    expect(app.dialog()).toMatchObject({ title: 'Passkey Error', trouble: 'unreachable' });
  });
});

describe('a new passkey', () => {
  const add = async (arrange?: (deps: FakeDeps) => void, more?: readonly Feature[]) => {
    const opened = await open(arrange, more);
    await press(section().getByRole('button', { name: 'Add a Passkey' }));
    return opened;
  };
  const verified = async ({ app }: { readonly app: ReturnType<typeof openApp> }) => {
    await send(app, identityPasswordSubmitted('Corr3ct-horse'));
  };

  it('is made once identity is verified, and the list is read again', async () => {
    const opened = await add(({ authenticator }) => {
      authenticator.gives(made);
    });
    const { app, deps, calls, token } = opened;
    expect([app.address(), deps.authenticator.asked]).toEqual(['/ask-password/add-passkey', []]);
    await verified(opened);
    expect(calls.addOptions.mock.calls).toEqual([[token, { authVerificationToken: 'vt-1' }]]);
    expect(calls.add.mock.calls).toEqual([
      [token, { challengeToken: 'challenge-1', credential: passkeys.made }],
    ]);
    expect(app.address()).toBe('/account-settings');
    expect(deps.authenticator.signals).toHaveLength(2);
    expect(factorsChanged.mock.calls).toEqual([['accountSettings']]);
    // The proof was for this.
    expect(deps.vault.get('verification')).toBeUndefined();
    expect(app.state().passkeys.task).toEqual({ phase: 'none' });
  });

  it.each<[string, readonly Feature[], boolean]>([
    ['for payments where another extension asks for them', [{ name: 'pays', signsPayments: true }], true],
    ['for nothing else where none does', [], false],
  ])('is made %s', async (_what, more, forPayments) => {
    const opened = await add(undefined, more);
    await verified(opened);
    expect(opened.deps.authenticator.asked).toMatchObject([
      { method: 'create', conditional: false, forPayments },
    ]);
  });

  it('is not removed by a list that was read before the service had it', async () => {
    const opened = await add();
    const { app, deps } = opened;
    let answer: (given: PasskeyOutcome<typeof passkeys.made>) => void = () => undefined;
    jest.spyOn(deps.authenticator, 'create').mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const before = deps.authenticator.signals.length;
    await verified(opened);
    expect([app.address(), deps.authenticator.signals.length]).toEqual(['/account-settings', before]);
    answer(made);
    await act(settle);
    expect(deps.authenticator.signals).toHaveLength(before + 1);
  });

  it.each<[string, (deps: FakeDeps) => void, string | undefined]>([
    ['cancelled', ({ authenticator }) => authenticator.gives({ kind: 'cancelled' }), undefined],
    ['failed', ({ authenticator }) => authenticator.gives({ kind: 'failed' }), 'Unable to add a passkey'],
    [
      'refused',
      ({ api, authenticator }) => {
        authenticator.gives(made);
        api.passkeys.add.mockRejectedValue(
          new ApiError('server', { status: 401, serverCode: 'passkey_refused' }),
        );
      },
      'Unable to add a passkey',
    ],
  ])('that is %s', async (_what, arrange, message) => {
    const opened = await add(arrange);
    await verified(opened);
    expect(opened.app.dialog()?.message).toBe(message);
    expect(opened.app.state().passkeys.task.phase).toBe('none');
  });

  it('is given up when the settings are left', async () => {
    const opened = await add();
    const { app, deps } = opened;
    const never = new Promise<never>(() => undefined);
    const create = jest.spyOn(deps.authenticator, 'create').mockReturnValue(never);
    await verified(opened);
    const signal = create.mock.lastCall?.[0].signal;
    expect(signal?.aborted).toBe(false);
    await send(app, linkFollowed({ to: '/mfa-options' }));
    expect(signal?.aborted).toBe(true);
    expect(app.state().passkeys.task.phase).toBe('none');
  });

  it('is not made by the address alone', async () => {
    const { app } = await open();
    await act(() => app.visit('/ask-password/add-passkey'));
    expect(app.address()).toBe('/account-settings');
  });
});

describe('a removal', () => {
  const remove = async (confirmed: boolean, arrange?: (deps: FakeDeps) => void) => {
    const opened = await open(arrange);
    await pressIn(0, 'Remove');
    await press(screen.getByRole('button', { name: confirmed ? 'Remove Passkey' : 'Cancel' }));
    return opened;
  };

  it('asks first', async () => {
    const { app, calls } = await remove(false);
    expect([app.address(), calls.remove.mock.calls]).toEqual(['/account-settings', []]);
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    ['verifies identity, here with a passkey', () => undefined],
    [
      'of a passkey that is gone is done',
      ({ api }) =>
        api.passkeys.remove.mockRejectedValue(
          new ApiError('server', { status: 404, serverCode: 'unknown_credential' }),
        ),
    ],
  ])('%s', async (_what, arrange) => {
    const { app, deps, calls, token } = await remove(true, arrange);
    expect(app.address()).toBe('/ask-password/remove-passkey');
    deps.authenticator.gives({ kind: 'cancelled' }, given);
    await send(app, wayRequested('passkeys'));
    expect([app.dialog(), app.state().auth.verification.screen.phase]).toEqual([undefined, 'asking']);
    calls.list.mockResolvedValue({ userId: 'handle', passkeys: [passkeys.entry] });
    await send(app, wayRequested('passkeys'));
    expect(calls.verify.mock.calls).toEqual([
      [token, { challengeToken: 'challenge-1', credential: passkeys.assertion }],
    ]);
    expect(calls.remove.mock.calls).toEqual([[token, { id: 'key-2', authVerificationToken: 'vt-2' }]]);
    expect([app.address(), app.dialog(), rows().length]).toEqual(['/account-settings', undefined, 1]);
    expect(deps.authenticator.signals.at(-1)).toEqual(accepted('key-1'));
    expect(factorsChanged.mock.calls).toEqual([['accountSettings']]);
  });
});

it('a removal that the service refuses is no change of factors', async () => {
  const { app, deps } = await open(({ api }) =>
    api.passkeys.remove.mockRejectedValue(new ApiError('network')),
  );
  await pressIn(0, 'Remove');
  await press(screen.getByRole('button', { name: 'Remove Passkey' }));
  deps.authenticator.gives(given);
  await send(app, wayRequested('passkeys'));
  expect(app.dialog()).toBeDefined();
  expect(factorsChanged).not.toHaveBeenCalled();
});

it('a passkey does not replace the old password for a change of password', async () => {
  const { app } = await open();
  await act(() => app.visit('/reset-password-verify'));
  expect(screen.getByRole('button', { name: 'Next' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use a Passkey' })).toBeNull();
});

it('the password manager learns a new name with the next token', async () => {
  const { app, deps } = await open();
  deps.api.auth.refresh.mockResolvedValue(
    tokenPair({ personas: severalPersonas, username: 'ada@new.example', firstName: 'Augusta' }),
  );
  await send(app, accountChanged({ what: ['sessions'] }));
  await act(() => pass(30_000));
  expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  await send(app, accountChanged({ what: ['profile'] }));
  await act(() => pass(13_000));
  expect(deps.authenticator.signals).toContainEqual([
    'signalCurrentUserDetails',
    { rpId, userId: 'handle', name: 'ada@new.example', displayName: 'Augusta' },
  ]);
});

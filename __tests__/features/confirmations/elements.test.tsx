/** Tests elements.saga, elements.slice, methodsOf.saga, permit.saga, proof.slice and untilOneConfirms.saga. */
import type { PaymentElements } from '@features/confirmations/confirmations.calls';
import { selectProof } from '@features/confirmations/proof.slice';
import { accountChanged } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { announceFactorChange } from '@shared/sagas/announceFactorChange.saga';
import { act, screen, within } from '@testing-library/react';
import { runSaga } from 'redux-saga';
import { accessToken, passkeys, userAttributes } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { later } from '../../support/later';
import { openApp, pass, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put, putSetup } from '../../support/sessionCookies';
import { now, refusal } from './openConfirmation';

beforeEach(() => jest.useFakeTimers({ now }));

const hourMs = 3_600_000;
/** How long the laptop waits, ms. */
const waitMs = 120_000;
const from = new Date(now + waitMs).toISOString();
const laptop = { method: 'passkey', id: 'p1', name: 'Laptop', confirmsFrom: from, needsSignIn: false };
const phone = { ...laptop, method: 'text', id: null, name: null };
const given = { kind: 'given', credential: passkeys.assertion } as const;
const elements = (changes: Partial<PaymentElements> = {}): PaymentElements => ({
  elements: [laptop],
  methods: ['text'],
  ...changes,
});

/** Opens the settings, in a browser with passkeys. */
async function open(found = elements(), arrange: (deps: FakeDeps) => void = () => undefined) {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions: ['confirmations'] } });
  put(deps, { token: accessToken({ lifeSeconds: 86_400 }), refresh: 'r' });
  deps.authenticator.capabilities.add('get');
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const { confirmations } = deps.api;
  confirmations.elements.mockResolvedValue(found);
  confirmations.permissionOptions.mockResolvedValue(passkeys.options);
  confirmations.sendPermissionCode.mockResolvedValue({ lastFourPhone: '0143' });
  confirmations.permitByCode.mockResolvedValue(undefined);
  confirmations.permitByPasskey.mockResolvedValue(undefined);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return { app, deps, confirmations };
}

const section = () => screen.queryByRole('region', { name: 'Payments' });
const shown = () => within(screen.getByRole('region', { name: 'Payments' }));
const rows = () =>
  shown()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const permit = 'Confirm payments with this passkey now';
const press = async (name: string) => {
  await user.click(screen.getByRole('button', { name }));
  await act(settle);
};
const enter = async (code: string) => {
  await user.type(screen.getByRole('textbox', { name: 'Verification code' }), code);
  await press('Verify');
};
const time = '8:02 am';
const waits = `You can confirm payments with this passkey from ${time} on.`;
const done = 'You can confirm payments with this passkey now.';

describe('the section of payments', () => {
  it('is not there where nothing waits', async () => {
    const { confirmations } = await open(elements({ elements: [] }));
    expect(confirmations.elements).toHaveBeenCalledTimes(1);
    expect(section()).toBeNull();
  });

  it.each([
    ['cannot be read', new ApiError('network')],
    ['is refused', refusal(403, 'not_allowed')],
  ])('is not there where the list %s, and no dialog says so', async (_what, error) => {
    const { app } = await open(elements(), ({ api }) => api.confirmations.elements.mockRejectedValue(error));
    expect(section()).toBeNull();
    expect(app.dialog()).toBeUndefined();
  });

  it('is not there in setup mode, without a call', async () => {
    const { confirmations } = await open(elements(), (deps) => {
      deps.cookies.remove('payments-test-session');
      putSetup(deps);
    });
    expect(confirmations.elements).not.toHaveBeenCalled();
    expect(section()).toBeNull();
  });

  it('says from when on each passkey and the phone confirm payments, and what is missing', async () => {
    const made = { ...laptop, id: 'p2', name: 'Pixel', needsSignIn: true };
    const past = new Date(now - hourMs).toISOString();
    await open(
      elements({
        elements: [
          laptop,
          made,
          { ...made, id: 'p3', confirmsFrom: past },
          phone,
          { ...phone, method: 'pigeon' },
        ],
        methods: [],
      }),
    );
    const signIn = 'Sign in with this passkey once to confirm payments with it.';
    expect(rows()).toEqual([
      `Laptop${waits}`,
      `Pixel${waits}${signIn}`,
      `Pixel${signIn}`,
      `Phone numberYou can confirm payments by text message from ${time} on.`,
    ]);
  });

  it('says that an element waits for a permission and not for a time, and does not read the list again', async () => {
    const found = [laptop, { ...laptop, id: 'p2', needsSignIn: true }, phone];
    const { confirmations } = await open(
      elements({ elements: found.map((element) => ({ ...element, confirmsFrom: null })) }),
    );
    expect(rows()).toEqual([
      `LaptopYou cannot confirm payments with this passkey yet.${permit}`,
      'LaptopSign in with this passkey once to confirm payments with it.',
      'Phone numberYou cannot confirm payments by text message yet.',
    ]);
    await act(() => pass(waitMs));
    expect(confirmations.elements).toHaveBeenCalledTimes(1);
  });

  it('names the day of another day', async () => {
    const confirmsFrom = new Date(now + 24 * hourMs).toISOString();
    await open(elements({ elements: [{ ...laptop, confirmsFrom }] }));
    expect(rows()[0]).toContain('from January 16th, 2027 at 8:00 am on.');
  });

  it.each([
    ['by text message', ['text'], true],
    ['by a passkey', ['passkey'], true],
    ['by nothing', [], false],
    ['by a method of a later version', ['pigeon'], false],
  ])('offers to permit a passkey %s', async (_how, methods, isOffered) => {
    await open(elements({ methods }));
    expect(shown().queryAllByRole('button', { name: permit })).toHaveLength(isOffered ? 1 : 0);
  });

  it('does not offer to permit by a passkey where the browser has none', async () => {
    await open(elements({ methods: ['passkey'] }), ({ authenticator }) => authenticator.capabilities.clear());
    expect(shown().queryByRole('button')).toBeNull();
  });

  it.each([
    ['a phone', phone],
    ['a passkey that must be used to sign in', { ...laptop, needsSignIn: true }],
  ])('does not offer to permit %s', async (_what, element) => {
    await open(elements({ elements: [element] }));
    expect(shown().queryByRole('button')).toBeNull();
  });
});

describe('the list is read again', () => {
  it.each([['passkeys'], ['mfa']])('when another tab has changed the %s', async (what) => {
    const { app, confirmations } = await open();
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await act(() => app.send(accountChanged({ what: [what] })));
    expect(section()).toBeNull();
  });

  it('not for other changes', async () => {
    const { app, confirmations } = await open();
    await act(() => app.send(accountChanged({ what: ['profile', 'sessions'] })));
    expect(confirmations.elements).toHaveBeenCalledTimes(1);
  });

  it('when a passkey was added here', async () => {
    const { app, deps, confirmations } = await open(elements({ elements: [] }));
    confirmations.elements.mockResolvedValue(elements());
    await act(async () => {
      runSaga({ dispatch: (action: { readonly type: string }) => app.dispatch(action) }, () =>
        announceFactorChange(deps, 'accountSettings'),
      );
      await settle();
    });
    expect(rows()).toHaveLength(1);
  });

  it('when the time comes, and not after the settings were left', async () => {
    const { app, confirmations } = await open();
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await act(() => pass(waitMs - 1000));
    expect(rows()).toEqual([expect.stringContaining(waits)]);
    await act(() => pass(1000));
    expect(section()).toBeNull();
    expect(confirmations.elements).toHaveBeenCalledTimes(2);
    confirmations.elements.mockResolvedValue(elements());
    await act(() => app.visit('/mfa-options'));
    await act(() => app.visit('/account-settings'));
    expect(confirmations.elements).toHaveBeenCalledTimes(3);
    await act(() => app.visit('/mfa-options'));
    await act(() => pass(2 * waitMs));
    expect(confirmations.elements).toHaveBeenCalledTimes(3);
  });

  it('four times a minute at most where the time has come and the service does not say so', async () => {
    const { confirmations } = await open(
      elements({ elements: [{ ...laptop, confirmsFrom: new Date(now - 1000).toISOString() }] }),
    );
    await act(() => pass(60_000));
    expect(confirmations.elements).toHaveBeenCalledTimes(5);
  });

  it('and forgotten when the session ends', async () => {
    const { app, deps } = await open();
    deps.cookies.remove('payments-test-session');
    deps.cookies.remove('payments-test-session-refresh');
    await act(() => pass(20_000));
    expect(JSON.stringify(app.state().confirmations)).not.toContain('Laptop');
  });
});

describe('a passkey is permitted', () => {
  it('by the code of a text message to the old phone', async () => {
    const { app, confirmations } = await open();
    const call = later(confirmations.sendPermissionCode);
    await press(permit);
    await press(permit);
    expect(confirmations.sendPermissionCode.mock.calls).toEqual([[expect.any(String), 'p1']]);
    await act(() => call.answer({ lastFourPhone: '0143' }));
    expect(
      screen.getByText('We just sent a text message with a code to your phone number ending in 0143.'),
    ).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveFocus();
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await enter('123456');
    expect(confirmations.permitByCode.mock.calls).toEqual([
      [expect.any(String), { id: 'p1', code: '123456' }],
    ]);
    expect(rows()).toEqual([`Laptop${done}`]);
    expect(shown().getByRole('heading')).toHaveFocus();
    expect(shown().queryByRole('button')).toBeNull();
    expect(JSON.stringify(app.state())).not.toContain('123456');
    await act(() => app.visit('/mfa-options'));
    await act(() => app.visit('/account-settings'));
    expect(section()).toBeNull();
  });

  it('by a passkey that confirms payments, at once where there is no other method', async () => {
    const { confirmations, deps } = await open(elements({ methods: ['passkey'] }), ({ authenticator }) =>
      authenticator.gives({ kind: 'cancelled' }, given),
    );
    await press(permit);
    expect(confirmations.permissionOptions.mock.calls).toEqual([[expect.any(String), 'p1']]);
    expect(confirmations.permitByPasskey).not.toHaveBeenCalled();
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await press(permit);
    const { challengeToken } = passkeys.options;
    expect(confirmations.permitByPasskey.mock.calls).toEqual([
      [expect.any(String), { id: 'p1', challengeToken, credential: passkeys.assertion }],
    ]);
    expect(deps.authenticator.signPayment).not.toHaveBeenCalled();
    expect(rows()).toEqual([`Laptop${done}`]);
  });

  it('by the method that the user chooses where there are two', async () => {
    const { confirmations } = await open(elements({ methods: ['passkey', 'text'] }));
    await press(permit);
    expect(screen.getByRole('button', { name: permit })).toHaveAttribute('aria-expanded', 'true');
    expect(confirmations.permissionOptions).not.toHaveBeenCalled();
    expect(confirmations.sendPermissionCode).not.toHaveBeenCalled();
    await press('Use a Text Message');
    expect(screen.queryByRole('button', { name: 'Use a Text Message' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Use Another Passkey' })).toBeVisible();
    confirmations.elements.mockResolvedValue(elements({ elements: [phone] }));
    await enter('123456');
    expect(confirmations.permitByCode).toHaveBeenCalledTimes(1);
    expect(rows()).toEqual([`Laptop${done}`, expect.stringMatching(/^Phone number/)]);
  });

  it('where the service says so: a passkey that it still lists waits', async () => {
    await open();
    await press(permit);
    await enter('123456');
    expect(rows()).toEqual([`Laptop${waits}${permit}`]);
  });

  it('not where the user closes the choice again', async () => {
    const { confirmations } = await open(elements({ methods: ['passkey', 'text'] }));
    await press(permit);
    await press(permit);
    expect(screen.queryByRole('button', { name: 'Use a Text Message' })).toBeNull();
    expect(confirmations.sendPermissionCode).not.toHaveBeenCalled();
  });

  it('after a wrong code, which opens the dialog of a wrong code', async () => {
    const { app, confirmations } = await open(elements(), ({ api }) =>
      api.confirmations.permitByCode.mockRejectedValueOnce(refusal(401, 'code_wrong')),
    );
    await press(permit);
    await enter('111111');
    expect(app.dialog()).toMatchObject({
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
    });
    await act(async () => {
      app.answerDialog(true);
      await pass(1500);
    });
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveValue('');
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await enter('222222');
    expect(confirmations.permitByCode).toHaveBeenCalledTimes(2);
    expect(rows()).toEqual([`Laptop${done}`]);
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    ['by the browser', ({ authenticator }) => authenticator.gives({ kind: 'failed' })],
    [
      'by the service',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.confirmations.permitByPasskey.mockRejectedValue(refusal(401, 'passkey_refused'));
      },
    ],
  ])('not by a passkey that is refused %s, which is said as at a payment', async (_by, arrange) => {
    const { app } = await open(elements({ methods: ['passkey'] }), arrange);
    await press(permit);
    expect(app.dialog()).toMatchObject({
      title: 'Passkey Error',
      message: 'Unable to verify with a passkey',
    });
    expect(rows()).toEqual([expect.stringContaining(waits)]);
  });

  it('not while every method is blocked, which a dialog says', async () => {
    const { app, confirmations } = await open(elements(), ({ api }) =>
      api.confirmations.sendPermissionCode.mockRejectedValue(refusal(429, 'method_blocked')),
    );
    confirmations.elements.mockResolvedValue(elements({ methods: [] }));
    await press(permit);
    expect(app.dialog()).toMatchObject({ message: 'Too many failed attempts. Try again later.' });
    await act(async () => {
      app.answerDialog(true);
      await settle();
    });
    expect(rows()).toEqual([`Laptop${waits}`]);
    expect(shown().queryByRole('button')).toBeNull();
  });

  it('not where it was removed meanwhile: the list is read again', async () => {
    const { app, confirmations } = await open(elements(), ({ api }) =>
      api.confirmations.sendPermissionCode.mockRejectedValue(refusal(404, 'not_found')),
    );
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await press(permit);
    expect(app.dialog()).toBeUndefined();
    expect(section()).toBeNull();
  });

  it('not after the settings were left, which closes the dialog of the browser', async () => {
    const signals: AbortSignal[] = [];
    const { app, confirmations } = await open(elements({ methods: ['passkey'] }), ({ authenticator }) =>
      Object.assign(authenticator, {
        get: ({ signal }: { readonly signal: AbortSignal }) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      }),
    );
    await press(permit);
    await act(() => app.visit('/mfa-options'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(selectProof(app.state())).toEqual({ phase: 'none' });
    expect(confirmations.permitByPasskey).not.toHaveBeenCalled();
  });

  it('not where its time comes while the code is typed: the boxes are gone then', async () => {
    const { app, confirmations } = await open();
    await press(permit);
    confirmations.elements.mockResolvedValue(elements({ elements: [] }));
    await act(() => pass(waitMs));
    expect(section()).toBeNull();
    expect(selectProof(app.state())).toEqual({ phase: 'none' });
  });
});

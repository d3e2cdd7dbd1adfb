/** Tests askForProof.saga and proof.slice. */
import { selectPayment } from '@features/confirmations/confirmations.slice';
import {
  codeSubmitted,
  newCodeRequested,
  passkeyRequested,
  paymentDeclined,
  selectProof,
  textRequested,
} from '@features/confirmations/proof.slice';
import { ApiError } from '@shared/api/apiError';
import { act, screen } from '@testing-library/react';
import { passkeys } from '../../support/builders';
import { fakeBrowser, type FakeBrowser, type FakeDeps } from '../../support/fakeDeps';
import { later } from '../../support/later';
import { pass, settle, type OpenApp } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import {
  buttons,
  closed,
  confirmation,
  drawConfirmation,
  link,
  now,
  openConfirmation,
  phase,
  press,
  refusal,
} from './openConfirmation';

beforeEach(() => jest.useFakeTimers({ now }));

const given = { kind: 'given', credential: passkeys.assertion } as const;
const entry = (app: OpenApp) => {
  const state = selectProof(app.state());
  return 'entry' in state ? state.entry : undefined;
};
const wrong = refusal(401, 'code_wrong');
const soon = new Date(now + 60_000).toISOString();
const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

describe('a passkey', () => {
  const ask = async (arrange: (deps: FakeDeps) => void) => {
    const opened = await openConfirmation({}, arrange);
    await opened.app.send(passkeyRequested());
    return opened;
  };

  it('signs the challenge of this payment, by one call each however often the button is pressed', async () => {
    const { confirmations, deps } = await drawConfirmation({}, ({ authenticator }) => {
      authenticator.gives(given, given);
    });
    const call = later(confirmations.byPasskey);
    await press('Confirm with a Passkey');
    for (const name of ['Confirm with a Passkey', 'Decline']) await press(name);
    expect(confirmations.passkeyOptions.mock.calls).toEqual([[expect.any(String), 'c-1']]);
    expect(deps.authenticator.asked).toMatchObject([
      { method: 'get', conditional: false, publicKey: passkeys.options.publicKey },
    ]);
    expect(confirmations.byPasskey.mock.calls).toEqual([
      [
        expect.any(String),
        'c-1',
        { challengeToken: passkeys.options.challengeToken, credential: passkeys.assertion },
      ],
    ]);
    expect(confirmations.decline).not.toHaveBeenCalled();
    await act(() => call.answer('confirmed'));
    expect(screen.getByRole('heading', { name: 'Payment confirmed.' })).toBeVisible();
  });

  it('that the user cancels shows no message, and can be used again', async () => {
    const { app, confirmations, deps } = await ask(({ authenticator }) => {
      authenticator.gives({ kind: 'cancelled' }, given);
    });
    expect([phase(app), app.dialog()]).toEqual(['asking', undefined]);
    confirmations.byPasskey.mockResolvedValue('confirmed');
    await app.send(passkeyRequested());
    expect(phase(app)).toBe('confirmed');
    expect(deps.authenticator.asked).toHaveLength(2);
  });

  it.each<[string, (deps: FakeDeps) => void, object]>([
    ['by the browser', ({ authenticator }) => authenticator.gives({ kind: 'failed' }), {}],
    [
      'by the service',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.confirmations.byPasskey.mockRejectedValue(refusal(401, 'passkey_refused'));
      },
      {},
    ],
    [
      'without a response to its options',
      ({ api }) => api.confirmations.passkeyOptions.mockRejectedValue(new ApiError('network')),
      { trouble: 'unreachable' },
    ],
    [
      'by a failure of the service',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.confirmations.byPasskey.mockRejectedValue(refusal(503, 'failed'));
      },
      { trouble: 'failing' },
    ],
  ])('that is refused %s is said as at verify identity', async (_by, arrange, trouble) => {
    const { app } = await ask(arrange);
    expect(app.dialog()).toMatchObject({
      title: 'Passkey Error',
      message: 'Unable to verify with a passkey',
      ...trouble,
    });
    expect(phase(app)).toBe('asking');
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    ['for its options', ({ api }) => api.confirmations.passkeyOptions.mockRejectedValue(closed)],
    [
      'when it is sent',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.confirmations.byPasskey.mockRejectedValue(closed);
      },
    ],
  ])('that is too late %s shows what was decided', async (_when, arrange) => {
    const { app } = await ask((deps) => {
      arrange(deps);
      deps.api.confirmations.confirmation
        .mockResolvedValueOnce(confirmation)
        .mockResolvedValue({ ...confirmation, state: 'declined' });
    });
    expect([phase(app), app.dialog()]).toEqual(['declined', undefined]);
  });

  it('that is the last of several failures ends the payment', async () => {
    const { app } = await ask(({ api, authenticator }) => {
      authenticator.gives(given);
      api.confirmations.byPasskey.mockRejectedValue(refusal(401, 'passkey_refused'));
      api.confirmations.confirmation
        .mockResolvedValueOnce(confirmation)
        .mockResolvedValue({ ...confirmation, state: 'failed' });
    });
    expect([phase(app), app.dialog()]).toEqual(['failed', undefined]);
  });

  it.each<[string, (app: OpenApp) => Promise<void>]>([
    ['the screen', (app) => app.visit('/mfa-options')],
    ['the time', () => pass(300_000)],
  ])('is no longer asked for when %s is over', async (_what, end) => {
    const signals: AbortSignal[] = [];
    const { app, confirmations } = await ask(({ authenticator }) =>
      Object.assign(authenticator, {
        get: ({ signal }: { readonly signal: AbortSignal }) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      }),
    );
    expect([phase(app), signals.map(({ aborted }) => aborted)]).toEqual(['preparing', [false]]);
    await end(app);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(confirmations.byPasskey).not.toHaveBeenCalled();
  });
});

describe('a call that is not possible now', () => {
  it.each<[string, ApiError, object]>([
    ['every method is blocked', refusal(429, 'method_blocked'), { methods: [], blockedUntil: soon }],
    ['identity must be verified', refusal(403, 'identity_required'), { needsIdentity: true }],
  ])('has the payment read again, without a dialog: %s', async (_why, error, changes) => {
    const attempts: readonly [{ readonly type: string }, (deps: FakeDeps) => void][] = [
      [passkeyRequested(), ({ api }) => api.confirmations.passkeyOptions.mockRejectedValue(error)],
      [
        passkeyRequested(),
        ({ api, authenticator }) => {
          authenticator.gives(given);
          api.confirmations.byPasskey.mockRejectedValue(error);
        },
      ],
      [textRequested(), ({ api }) => api.confirmations.sendText.mockRejectedValue(error)],
    ];
    for (const [pressed, arrange] of attempts) {
      const { app, confirmations } = await openConfirmation({}, arrange);
      confirmations.confirmation.mockResolvedValue({ ...confirmation, ...changes });
      await app.send(pressed);
      expect(confirmations.confirmation).toHaveBeenCalledTimes(2);
      const { methods: _ofTheProof, ...shown } = { methods: [], ...changes };
      expect(selectPayment(app.state())).toMatchObject(shown);
      expect([phase(app), app.dialog()]).toEqual(['asking', undefined]);
    }
  });

  it('takes the boxes away where identity must be verified before the code', async () => {
    const { app, confirmations } = await openConfirmation({}, ({ api }) =>
      api.confirmations.byCode.mockRejectedValue(refusal(403, 'identity_required')),
    );
    await app.send(textRequested());
    confirmations.confirmation.mockResolvedValue({ ...confirmation, needsIdentity: true });
    await app.send(codeSubmitted('123456'));
    expect([phase(app), entry(app)]).toEqual(['asking', null]);
  });

  it('shows the block instead of the dialog of the wrong code that blocks every method', async () => {
    const { app, confirmations } = await openConfirmation({}, ({ api }) =>
      api.confirmations.byCode.mockRejectedValue(wrong),
    );
    await app.send(textRequested());
    confirmations.confirmation.mockResolvedValue({ ...confirmation, methods: [], blockedUntil: soon });
    await app.send(codeSubmitted('123456'));
    expect([phase(app), entry(app), app.dialog()]).toEqual(['asking', null, undefined]);
    expect(selectPayment(app.state())).toMatchObject({ blockedUntil: soon });
  });
});

describe("the browser's own window for a payment", () => {
  const ask = async (...outcomes: readonly object[]) => {
    const opened = await openConfirmation({}, ({ api, authenticator }) => {
      for (const outcome of outcomes) authenticator.signPayment.mockResolvedValueOnce(outcome as never);
      api.confirmations.byPasskey.mockResolvedValue('confirmed');
    });
    await opened.app.send(passkeyRequested());
    return { ...opened, ...opened.deps.authenticator };
  };

  it('shows the payment, and the passkey that signs in it confirms the payment', async () => {
    const { app, asked, confirmations, signPayment } = await ask(given);
    expect(signPayment.mock.calls).toMatchObject([
      [{ publicKey: passkeys.options.publicKey, payment: confirmation.payment }],
    ]);
    const { challengeToken } = passkeys.options;
    expect(confirmations.byPasskey.mock.lastCall).toEqual([
      expect.any(String),
      'c-1',
      { challengeToken, credential: passkeys.assertion },
    ]);
    expect([phase(app), asked]).toEqual(['confirmed', []]);
  });

  it('that the user cancels is a passkey that the user cancels', async () => {
    const { app, asked, confirmations, signPayment } = await ask({ kind: 'cancelled' }, given);
    expect([phase(app), app.dialog(), asked]).toEqual(['asking', undefined, []]);
    expect(confirmations.byPasskey).not.toHaveBeenCalled();
    await app.send(passkeyRequested());
    expect([phase(app), signPayment.mock.calls.length]).toEqual(['confirmed', 2]);
  });

  it('that fails gives way to the dialog for passkeys', async () => {
    const { app, asked, signPayment } = await ask({ kind: 'failed' });
    expect([asked.length, phase(app), app.dialog()]).toEqual([1, 'asking', undefined]);
    await app.send(passkeyRequested());
    expect([asked.length, signPayment.mock.calls.length]).toEqual([2, 2]);
  });

  describe('that is refused', () => {
    const weekMs = 7 * 24 * 3_600_000;
    /** Presses the button at a payment. @returns whether the window was opened */
    const opens = async (
      browser: FakeBrowser,
      id: string,
      kind: 'refused' | 'cancelled' | 'given' = 'refused',
    ) => {
      const expiresAt = new Date(Date.now() + 300_000).toISOString();
      const { app, deps } = await openConfirmation(
        { expiresAt },
        ({ api, authenticator }) => {
          api.confirmations.byPasskey.mockResolvedValue('confirmed');
          authenticator.signPayment.mockResolvedValue((kind === 'given' ? given : { kind }) as never);
        },
        { ...link, path: `/confirm/${id}` },
        browser,
      );
      await app.send(passkeyRequested());
      return deps.authenticator.signPayment.mock.calls.length === 1;
    };

    it('gives way to the dialog for passkeys, and is not opened again for this payment', async () => {
      const { app, asked, signPayment } = await ask({ kind: 'refused' });
      expect([asked.length, phase(app), app.dialog()]).toEqual([1, 'asking', undefined]);
      await app.send(passkeyRequested());
      expect([asked.length, signPayment.mock.calls.length]).toEqual([2, 1]);
    });

    it('is opened at the next payment, and after two refusals in a row only a week later', async () => {
      const browser = fakeBrowser();
      expect(await opens(browser, 'c-1')).toBe(true);
      expect(await opens(browser, 'c-1')).toBe(false);
      expect(await opens(browser, 'c-2')).toBe(true);
      expect(await opens(browser, 'c-3')).toBe(false);
      jest.setSystemTime(now + weekMs - 60_000);
      expect(await opens(browser, 'c-4')).toBe(false);
      jest.setSystemTime(now + weekMs + 60_000);
      expect(await opens(browser, 'c-5', 'given')).toBe(true);
      expect(await opens(browser, 'c-6')).toBe(true);
      expect(await opens(browser, 'c-7')).toBe(true);
    });

    it.each(['cancelled', 'given'] as const)('begins to count again after one that was %s', async (kind) => {
      const browser = fakeBrowser();
      expect(await opens(browser, 'c-1')).toBe(true);
      expect(await opens(browser, 'c-2', kind)).toBe(true);
      expect(await opens(browser, 'c-3')).toBe(true);
      expect(await opens(browser, 'c-4')).toBe(true);
      expect(await opens(browser, 'c-5')).toBe(false);
    });

    it('is opened where a former version has stored that it never works', async () => {
      const { app, deps } = await openConfirmation(
        {},
        ({ storage }) => void storage.browser.write('payment-window', 'unusable'),
      );
      await app.send(passkeyRequested());
      expect(deps.authenticator.signPayment).toHaveBeenCalledTimes(1);
    });
  });

  it('is closed when the screen is left', async () => {
    const { app, deps } = await openConfirmation({}, ({ authenticator }) =>
      authenticator.signPayment.mockReturnValue(new Promise(() => undefined)),
    );
    await app.send(passkeyRequested());
    const signal = deps.authenticator.signPayment.mock.lastCall?.[0].signal;
    expect([phase(app), signal?.aborted]).toEqual(['preparing', false]);
    await app.visit('/mfa-options');
    expect(signal?.aborted).toBe(true);
  });
});

describe('a text message', () => {
  const reach = async (arrange: (deps: FakeDeps) => void = () => undefined) => {
    const opened = await openConfirmation({}, arrange);
    await opened.app.send(textRequested());
    return opened;
  };
  const enter = async (code = '123456') => {
    await user.type(screen.getByRole('textbox', { name: 'Verification code' }), code);
    await press('Verify');
  };

  it('is sent once, and its code confirms the payment on a press', async () => {
    const { app, confirmations } = await drawConfirmation({}, ({ api }) =>
      api.confirmations.byCode.mockResolvedValue('confirmed'),
    );
    const call = later(confirmations.sendText);
    await press('Confirm by Text Message');
    for (const name of ['Confirm by Text Message', 'Decline']) await press(name);
    expect(confirmations.sendText.mock.calls).toEqual([[expect.any(String), 'c-1']]);
    await act(() => call.answer({ lastFourPhone: '0143' }));
    expect(
      screen.getByText(
        'We just sent a text message that names the amount and the payee to your phone number ending in 0143.',
      ),
    ).toBeVisible();
    expect(screen.getByText('€149.90')).toBeVisible();
    expect(buttons()).toEqual(['Verify', 'Resend', 'Confirm with a Passkey', 'Decline']);
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Verify' })).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Verification code' }), '123456');
    await act(settle);
    expect(confirmations.byCode).not.toHaveBeenCalled();
    await press('Verify');
    expect(confirmations.byCode.mock.calls).toEqual([[expect.any(String), 'c-1', '123456']]);
    expect(screen.getByRole('heading', { name: 'Payment confirmed.' })).toBeVisible();
    expect(JSON.stringify(app.state())).not.toContain('123456');
  });

  it('that is not sent is said in a dialog, and can be requested again', async () => {
    const { app, confirmations } = await reach(({ api }) =>
      api.confirmations.sendText.mockRejectedValueOnce(new ApiError('timeout')),
    );
    expect(app.dialog()).toMatchObject({ message: fallback, trouble: 'unreachable' });
    expect(phase(app)).toBe('asking');
    app.answerDialog(true);
    await app.send(textRequested());
    expect(confirmations.sendText).toHaveBeenCalledTimes(2);
    expect(entry(app)).toMatchObject({ lastFourPhone: '0143' });
  });

  it('is read by a browser that can, from the first one on', async () => {
    const { app, deps } = await openConfirmation({}, ({ api, fillTextedCode }) => {
      fillTextedCode.mockReturnValue(new Promise(() => undefined));
      api.confirmations.decline.mockResolvedValue('declined');
    });
    expect(deps.fillTextedCode).not.toHaveBeenCalled();
    await app.send(textRequested());
    expect(deps.fillTextedCode).toHaveBeenCalledTimes(1);
    const signal = deps.fillTextedCode.mock.lastCall?.[0];
    expect(signal?.aborted).toBe(false);
    await app.send(paymentDeclined());
    expect([phase(app), signal?.aborted]).toEqual(['declined', true]);
  });

  it('with a wrong code opens the dialog of a wrong code; the boxes are red for 1.5 s and then empty', async () => {
    const { app, confirmations } = await reach(({ api }) =>
      api.confirmations.byCode.mockRejectedValueOnce(wrong).mockResolvedValue('confirmed'),
    );
    await renderApp(app);
    await enter();
    expect(app.dialog()).toMatchObject({
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
    });
    expect(phase(app)).toBe('rejected');
    await act(() => pass(1500));
    expect([phase(app), entry(app)?.restarts]).toEqual(['asking', 1]);
    await act(async () => {
      app.answerDialog(true);
      await settle();
    });
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveValue('');
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveFocus();
    await enter('654321');
    expect(confirmations.byCode.mock.calls.map(([, , code]) => code)).toEqual(['123456', '654321']);
    expect(phase(app)).toBe('confirmed');
  });

  it('with the last wrong code ends the payment', async () => {
    const { app, confirmations } = await reach(({ api }) =>
      api.confirmations.byCode.mockRejectedValue(wrong),
    );
    confirmations.confirmation.mockResolvedValue({ ...confirmation, state: 'failed' });
    await app.send(codeSubmitted('123456'));
    expect([phase(app), app.dialog()]).toEqual(['failed', undefined]);
  });

  it('whose code could not be checked keeps the code', async () => {
    const { app } = await reach(({ api }) =>
      api.confirmations.byCode.mockRejectedValueOnce(new ApiError('network')).mockResolvedValue('confirmed'),
    );
    await renderApp(app);
    await enter();
    expect(app.dialog()).toMatchObject({ message: fallback, trouble: 'unreachable' });
    await act(async () => {
      app.answerDialog(true);
      await settle();
    });
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveValue('123456');
    await press('Verify');
    expect(phase(app)).toBe('confirmed');
  });

  it('whose code comes too late shows what was decided', async () => {
    const { app, confirmations } = await reach(({ api }) =>
      api.confirmations.byCode.mockRejectedValue(closed),
    );
    confirmations.confirmation.mockResolvedValue({ ...confirmation, state: 'expired' });
    await app.send(codeSubmitted('123456'));
    expect([phase(app), app.dialog()]).toEqual(['expired', undefined]);
  });

  it('leaves the passkey and the refusal to the user', async () => {
    const { app, confirmations } = await reach(({ authenticator, api }) => {
      authenticator.gives(given);
      api.confirmations.byPasskey.mockResolvedValue('confirmed');
    });
    await app.send(passkeyRequested());
    expect(phase(app)).toBe('confirmed');
    expect(confirmations.byCode).not.toHaveBeenCalled();
  });

  it('does not take the focus in a frame', async () => {
    await drawConfirmation({}, undefined, { ...link, embedding: 'trusted' });
    await press('Confirm by Text Message');
    expect(screen.getByRole('textbox', { name: 'Verification code' })).not.toHaveFocus();
  });

  it('stays requested on a page that the browser brings back', async () => {
    const { app, deps } = await reach();
    await app.send(newCodeRequested());
    deps.pageLife.emit('left');
    deps.pageLife.emit('restored');
    await settle();
    expect([phase(app), entry(app)]).toEqual([
      'asking',
      { lastFourPhone: '0143', restarts: 0, resend: 'ready' },
    ]);
    expect(deps.fillTextedCode).toHaveBeenCalledTimes(2);
  });
});

describe('another text message', () => {
  const reach = async () => {
    const opened = await openConfirmation();
    await opened.app.send(textRequested());
    opened.confirmations.sendText.mockClear();
    return opened;
  };

  it('can be requested again after 5 s', async () => {
    const { app, confirmations } = await reach();
    for (const _press of [1, 2]) await app.send(newCodeRequested());
    expect(confirmations.sendText).toHaveBeenCalledTimes(1);
    await renderApp(app);
    expect(screen.getByText('A new six digit code has been sent to your phone')).toBeVisible();
    await act(() => pass(5000));
    expect(entry(app)?.resend).toBe('ready');
    await act(() => app.send(newCodeRequested()));
    expect(confirmations.sendText).toHaveBeenCalledTimes(2);
  });

  it('that fails is said in a dialog', async () => {
    const { app, confirmations } = await reach();
    confirmations.sendText.mockRejectedValueOnce(new ApiError('network'));
    await app.send(newCodeRequested());
    expect(app.dialog()).toMatchObject({ message: fallback, trouble: 'unreachable' });
    expect(entry(app)?.resend).toBe('ready');
  });

  it('is waited for by a code that is submitted meanwhile', async () => {
    const { app, confirmations } = await reach();
    const message = later(confirmations.sendText);
    confirmations.byCode.mockResolvedValue('confirmed');
    await app.send(newCodeRequested());
    await app.send(codeSubmitted('123456'));
    expect([phase(app), confirmations.byCode.mock.calls.length]).toEqual(['deciding', 0]);
    await message.refuse(new ApiError('timeout'));
    expect([phase(app), confirmations.byCode.mock.calls.length]).toEqual(['confirmed', 1]);
  });

  it('for a payment that was decided meanwhile shows what was decided', async () => {
    const { app, confirmations } = await reach();
    confirmations.sendText.mockRejectedValue(closed);
    confirmations.confirmation.mockResolvedValue({ ...confirmation, state: 'confirmed' });
    await app.send(newCodeRequested());
    expect(phase(app)).toBe('confirmed');
  });
});

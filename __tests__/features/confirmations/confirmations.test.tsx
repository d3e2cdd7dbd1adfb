import { formatRecording, makeRecording } from '@app/crash/recording';
import { confirmations } from '@features/confirmations/feature';
import {
  confirmationLoaded,
  paymentDeclined,
  selectConfirmation,
} from '@features/confirmations/confirmations.slice';
import { dialogOpened } from '@features/ui-dialogs';
import { ApiError } from '@shared/api/apiError';
import { act, screen } from '@testing-library/react';
import { accessToken, answers, hosts, severalPersonas, testConfig } from '../../support/builders';
import { later } from '../../support/later';
import { pass, settle, signInWithPassword } from '../../support/openApp';
import { renderApp } from '../../support/renderApp';
import { put, putSetup } from '../../support/sessionCookies';
import { arrangeSignIn } from '../../support/usualResponses';
import {
  buttons,
  closed,
  confirmation,
  drawConfirmation,
  here,
  link,
  now,
  openConfirmation,
  press,
  refusal,
  unreached,
} from './openConfirmation';

beforeEach(() => jest.useFakeTimers({ now }));

const sentences = {
  confirmed: 'Payment confirmed.',
  declined: 'You declined this payment.',
  failed: 'This payment was not confirmed.',
  expired: 'The time for this payment has run out.',
} as const;
const endings = Object.keys(sentences) as readonly (keyof typeof sentences)[];
const amount = '€149.90';
const returned = [`${hosts.ledger}payments/114`];
const framed = { ...link, embedding: 'trusted' } as const;

describe('the screen', () => {
  it('shows amount and payee as they are bound, and calls nothing but the confirmation', async () => {
    const { confirmations } = await drawConfirmation();
    expect(screen.getByRole('heading', { name: 'Confirm payment' })).toHaveFocus();
    expect(document.title).toContain('Confirm payment');
    const [first, ...lines] = screen.getAllByRole('paragraph').map(({ textContent }) => textContent);
    expect(first).toBe(amount);
    expect(lines).toEqual([
      'To Northwind GmbH',
      'DE02 1203 0000 0000 2020 51',
      'Invoice 2026-114',
      'Requested by Ledger',
    ]);
    expect(buttons()).toEqual(['Confirm with a Passkey', 'Confirm by Text Message', 'Decline']);
    expect(confirmations.confirmation.mock.calls).toEqual([[expect.any(String), 'c-1']]);
  });

  it('isolates each text of others, so that none changes the direction of its surroundings', async () => {
    const [payee, account, reference, application] = ['شركة 100', 'DE02', '(42) א', 'Ledger ‮'];
    await drawConfirmation({
      payment: {
        application: { name: application },
        amount: confirmation.payment.amount,
        payee: { name: payee, account },
        reference,
      },
    });
    for (const text of [payee, account, reference, application.trim()])
      expect(
        screen.getByText(
          (_content, element) => element?.textContent.trim() === text && element.tagName === 'BDI',
        ),
      ).toBeVisible();
  });

  it('shows no line for an account and a reference that are absent', async () => {
    const { payment } = confirmation;
    await drawConfirmation({
      payment: { ...payment, payee: { name: payment.payee.name }, reference: null },
    });
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
      amount,
      'To Northwind GmbH',
      'Requested by Ledger',
    ]);
  });

  it.each([
    ['passkeys only', ['passkey'], ['Confirm with a Passkey', 'Decline']],
    ['text messages only', ['text'], ['Confirm by Text Message', 'Decline']],
    ['methods of a later version', ['pigeon', 'text'], ['Confirm by Text Message', 'Decline']],
    ['none', [], ['Decline']],
  ])('offers what the user has: %s', async (_what, methods, expected) => {
    await drawConfirmation({ methods });
    expect(buttons()).toEqual(expected);
    expect(screen.queryByText('Add a passkey or a phone number to confirm payments.') !== null).toBe(
      methods.length === 0,
    );
  });

  it.each<[string, Parameters<typeof openConfirmation>[1]]>([
    ['in a browser without passkeys', ({ authenticator }) => authenticator.capabilities.clear()],
    [
      'where their code cannot be loaded',
      (deps) => Object.assign(deps, { passkeys: () => Promise.reject(new Error('gone')) }),
    ],
  ])('%s a passkey is no method', async (_where, arrange) => {
    await drawConfirmation({}, arrange);
    expect(buttons()).toEqual(['Confirm by Text Message', 'Decline']);
  });

  it('without a method leads to the account settings', async () => {
    const { app } = await drawConfirmation({ methods: [] });
    expect(screen.getByRole('link', { name: 'Account Settings' })).toHaveAttribute(
      'href',
      '/account-settings',
    );
    expect(app.address()).toBe(here);
  });
});

describe('a decision', () => {
  it('to decline is one call however often the button is pressed', async () => {
    const { confirmations, deps } = await drawConfirmation();
    const call = later(confirmations.decline);
    await press('Decline');
    for (const name of ['Decline', 'Confirm with a Passkey', 'Confirm by Text Message']) await press(name);
    expect(confirmations.decline.mock.calls).toEqual([[expect.any(String), 'c-1']]);
    expect(confirmations.passkeyOptions).not.toHaveBeenCalled();
    expect(confirmations.sendText).not.toHaveBeenCalled();
    await act(() => call.answer('declined'));
    expect(screen.getByRole('heading', { name: sentences.declined })).toHaveFocus();
    expect(screen.getByText(amount)).toBeVisible();
    expect(deps.navigation.leaves).toEqual([]);
  });

  it.each(endings)('that was made before is shown: %s', async (state) => {
    const { confirmations } = await drawConfirmation({ state });
    expect(screen.getByRole('heading', { name: sentences[state] })).toBeVisible();
    expect(screen.getByText('Northwind GmbH')).toBeVisible();
    expect(buttons()).toEqual([]);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(1);
  });

  it.each(endings)('that was made in another tab is read and shown: %s', async (state) => {
    const { confirmations } = await drawConfirmation({}, ({ api }) =>
      api.confirmations.decline.mockRejectedValue(closed),
    );
    confirmations.confirmation.mockResolvedValue({ ...confirmation, state });
    await press('Decline');
    expect(screen.getByRole('heading', { name: sentences[state] })).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('that left the payment open asks again', async () => {
    const { confirmations } = await drawConfirmation({}, ({ api }) =>
      api.confirmations.decline.mockResolvedValue('open'),
    );
    await press('Decline');
    expect(confirmations.confirmation).toHaveBeenCalledTimes(2);
    expect(buttons()).toContain('Decline');
  });

  it('that got no response can be made again', async () => {
    const { app, confirmations } = await openConfirmation({}, ({ api }) =>
      api.confirmations.decline.mockRejectedValueOnce(new ApiError('network')).mockResolvedValue('declined'),
    );
    await app.send(paymentDeclined());
    expect(app.dialog()).toMatchObject({
      message: 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
      trouble: 'unreachable',
    });
    app.answerDialog(true);
    await app.send(paymentDeclined());
    expect(confirmations.decline).toHaveBeenCalledTimes(2);
    expect(selectConfirmation(app.state()).phase).toBe('declined');
  });

  it('about a payment that is not the user’s any more leads to the page for invalid links', async () => {
    const { app } = await openConfirmation({}, ({ api }) => {
      api.confirmations.decline.mockRejectedValue(refusal(404, 'not_found'));
      api.confirmations.confirmation
        .mockResolvedValueOnce(confirmation)
        .mockRejectedValue(refusal(404, 'not_found'));
    });
    await app.send(paymentDeclined());
    expect(app.address()).toBe('/unauthorized');
  });
});

describe('the way back to the application', () => {
  it.each([
    ['confirmed', returned],
    ['declined', returned],
    ['failed', []],
    ['expired', []],
  ] as const)('is taken 1.5 s after the user decided: %s', async (state, expected) => {
    const { deps } = await openConfirmation({ state });
    await pass(1499);
    expect(deps.navigation.leaves).toEqual([]);
    await pass(1);
    expect(deps.navigation.leaves).toEqual(expected);
  });

  it.each([
    ['is absent', null],
    ['is no host for redirects', 'https://evil.example/'],
    ['is a script', 'javascript:alert(1)'],
    ['is of another scheme', 'ledger://paid'],
  ])('is not taken where it %s', async (_what, returnUrl) => {
    const { app, deps } = await openConfirmation({ state: 'confirmed', returnUrl });
    await pass(10_000);
    expect(deps.navigation.leaves).toEqual([]);
    expect(app.address()).toBe(here);
  });

  it('ends with the screen', async () => {
    const { app, deps } = await openConfirmation({ state: 'confirmed' });
    await pass(1000);
    await app.visit('/mfa-options');
    await pass(10_000);
    expect(deps.navigation.leaves).toEqual([]);
  });
});

describe('in the frame of a listed parent', () => {
  it.each(endings)('the parent is told the end, and the frame stays: %s', async (state) => {
    const { deps } = await drawConfirmation({ state }, undefined, framed);
    expect(screen.getByRole('heading', { name: sentences[state] })).toBeVisible();
    expect(deps.parentFrame.messages).toEqual([{ type: 'vestibule/confirmation', id: 'c-1', state }]);
    await pass(10_000);
    expect(deps.navigation.leaves).toEqual([]);
  });

  it('the parent is told a decision once, and nothing before', async () => {
    const { deps } = await drawConfirmation(
      {},
      ({ api }) => api.confirmations.decline.mockResolvedValue('declined'),
      framed,
    );
    expect(screen.getByRole('heading', { name: 'Confirm payment' })).not.toHaveFocus();
    expect(deps.parentFrame.messages).toEqual([]);
    await press('Decline');
    await act(() => pass(400_000));
    expect(deps.parentFrame.messages.filter((message) => typeof message === 'object')).toEqual([
      { type: 'vestibule/confirmation', id: 'c-1', state: 'declined' },
    ]);
  });

  it('of another parent nothing of it is read, shown or told', async () => {
    const { app, confirmations, deps } = await openConfirmation({}, undefined, {
      ...link,
      embedding: 'untrusted',
    });
    await renderApp(app);
    expect(screen.getByText('This page cannot be shown inside another site.')).toBeVisible();
    expect(buttons()).toEqual([]);
    expect(confirmations.confirmation).not.toHaveBeenCalled();
    expect(deps.parentFrame.messages).toEqual([]);
  });
});

describe('the time for the payment', () => {
  it('runs out by itself', async () => {
    const { confirmations } = await drawConfirmation();
    await act(() => pass(299_000));
    expect(screen.getByRole('heading', { name: 'Confirm payment' })).toBeVisible();
    await act(() => pass(1000));
    expect(screen.getByRole('alert')).toHaveTextContent(sentences.expired);
    expect(buttons()).toEqual([]);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(1);
  });

  it('runs out while the computer sleeps', async () => {
    const { app, deps } = await openConfirmation();
    deps.clock.advance(300_000);
    await pass(1000);
    expect(selectConfirmation(app.state()).phase).toBe('expired');
  });

  it('is not prolonged by a clock that was set back', async () => {
    const { app, deps } = await openConfirmation();
    deps.clock.set(now - 3_600_000);
    await pass(300_000);
    expect(selectConfirmation(app.state()).phase).toBe('expired');
  });

  it('is compared with the clock of the service', async () => {
    // The browser's clock is ten minutes fast.
    const expiresAt = new Date(now - 300_000).toISOString();
    const { app } = await openConfirmation({ expiresAt }, (deps) => {
      deps.storage.browser.write('clock-skew', '600000');
      put(deps, { token: accessToken({ iat: now / 1000 - 600, lifeSeconds: 86_400 }), refresh: 'r' });
    });
    expect(selectConfirmation(app.state()).phase).toBe('asking');
    await pass(300_000);
    expect(selectConfirmation(app.state()).phase).toBe('expired');
  });

  it('leaves the end to a decision that is being answered', async () => {
    const { app, confirmations } = await openConfirmation();
    const call = later(confirmations.decline);
    await app.send(paymentDeclined());
    await pass(310_000);
    expect(selectConfirmation(app.state()).phase).toBe('deciding');
    await call.answer('declined');
    expect(selectConfirmation(app.state()).phase).toBe('declined');
  });

  it('is over once such a decision has failed', async () => {
    const { app, confirmations } = await openConfirmation();
    const call = later(confirmations.decline);
    await app.send(paymentDeclined());
    await pass(310_000);
    await call.refuse(new ApiError('timeout'));
    expect(selectConfirmation(app.state()).phase).toBe('expired');
    expect(app.dialog()).toBeUndefined();
  });
});

describe('who may see the screen', () => {
  it.each([
    ['one persona', {}],
    ['several', { personas: severalPersonas }],
  ])('without a session the sign-in page leads back: %s', async (_who, claims) => {
    const { app, confirmations, deps } = await openConfirmation({}, ({ cookies, api }) => {
      cookies.remove('payments-test-session');
      arrangeSignIn(api, answers.session(claims));
    });
    expect(app.address()).toBe('/login?url=%2Fconfirm%2Fc-1');
    expect(confirmations.confirmation).not.toHaveBeenCalled();
    await signInWithPassword(app);
    expect(deps.navigation.leaves).toEqual([hosts.login + here]);
  });

  it('a session that ends leads there too, and the payment is forgotten', async () => {
    const { app, deps } = await openConfirmation();
    deps.cookies.remove('payments-test-session');
    deps.cookies.remove('payments-test-session-refresh');
    await pass(20_000);
    expect(app.address()).toBe('/login?url=%2Fconfirm%2Fc-1');
    expect(JSON.stringify(app.state().confirmations)).not.toContain('Northwind');
  });

  it('setup mode leads to the settings', async () => {
    const { app, confirmations } = await openConfirmation({}, (deps) => {
      deps.cookies.remove('payments-test-session');
      putSetup(deps);
    });
    expect(app.address()).toBe('/account-settings');
    expect(confirmations.confirmation).not.toHaveBeenCalled();
  });

  it('without the extension it is an unknown address', async () => {
    const { app, confirmations } = await openConfirmation({}, undefined, { path: here });
    expect(app.address()).toBe('/account-settings');
    expect(confirmations.confirmation).not.toHaveBeenCalled();
  });
});

describe('reading', () => {
  it.each([404, 400, 403])('that is refused (%s) leads to the page for invalid links', async (status) => {
    const { app } = await openConfirmation({}, ({ api }) =>
      api.confirmations.confirmation.mockRejectedValue(refusal(status, 'not_found')),
    );
    expect(app.address()).toBe('/unauthorized');
  });

  it('an id that cannot be one makes no call', async () => {
    const path = `/confirm/${'x'.repeat(513)}`;
    const { app, confirmations } = await openConfirmation({}, undefined, { ...link, path });
    expect(app.address()).toBe('/unauthorized');
    expect(confirmations.confirmation).not.toHaveBeenCalled();
  });

  it.each([
    ['without a response', new ApiError('network')],
    ['that ends in a 5xx', refusal(503, 'failed')],
  ])('%s is tried again on a press', async (_what, error) => {
    const { confirmations } = await drawConfirmation({}, ({ api }) =>
      api.confirmations.confirmation.mockRejectedValueOnce(error),
    );
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(screen.getByText(amount)).toBeVisible();
    expect(confirmations.confirmation).toHaveBeenCalledTimes(2);
  });

  it('another payment shows nothing of the former one', async () => {
    const { app, confirmations } = await openConfirmation();
    later(confirmations.confirmation);
    await app.visit('/confirm/c-2');
    expect(selectConfirmation(app.state())).toEqual({ phase: 'loading' });
    expect(confirmations.confirmation.mock.lastCall?.[1]).toBe('c-2');
  });
});

it('a page that the browser brings back shows what happened meanwhile', async () => {
  const { app, confirmations, deps } = await openConfirmation();
  confirmations.confirmation.mockResolvedValue({ ...confirmation, state: 'confirmed' });
  deps.pageLife.emit('left');
  deps.pageLife.emit('restored');
  await settle();
  expect(selectConfirmation(app.state()).phase).toBe('confirmed');
});

it('the events of payments have names in the activity of the account, and a sentence in their notice', async () => {
  const { eventMessages } = await confirmations.eventTexts.load();
  expect(eventMessages?.activity).toEqual({
    'payment-confirmed': 'Payment confirmed',
    'payment-declined': 'Payment declined',
  });
  expect(eventMessages?.notices).toEqual({
    'payment-failed': 'Someone tried five times without success to confirm a payment from your account.',
  });
});

it('a recording of the screen has no name, account, reference or amount, also where a message repeats one', () => {
  const { payment } = confirmation;
  const message = `${payment.payee.name} refused ${payment.payee.account ?? ''}.`;
  const events = [
    confirmationLoaded({ status: 'open', payment, methods: { passkey: true, text: true } }),
    dialogOpened({
      id: 'confirmation-error',
      title: 'Confirmation Error',
      message,
      confirmLabel: 'Ok',
      kind: 'alert',
    }),
  ].map((action, at) => ({ at, action }));
  const facts = { config: testConfig(), look: 'default', embedding: 'none' } as const;
  const text = formatRecording(makeRecording({ start: () => undefined, events }, facts));
  expect(text).toContain('"status":"open"');
  expect(text).toContain('"currency":"EUR"');
  expect(text).not.toMatch(/Ledger|Northwind|DE02|2020|Invoice|149/);
});

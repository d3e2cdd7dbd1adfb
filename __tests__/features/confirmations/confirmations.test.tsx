/** Tests confirmations.saga, confirmations.slice, proofOfIdentity.saga and untilEnded.saga. */
import { formatRecording, makeRecording } from '@app/crash/recording';
import { confirmationMessages } from '@features/confirmations/confirmations.messages';
import { confirmations } from '@features/confirmations/feature';
import {
  confirmationClosed,
  confirmationLoaded,
  selectPayment,
} from '@features/confirmations/confirmations.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { paymentDeclined, textRequested } from '@features/confirmations/proof.slice';
import { dialogOpened } from '@features/ui-dialogs';
import { ApiError } from '@shared/api/apiError';
import { act, screen, within } from '@testing-library/react';
import {
  accessToken,
  answers,
  hosts,
  passkeys,
  severalPersonas,
  testConfig,
  userAttributes,
} from '../../support/builders';
import type { FakeApi } from '../../support/fakeApi';
import { later } from '../../support/later';
import { inEnglish, pass, settle, signInWithPassword, type OpenApp } from '../../support/openApp';
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
  phase,
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
    expect(lines).toEqual(['To Northwind GmbH', 'Requested by Ledger', 'Time left: 5:00']);
    const facts = [screen.getAllByRole('term'), screen.getAllByRole('definition')];
    expect(facts.map((some) => some.map(({ textContent }) => textContent))).toEqual([
      ['Account', 'Reference'],
      ['DE02 1203 0000 0000 2020 51', 'Invoice 2026-114'],
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
      'Time left: 5:00',
    ]);
    expect(screen.queryByRole('term')).toBeNull();
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

describe('a method that cannot be used now', () => {
  const soon = new Date(now + 60_000).toISOString();
  const tomorrow = new Date(now + 86_400_000).toISOString();
  const paragraphs = () => screen.getAllByRole('paragraph').map(({ textContent }) => textContent);

  it.each<[string, Partial<typeof confirmation>, string[], string[]]>([
    [
      'a passkey that waits has a sentence in place of its button',
      { methods: ['text'], waiting: [{ method: 'passkey', from: soon }] },
      ['You can confirm payments with this passkey from 8:01 am on.'],
      ['Confirm by Text Message', 'Decline'],
    ],
    [
      'both wait, until another day',
      {
        methods: [],
        waiting: [
          { method: 'text', from: tomorrow },
          { method: 'passkey', from: tomorrow },
        ],
      },
      [
        'You can confirm payments with this passkey from January 16th, 2027 at 8:00 am on.',
        'You can confirm payments by text message from January 16th, 2027 at 8:00 am on.',
      ],
      ['Decline'],
    ],
    [
      'another passkey waits, and one can be used',
      { methods: ['passkey'], waiting: [{ method: 'passkey', from: soon }] },
      [],
      ['Confirm with a Passkey', 'Decline'],
    ],
    [
      'a method of a later version waits',
      { methods: ['text'], waiting: [{ method: 'pigeon', from: soon }] },
      [],
      ['Confirm by Text Message', 'Decline'],
    ],
    [
      'every method is blocked, also those that wait',
      { methods: [], waiting: [{ method: 'text', from: tomorrow }], blockedUntil: soon },
      ['Too many failed attempts. Try again at 8:01 am.'],
      ['Decline'],
    ],
  ])('%s', async (_what, changes, sentences, expected) => {
    await drawConfirmation(changes);
    expect(paragraphs().slice(4)).toEqual(sentences);
    expect(buttons()).toEqual(expected);
    expect(screen.queryByRole('link', { name: 'Account Settings' })).toBeNull();
  });

  it.each<[string, Partial<typeof confirmation>]>([
    ['waits', { methods: [], waiting: [{ method: 'text', from: soon }] }],
    ['is blocked', { methods: [], blockedUntil: soon }],
  ])('is read again by itself when its time comes: %s', async (_what, changes) => {
    const { confirmations } = await drawConfirmation(changes);
    confirmations.confirmation.mockResolvedValue(confirmation);
    await act(() => pass(59_000));
    expect(buttons()).toEqual(['Decline']);
    await act(() => pass(1000));
    expect(buttons()).toEqual(['Confirm with a Passkey', 'Confirm by Text Message', 'Decline']);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(2);
  });

  it('is read again only once the attempt by another method is over', async () => {
    const { app, confirmations } = await openConfirmation({
      methods: ['text'],
      waiting: [{ method: 'passkey', from: soon }],
    });
    const call = later(confirmations.sendText);
    await app.send(textRequested());
    await pass(60_000);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(1);
    await call.answer({ lastFourPhone: '0143' });
    expect(confirmations.confirmation).toHaveBeenCalledTimes(2);
  });

  it('is read again every 15 s where the clock of the service is behind', async () => {
    const { confirmations } = await openConfirmation({
      methods: ['text'],
      waiting: [{ method: 'passkey', from: new Date(now - 1000).toISOString() }],
    });
    await pass(60_000);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(5);
  });

  it('that is blocked takes the focus to the title, and the boxes away', async () => {
    const { app, confirmations } = await drawConfirmation();
    await press('Confirm by Text Message');
    expect(screen.getByRole('textbox')).toHaveFocus();
    confirmations.confirmation.mockResolvedValue({ ...confirmation, methods: [], blockedUntil: soon });
    await act(() => app.send(confirmationClosed()));
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Confirm payment' })).toHaveFocus();
  });
});

describe('a payment that needs a recent proof of identity', () => {
  const prove = (app: OpenApp) => app.send(identityPasswordSubmitted('Corr3ct-horse'));
  const open = async (
    by: 'passkey' | 'text',
    arrange: Parameters<typeof openConfirmation>[1] = () => undefined,
  ) => {
    const opened = await drawConfirmation({ needsIdentity: true }, (deps) => {
      deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
      deps.api.confirmations.proveIdentity.mockResolvedValue('open');
      deps.authenticator.gives({ kind: 'given', credential: passkeys.assertion });
      deps.api.confirmations.byPasskey.mockResolvedValue('confirmed');
      arrange(deps);
    });
    await press(by === 'passkey' ? 'Confirm with a Passkey' : 'Confirm by Text Message');
    return opened;
  };
  const proofs = ({ proveIdentity }: FakeApi['confirmations']) =>
    proveIdentity.mock.calls.map(([, ...rest]) => rest);

  it.each([
    ['passkey', 'confirmed'],
    ['text', 'asking'],
  ] as const)('verifies identity first, comes back and goes on by itself: %s', async (by, expected) => {
    const { app, confirmations, deps } = await open(by);
    expect(app.address()).toBe('/ask-password/confirm-payment');
    expect(confirmations.passkeyOptions).not.toHaveBeenCalled();
    expect(confirmations.sendText).not.toHaveBeenCalled();
    confirmations.confirmation.mockResolvedValue(confirmation);
    await act(() => prove(app));
    expect(proofs(confirmations)).toEqual([['c-1', { authVerificationToken: 'vt-1' }]]);
    expect([app.address(), phase(app)]).toEqual([here, expected]);
    expect(confirmations.passkeyOptions).toHaveBeenCalledTimes(by === 'passkey' ? 1 : 0);
    expect(confirmations.sendText).toHaveBeenCalledTimes(by === 'text' ? 1 : 0);
    expect(JSON.stringify(app.state())).not.toMatch(/vt-1|Corr3ct/);
    expect(deps.vault.get('verification')).toBeUndefined();
  });

  it('is not asked for in a loop by a service that is never content', async () => {
    const { app, confirmations } = await open('passkey');
    await act(() => prove(app));
    await act(() => pass(10_000));
    expect([app.address(), phase(app)]).toEqual([here, 'asking']);
    expect(proofs(confirmations)).toHaveLength(1);
    expect(confirmations.passkeyOptions).not.toHaveBeenCalled();
  });

  it('can be declined without one', async () => {
    const { app, confirmations } = await openConfirmation({ needsIdentity: true }, ({ api }) =>
      api.confirmations.decline.mockResolvedValue('declined'),
    );
    await app.send(paymentDeclined());
    expect(phase(app)).toBe('declined');
    expect(confirmations.proveIdentity).not.toHaveBeenCalled();
  });

  it('that is refused is said at verify identity, where it can be repeated', async () => {
    const { app, confirmations } = await open('passkey', ({ api }) =>
      api.confirmations.proveIdentity.mockRejectedValueOnce(refusal(401, 'invalid_verification')),
    );
    await act(() => prove(app));
    expect(app.address()).toBe('/ask-password/confirm-payment');
    expect(app.dialog()).toMatchObject({ title: 'Verification Error' });
    confirmations.confirmation.mockResolvedValue(confirmation);
    await act(() => prove(app));
    expect([app.address(), phase(app)]).toEqual([here, 'confirmed']);
  });

  it.each([
    ['is over', closed, { ...confirmation, state: 'expired' as const }, here, 'expired'],
    ['is another user’s', refusal(404, 'not_found'), null, '/unauthorized', 'loading'],
  ])('and %s meanwhile shows that', async (_what, error, found, address, expected) => {
    const { app, confirmations } = await open('passkey', ({ api }) =>
      api.confirmations.proveIdentity.mockRejectedValue(error),
    );
    if (found) confirmations.confirmation.mockResolvedValue(found);
    else confirmations.confirmation.mockRejectedValue(error);
    await act(() => prove(app));
    expect([app.address(), phase(app)]).toEqual([address, expected]);
    expect(confirmations.passkeyOptions).not.toHaveBeenCalled();
  });

  it.each([
    ['comes back without a proof', here, here],
    ['goes to the settings', '/account-settings', '/account-settings'],
  ])('is asked for again where the user %s', async (_what, path, address) => {
    const { app, confirmations } = await open('text', ({ api }) => {
      api.users.attributes.mockResolvedValue(userAttributes());
      api.confirmations.elements.mockResolvedValue({ elements: [], methods: [] });
    });
    await act(() => app.visit(path));
    expect(app.address()).toBe(address);
    await act(() => app.visit('/ask-password/confirm-payment'));
    expect(app.address()).toBe('/account-settings');
    expect(confirmations.proveIdentity).not.toHaveBeenCalled();
    await act(() => app.visit(here));
    expect(phase(app)).toBe('asking');
    expect(confirmations.sendText).not.toHaveBeenCalled();
  });

  it('goes on only with the payment that it was for', async () => {
    const { app, confirmations } = await open('text');
    const call = later(confirmations.confirmation);
    await act(() => prove(app));
    await act(() => app.visit('/confirm/c-2'));
    confirmations.confirmation.mockResolvedValue(confirmation);
    await act(() => call.answer(confirmation));
    await act(() => app.visit('/confirm/c-3'));
    expect(phase(app)).toBe('asking');
    expect(confirmations.sendText).not.toHaveBeenCalled();
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
    expect(phase(app)).toBe('declined');
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

  it.each(['failed', 'expired'] as const)('is a link where the user has not decided: %s', async (state) => {
    const { deps } = await drawConfirmation({ state });
    const back = screen.getByRole('link', { name: 'Back to Ledger' });
    expect(back).toHaveAttribute('href', returned[0]);
    expect(within(back).getByText('Ledger').tagName).toBe('BDI');
    await act(() => pass(10_000));
    expect(deps.navigation.leaves).toEqual([]);
  });

  it.each<[string, Partial<typeof confirmation>, typeof link]>([
    ['the user has confirmed', { state: 'confirmed' }, link],
    ['the user has declined', { state: 'declined' }, link],
    ['there is no address', { state: 'failed', returnUrl: null }, link],
    ['the address is no host for redirects', { state: 'failed', returnUrl: 'https://evil.example/' }, link],
    ['the page is in a frame, whose parent knows', { state: 'failed' }, framed],
  ])('is no link where %s', async (_what, changes, tab) => {
    await drawConfirmation(changes, undefined, tab);
    expect(screen.queryByRole('link')).toBeNull();
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

  it('a sign-in leads back to the payment, without leaving the frame', async () => {
    const { app, confirmations, deps } = await openConfirmation(
      {},
      ({ cookies, api }) => {
        cookies.remove('payments-test-session');
        arrangeSignIn(api, answers.session());
      },
      framed,
    );
    expect(app.address()).toBe('/login?url=%2Fconfirm%2Fc-1');
    await signInWithPassword(app);
    expect([app.address(), phase(app)]).toEqual([here, 'asking']);
    expect(confirmations.confirmation).toHaveBeenCalledTimes(1);
    expect(deps.navigation.leaves).toEqual([]);
  });

  it('a sign-in in another tab leads back to the payment', async () => {
    const { app, deps } = await openConfirmation(
      {},
      ({ cookies }) => cookies.remove('payments-test-session'),
      framed,
    );
    await pass(7000);
    expect(app.address()).toBe('/login?url=%2Fconfirm%2Fc-1');
    put(deps, { token: accessToken({ username: 'ada', lifeSeconds: 86_400 }), refresh: 'r' });
    await pass(20_000);
    expect([app.address(), phase(app)]).toEqual([here, 'asking']);
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
  it('is counted, by one event a second and none in between', async () => {
    const { app } = await drawConfirmation();
    const before = app.dispatched();
    for (const [ms, left] of [
      [999, '5:00'],
      [1, '4:59'],
      [239_000, '1:00'],
      [55_000, '0:05'],
    ] as const) {
      await act(() => pass(ms));
      expect(screen.getAllByText(`Time left: ${left}`)[0]).toBeVisible();
    }
    expect(app.dispatched() - before).toBe(295);
  });

  it('is counted by a clock that was set back as if it was not', async () => {
    const { app, deps } = await drawConfirmation();
    deps.clock.set(now - 3_600_000);
    await act(() => pass(60_000));
    expect(selectPayment(app.state())).toMatchObject({ secondsLeft: 240 });
  });

  it('is counted on while a code is checked and while a dialog is open', async () => {
    const { app, confirmations } = await openConfirmation();
    later(confirmations.decline);
    await app.send(paymentDeclined());
    await pass(60_000);
    expect(selectPayment(app.state())).toMatchObject({ secondsLeft: 240 });
    expect(phase(app)).toBe('deciding');
  });

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
    expect(phase(app)).toBe('expired');
  });

  it('is not prolonged by a clock that was set back', async () => {
    const { app, deps } = await openConfirmation();
    deps.clock.set(now - 3_600_000);
    await pass(300_000);
    expect(phase(app)).toBe('expired');
  });

  it('is compared with the clock of the service', async () => {
    // The browser's clock is ten minutes fast.
    const expiresAt = new Date(now - 300_000).toISOString();
    const { app } = await openConfirmation({ expiresAt }, (deps) => {
      deps.storage.browser.write('clock-skew', '600000');
      put(deps, { token: accessToken({ iat: now / 1000 - 600, lifeSeconds: 86_400 }), refresh: 'r' });
    });
    expect(phase(app)).toBe('asking');
    await pass(300_000);
    expect(phase(app)).toBe('expired');
  });

  it('leaves the end to a decision that is being answered', async () => {
    const { app, confirmations } = await openConfirmation();
    const call = later(confirmations.decline);
    await app.send(paymentDeclined());
    await pass(310_000);
    expect(phase(app)).toBe('deciding');
    await call.answer('declined');
    expect(phase(app)).toBe('declined');
  });

  it('is over once such a decision has failed', async () => {
    const { app, confirmations } = await openConfirmation();
    const call = later(confirmations.decline);
    await app.send(paymentDeclined());
    await pass(310_000);
    await call.refuse(new ApiError('timeout'));
    expect(phase(app)).toBe('expired');
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
    expect(selectPayment(app.state())).toEqual({ phase: 'loading' });
    expect(confirmations.confirmation.mock.lastCall?.[1]).toBe('c-2');
  });
});

it('a page that the browser brings back shows what happened meanwhile', async () => {
  const { app, confirmations, deps } = await openConfirmation();
  confirmations.confirmation.mockResolvedValue({ ...confirmation, state: 'confirmed' });
  deps.pageLife.emit('left');
  deps.pageLife.emit('restored');
  await settle();
  expect(phase(app)).toBe('confirmed');
});

it('the events of payments have names in the activity of the account, and a sentence in their notice', async () => {
  const { eventMessages } = await confirmations.eventTexts.load();
  const texts = [eventMessages?.activity, eventMessages?.notices].map((some) =>
    Object.entries(some ?? {}).map(([kind, text]) => [kind, inEnglish(text)]),
  );
  expect(texts).toEqual([
    [
      ['payment-confirmed', 'Payment confirmed'],
      ['payment-declined', 'Payment declined'],
    ],
    [
      ['payment-failed', 'Someone tried five times without success to confirm a payment from your account.'],
      [
        'payment-method-blocked',
        'After five failed attempts in a row, a method of confirming payments is blocked for a while for your account.',
      ],
    ],
  ]);
});

it('a recording of the screen has no name, account, reference or amount, also where a message repeats one', () => {
  const { payment } = confirmation;
  const message = `${payment.payee.name} refused ${payment.payee.account ?? ''}.`;
  const events = [
    confirmationLoaded({
      status: 'open',
      confirmationId: 'payment-from-ledger',
      payment,
      methods: { passkey: true, text: true },
      waiting: {},
      blockedUntil: null,
      needsIdentity: false,
      returnUrl: null,
      ...{ readAt: now, expiresAt: now, secondsLeft: 0 },
    }),
    dialogOpened({
      ...confirmationMessages.error,
      message,
      kind: 'alert',
    }),
  ].map((action, at) => ({ at, action }));
  const facts = { config: testConfig(), look: 'default', embedding: 'none' } as const;
  const text = formatRecording(makeRecording({ start: () => undefined, events }, facts));
  expect(text).toContain('"status":"open"');
  expect(text).toContain('"currency":"EUR"');
  expect(text).not.toMatch(/Ledger|from-ledger|Northwind|DE02|2020|Invoice|149/);
});

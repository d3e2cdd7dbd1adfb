import { App } from '@app/App';
import { createEventLog, type Support } from '@app/crash/eventLog';
import { formatRecording, makeRecording } from '@app/crash/recording';
import { readRecording, type Step } from '@dev/lab/readRecording';
import { givenWords, opened } from '@dev/lab/scenario';
import { scenarios, stateOf } from '@dev/lab/scenarios';
import { features } from '@app/features';
import { rootReducer } from '@app/rootReducer';
import { createAppStore } from '@app/store';
import type { Feature } from '@shared/deps';
import { dialogOpened, selectTopDialog } from '@features/ui-dialogs';
import { readable } from '@dev/devtools/readable';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { testConfig } from '../support/builders';

const facts = { config: testConfig(), look: 'default', embedding: 'none' } as const;
const names = Object.keys(scenarios);
const eventsOf = (name: string) => [
  ...opened('none', '?application=e-pay'),
  ...(scenarios[name]?.(givenWords.plain) ?? []),
];

const stepsIn = (text: string): readonly Step[] => {
  const read = readRecording(text);
  if (!read.ok) throw new Error(read.problem);
  return read.steps;
};

/** The keys of the words that only the first of two states has; dates, numbers and ids are not words. */
const lostWords = (one: unknown, other: unknown, key = ''): readonly string[] => {
  if (typeof one === 'object' && one !== null)
    return Object.entries(one).flatMap(([name, part]) =>
      lostWords(part, Reflect.get(Object(other) as object, name), /^\d+$/.test(name) ? key : name),
    );
  return one === other || (typeof one === 'string' && !/^[A-Za-z]+(?:[- ][a-z]+)*$/.test(one)) ? [] : [key];
};

describe('a recording', () => {
  it.each(names)('of %s shows it again, without what is of a person', (name) => {
    const events = eventsOf(name).map((action, at) => ({ at, action }));
    const text = formatRecording(makeRecording({ start: () => undefined, events }, facts));
    const state = stepsIn(text).at(-1)?.state;
    const lost = lostWords(stateOf(name, { look: 'epay' }), state);
    const ofAPerson = ['firstName', ...features.flatMap((feature: Feature) => feature.personal ?? [])];
    expect(lost.filter((key) => !ofAPerson.includes(key))).toEqual([]);
    expect(text).not.toMatch(/ada@example|"Ada"|0143|ledger\.payments/);
  });

  it('keeps no address but the routes, and no parameter but those that decide the look', () => {
    const search = '?application=e-pay&url=https%3A%2F%2Fledger.example%2F%3Ftoken%3Dt1&message=m';
    const events = [
      {
        at: 1,
        action: { type: 'location/linkFollowed', payload: { to: `/reset-password/secret-hash${search}` } },
      },
      {
        at: 2,
        action: {
          type: 'location/locationChanged',
          payload: { route: null, pathname: '/a/b', search, key: 'k' },
        },
      },
    ];
    const text = formatRecording(makeRecording({ start: () => undefined, events }, facts));
    expect(text).toContain('"to":"/reset-password/***?application=e-pay"');
    expect(text).toContain('"pathname":"/***"');
    expect(text).not.toMatch(/ledger|secret-hash|message/);
  });

  it.each([
    ['an e-mail in other letters', 'No user ADA@Example.com.', 'No user [redacted].'],
    ['an e-mail that begins with the first name', 'ada@corp.example is locked', '[redacted] is locked'],
    ['an encoded e-mail', 'No user grace%40corp.example', 'No user [redacted]'],
    ['an e-mail that was not entered', 'Ask <grace@corp.example>', 'Ask [redacted]'],
    ['a short name', 'Ada Li is unlike Li.', '[redacted] [redacted] is unlike [redacted].'],
    ['a grouped code', 'No code 123 456 or 123-456', 'No code [redacted] or [redacted]'],
    ['digits of another script', 'No code ١٢٣٤٥٦', 'No code [redacted]'],
    ['a formatted phone', 'No SMS to +1 (202) 555-0143', 'No SMS to +[redacted]) [redacted]'],
    ['an address', 'Not found: https://ledger.example/?id=x', 'Not found: [redacted]'],
    ['a link id without a digit', 'No link qJtWzRkPvXbNmLsDfGhY', 'No link [redacted]'],
    ['a short id', 'No link k7-Ab_xQ', 'No link [redacted]'],
    ['an app’s key', 'No key JBSWY3DPEHPK3PXP', 'No key [redacted]'],
    ['a password', 'Corr3ct-horse is wrong', '[redacted] is wrong'],
  ])('removes %s from a message', (_what, message, kept) => {
    const person = { username: 'ada@example.com', firstName: 'Ada', lastName: 'Li', type: 'Zed' };
    const events = [
      { type: 'ui-dialogs/dialogOpened', payload: { id: 'login-error', kind: 'alert', message } },
      { type: 'signIn/signInFailed', payload: { message } },
      { type: 'profile/profileLoaded', payload: person },
    ].map((action, at) => ({ at, action }));
    const [dialog, failure, profile] = makeRecording({ start: () => undefined, events }, facts).events;
    expect(dialog?.action).toMatchObject({ payload: { message: kept } });
    expect(failure?.action).toMatchObject({ payload: { message: kept } });
    expect(JSON.stringify(profile)).not.toMatch(/ada|Li|Zed/);
  });

  it.each(['sessions', 'account', 'events'])(
    'removes the username %s, which a feature has too',
    (username) => {
      const events = [
        { type: 'forgot/forgotSubmitted', payload: username },
        { type: 'signIn/signInFailed', payload: { message: `No user ${username}.` } },
      ].map((action, at) => ({ at, action }));
      const kept = makeRecording({ start: () => undefined, events }, facts).events;
      expect(JSON.stringify(kept)).not.toContain(username);
    },
  );

  it.each([
    'Your account is locked. Try again in 10 minutes, or after a 30-second wait.',
    'Der Authentifizierungsdienst antwortet nicht.',
    'ACCOUNT_TEMPORARILY_LOCKED: use 8 to 50 characters.',
  ])('keeps the words of a message: %s', (message) => {
    const events = [{ at: 1, action: { type: 'signIn/signInFailed', payload: { message } } }];
    expect(JSON.stringify(makeRecording({ start: () => undefined, events }, facts))).toContain(message);
  });

  it('keeps nothing that identifies, wherever a message repeats it', () => {
    const name = fc
      .string({ minLength: 3, maxLength: 40, unit: 'grapheme' })
      .filter((text) => text.trim().length > 2);
    const token = fc.stringMatching(/^[\w-]{42,90}[0-9]$/);
    const code = fc.stringMatching(/^[0-9]{6}$/);
    fc.assert(
      fc.property(name, token, code, (username, secret, digits) => {
        const message = `No ${username.toUpperCase()} ${digits} ${secret} <${username}>`;
        const events = [
          { at: 1, action: { type: 'signIn/signInFailed', payload: { message } } },
          { at: 2, action: { type: 'signIn/usernameSubmitted', payload: { username } } },
        ];
        const [failed] = makeRecording({ start: () => undefined, events }, facts).events;
        const kept = (failed?.action as { payload: { message: string } }).payload.message.replaceAll(
          '[redacted]',
          '',
        );
        expect(kept).not.toContain(secret.slice(0, 20));
        expect(kept).not.toContain(digits);
        expect(kept).not.toContain(username.trim());
      }),
    );
  });

  it("says which events are the user's: all that no saga dispatched, and what DevTools noted", () => {
    const bySaga = Object.defineProperty({ type: 'session/sessionAbsent' }, '@@redux-saga/SAGA_ACTION', {});
    const noted = { type: 'session/sessionAbsent', meta: { cause: 'another tab' } };
    const events = [{ type: 'session/logoutRequested' }, bySaga, noted].map((action, at) => ({ at, action }));
    const { events: kept } = makeRecording({ start: () => undefined, events }, facts);
    expect(kept.map(({ action }) => (action as { meta?: object }).meta)).toEqual([
      { cause: 'user' },
      undefined,
      { cause: 'another tab' },
    ]);
  });

  it('is of the last hundred events, and starts from the state before them', () => {
    const log = createEventLog(rootReducer, () => 7);
    const dispatch = log.record({} as never)((action) => action);
    for (const action of eventsOf('auth.signIn/choosing/every method')) dispatch(action);
    for (let times = 0; times < 100; times += 1) dispatch({ type: 'session/backRequested' });
    expect(log.events).toHaveLength(100);
    const steps = stepsIn(formatRecording(makeRecording(log, facts)));
    expect(steps).toHaveLength(100);
    expect(steps[0]?.state.auth.signIn.phase).toBe('choosing');
  });

  it('keeps the languages that the page offers, and of a text its values without names', () => {
    const actions = [
      { type: 'languages/languageChosen', payload: 'pt-BR' },
      { type: 'languages/languageShown', payload: { language: 'pt-BR' } },
      { type: 'languages/languageChosen', payload: 'xx-ada' },
      dialogOpened({
        ...{ id: 'x', kind: 'alert', confirmLabel: { id: 'a.ok', message: 'Ok' } },
        title: { id: 'a.title', message: 'Hi {firstName}', values: { firstName: 'Ada', count: 2 } },
        message: { id: 'a.text', message: '{address}', values: { address: 'ada@example.com' } },
      }),
    ];
    const events = actions.map((action, at) => ({ at, action }));
    const config = { ...facts.config, languages: ['en', 'pt-BR'] };
    const recorded = makeRecording({ start: () => undefined, events }, { ...facts, config }).events.map(
      ({ action }) => (action as { readonly payload: unknown }).payload,
    );
    expect(recorded).toMatchObject([
      'pt-BR',
      { language: 'pt-BR' },
      '[redacted]',
      {
        title: { id: 'a.title', message: 'Hi {firstName}', values: { firstName: '[redacted]', count: 2 } },
        message: { id: 'a.text', message: '{address}', values: { address: '[redacted]' } },
      },
    ]);
  });

  it('has no seconds of a countdown', () => {
    const log = createEventLog(rootReducer, () => 7);
    const dispatch = log.record({} as never)((action) => action);
    const counted = { type: 'any/counted', payload: 9, meta: { isTick: true } };
    const other = { type: 'session/backRequested', meta: { cause: 'user' } };
    for (const action of [other, counted, other, counted]) dispatch(action);
    expect(log.events.map(({ action }) => action)).toEqual([other, other]);
  });
});

describe("'Copy details'", () => {
  const open = (name: string, copies = true) => {
    const { store, log } = createAppStore();
    const copied: string[] = [];
    const copy: Support['copy'] = (text) => {
      copied.push(text);
      return Promise.resolve(copies);
    };
    for (const action of eventsOf(name)) store.dispatch(action);
    render(<App store={store} config={testConfig()} support={{ log, copy, report: () => undefined }} />);
    return { store, copied, press: async () => userEvent.click(await screen.findByText('Copy details')) };
  };

  const errors = names.filter((name) => name.startsWith('dialogs/') && !name.endsWith('/question'));

  it.each(errors)('copies a recording that replays to the dialog: %s', async (name) => {
    const { store, copied, press } = open(name);
    await press();
    expect(await screen.findByText('Details copied')).toBeInTheDocument();
    const shown = stepsIn(copied[0] ?? '').at(-1)?.state;
    // The recording has no comments for translators.
    expect(selectTopDialog(store.getState())).toMatchObject((shown && selectTopDialog(shown)) ?? {});
    expect(shown && selectTopDialog(shown)).toBeDefined();
  });

  it('comes after the button, which keeps the first focus', async () => {
    open('dialogs/loginError/noMethods');
    const details = await screen.findByText('Copy details');
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons.slice(-2)).toEqual(['Ok', details.textContent]);
  });

  it('is no part of a question', async () => {
    open('dialogs/turnOff/question');
    expect(await screen.findByRole('button', { name: 'Cancel' })).toBeInTheDocument();
    expect(screen.queryByText('Copy details')).not.toBeInTheDocument();
  });

  it('selects the text where the browser refuses to copy it', async () => {
    const { copied, press } = open('dialogs/loginError/noMethods', false);
    await press();
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Details for support');
    expect(field).toHaveFocus();
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe(copied[0]);
    expect(screen.getByText(/press Ctrl\+C/)).toBeInTheDocument();
  });

  it('is on the page that a fault of the application leaves', async () => {
    const { copied, press } = open('crash/crashed/crashed');
    await press();
    expect(stepsIn(copied[0] ?? '').at(-1)?.state.page.crash).toBe(true);
  });
});

describe('a text that is no recording', () => {
  const events = [{ at: 1, action: { type: 'crash/appCrashed' } }];
  const head = { vestibule: 1, version: '0', environment: 'test', look: 'default', embedding: 'none' };
  it.each([
    ['nothing', '', 'holds no JSON'],
    ['not JSON', '<img src=x onerror=alert(1)>', 'holds no JSON'],
    ['other JSON', '{"a":1}', 'is not a recording'],
    ['another version', JSON.stringify({ ...head, vestibule: 2, events }), 'another version'],
    ['an unknown event', JSON.stringify({ ...head, events: [{ at: 1, action: { type: '<b>' } }] }), '‘<b>’'],
    ['an unknown state', JSON.stringify({ ...head, start: { auth: 1 }, events }), 'state of this recording'],
    ['no events', JSON.stringify({ ...head, events: [] }), 'has no events'],
    [
      'an event without what it needs',
      JSON.stringify({ ...head, events: [{ at: 1, action: { type: 'location/locationChanged' } }] }),
      'does not fit',
    ],
  ])('ends in a sentence: %s', (_name, text, problem) => {
    const read = readRecording(text);
    expect(read).toEqual({ ok: false, problem: expect.stringContaining(problem) as string });
  });

  it('may stand between other words', () => {
    const text = `[Case 7] {urgent}\nHello,\n${JSON.stringify({ ...head, events })}\nKind regards [signature]`;
    expect(stepsIn(text)).toHaveLength(1);
    expect(stepsIn(`Hello,\n${JSON.stringify({ ...head, events }, null, 2)}\nKind regards`)).toHaveLength(1);
  });

  it('is read in a time that grows with its length', () => {
    const started = performance.now();
    // A pattern would take minutes.
    expect(readRecording('['.repeat(1_000_000)).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('an export of Redux DevTools', () => {
  const actions = eventsOf('session.access/active/choosing a method');
  const start = rootReducer(undefined, { type: 'x' });
  const ofTools = [{ type: '@@INIT' }, ...actions, { type: 'devTools/presentShown' }, { type: '@@PAUSED' }];
  /** What the panel holds of a page, states as our sanitizer has made them, and writes as it is. */
  const ofPanel = (listed: readonly object[], committedState?: unknown) => ({
    actionsById: Object.fromEntries(
      listed.map((action, id) => [id, { type: 'PERFORM_ACTION', action, timestamp: 1000 + id }]),
    ),
    computedStates: listed.map(() => ({ state: readable(start) })),
    currentStateIndex: listed.length - 1,
    nextActionId: listed.length,
    skippedActionIds: [],
    stagedActionIds: listed.map((_action, id) => id),
    committedState,
    isLocked: false,
    isPaused: false,
  });
  const half = Math.floor(actions.length / 2);
  const committed = actions.slice(0, half).reduce(rootReducer, start);
  it.each([
    ['of the panel', ofPanel(ofTools)],
    ['of the panel, committed', ofPanel([{ type: '@@INIT' }, ...actions.slice(half)], readable(committed))],
    ['of the page', { payload: JSON.stringify(actions) }],
    [
      'of the page, with a state',
      { payload: JSON.stringify(actions), preloadedState: JSON.stringify(start) },
    ],
  ])('%s is read', (_name, file) => {
    const steps = stepsIn(JSON.stringify(file, null, '\t'));
    expect(steps.at(-1)?.state).toEqual(actions.reduce(rootReducer, start));
  });

  it('keeps the times of the panel', () => {
    expect(stepsIn(JSON.stringify(ofPanel(ofTools))).map(({ at }) => at)).toEqual(
      actions.map((_action, at) => 1001 + at),
    );
  });
});

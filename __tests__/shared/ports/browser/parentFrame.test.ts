import { createParentFrame } from '@shared/ports/browser/parentFrame';

const listed = ['http://hub.payments.localhost:4000', 'http://ledger.payments.localhost:4000'];
const hub = 'http://hub.payments.localhost:4000';

interface Surroundings {
  readonly ancestors?: readonly string[];
  readonly referrer?: string;
  readonly embedded?: boolean;
  readonly search?: string;
}

function frameIn({ ancestors, referrer = '', embedded = true, search = '' }: Surroundings) {
  const postMessage = jest.fn();
  const page: Record<string, unknown> = {
    location: { search, ...(ancestors === undefined ? {} : { ancestorOrigins: ancestors }) },
    document: { referrer, getElementById: () => ({ getBoundingClientRect: () => ({ height: 421.5 }) }) },
  };
  page['parent'] = embedded ? { postMessage } : page;
  // Only what the port reads: a jsdom window cannot have ancestors.
  const frame = createParentFrame(page as unknown as Window, listed, undefined);
  return { frame, postMessage };
}

it('is not embedded in its own window, and sends no message', () => {
  const { frame, postMessage } = frameIn({ embedded: false, referrer: `${hub}/` });
  frame.notify('new_tokens');
  expect(frame).toMatchObject({ embedded: false, trusted: false });
  expect(postMessage).not.toHaveBeenCalled();
});

it.each(['new_tokens', 'removed_tokens'] as const)('posts %s as text, to a listed origin only', (word) => {
  const { frame, postMessage } = frameIn({ ancestors: [hub] });
  frame.notify(word);
  expect(frame).toMatchObject({ embedded: true, trusted: true });
  expect(postMessage.mock.calls).toEqual([[word, hub]]);
});

it('sends removed_tokens once, until there are new ones', () => {
  const { frame, postMessage } = frameIn({ ancestors: [hub] });
  const words = ['removed_tokens', 'removed_tokens', 'new_tokens', 'new_tokens', 'removed_tokens'] as const;
  for (const word of words) frame.notify(word);
  expect(postMessage.mock.calls.map(([word]: readonly unknown[]) => word)).toEqual([
    'removed_tokens',
    'new_tokens',
    'new_tokens',
    'removed_tokens',
  ]);
});

it('posts the result of a screen as an object, which is not about tokens', () => {
  const { frame, postMessage } = frameIn({ ancestors: [hub] });
  const result = { type: 'vestibule/made-up', state: 'done' } as const;
  for (const message of ['removed_tokens', result, 'removed_tokens', result] as const) frame.notify(message);
  expect(postMessage.mock.calls).toEqual([
    ['removed_tokens', hub],
    [result, hub],
    [result, hub],
  ]);
});

it.each<[string, Surroundings]>([
  ['an unlisted parent', { ancestors: ['https://evil.example'] }],
  ['an unlisted parent whose name starts like a listed one', { ancestors: [`${hub}.evil.example`] }],
  ['the same host on another port', { ancestors: ['http://hub.payments.localhost:4001'] }],
  ['the same host over another scheme', { ancestors: ['https://hub.payments.localhost:4000'] }],
  ['a sandboxed parent', { ancestors: ['null'] }],
  ['an unlisted parent with a listed referrer', { ancestors: ['https://evil.example'], referrer: `${hub}/` }],
  ['an unlisted parent around a listed one', { ancestors: [hub, 'https://evil.example'] }],
  ['a parent without ancestors and referrer', { referrer: '' }],
  ['a referrer that is not an address', { referrer: 'about:blank' }],
])('neither trusts nor notifies %s', (_who, surroundings) => {
  const { frame, postMessage } = frameIn(surroundings);
  frame.notify('removed_tokens');
  frame.notify({ type: 'vestibule/made-up' });
  expect(frame).toMatchObject({ embedded: true, trusted: false });
  expect(postMessage).not.toHaveBeenCalled();
});

it('uses the origin of the referrer if the browser has no ancestorOrigins', () => {
  const { frame, postMessage } = frameIn({ referrer: `${hub}/start?x=1#y` });
  frame.notify('new_tokens');
  expect(postMessage.mock.calls).toEqual([['new_tokens', hub]]);
});

it('accepts a listed parent within a listed parent, and notifies the nearer one', () => {
  const { frame, postMessage } = frameIn({ ancestors: ['http://ledger.payments.localhost:4000', hub] });
  frame.notify('new_tokens');
  expect(postMessage.mock.calls).toEqual([['new_tokens', 'http://ledger.payments.localhost:4000']]);
});

it.each([
  ['one host of the family', [hub], true],
  ['two hosts of the family', [hub, 'http://ledger.payments.localhost:4000'], true],
  ['another site', ['http://partner.localhost'], false],
  ['another site around a host of the family', [hub, 'http://partner.localhost'], false],
  ['a name that only ends like it', ['http://notpayments.localhost'], false],
  ['another scheme', ['https://hub.payments.localhost'], false],
] as const)(
  'in a parent of %s, tells whether browsers share the cookies',
  (_name, ancestorOrigins, isShared) => {
    const page = { location: { protocol: 'http:', ancestorOrigins }, document: { referrer: '' }, parent: {} };
    const frame = createParentFrame(page as unknown as Window, listed, 'payments.localhost');
    expect(frame.isInFamily).toBe(isShared);
  },
);

describe('the height of the content', () => {
  beforeEach(() => {
    // jsdom has no layout: an observer that reports once, as browsers do at first.
    globalThis.ResizeObserver = class {
      constructor(private readonly report: () => void) {}
      observe = () => this.report();
      unobserve = () => undefined;
      disconnect = () => undefined;
    } as unknown as typeof ResizeObserver;
  });

  const heightsIn = async (surroundings: Surroundings) => {
    const { postMessage } = frameIn(surroundings);
    await import('@shared/ports/browser/frameHeight');
    await new Promise((resolve) => setTimeout(resolve));
    return postMessage.mock.calls as unknown[];
  };

  it('is posted to a listed parent that asks for it, at its origin only', async () => {
    expect(await heightsIn({ ancestors: [hub], search: '?resize=1' })).toEqual([
      [{ type: 'vestibule/resize', height: 421.5 }, hub],
    ]);
  });

  it.each<[string, Surroundings]>([
    ['a listed parent that does not ask', { ancestors: [hub] }],
    ['an unlisted parent', { ancestors: ['https://evil.example'], search: '?resize=1' }],
    ['its own window', { embedded: false, search: '?resize=1' }],
  ])('is not posted to %s', async (_name, surroundings) => {
    expect(await heightsIn(surroundings)).toEqual([]);
  });
});

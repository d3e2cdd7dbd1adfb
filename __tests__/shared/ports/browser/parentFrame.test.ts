import { createParentFrame } from '@shared/ports/browser/parentFrame';

const listed = ['http://hub.payments.localhost:4000', 'http://ledger.payments.localhost:4000'];
const hub = 'http://hub.payments.localhost:4000';

interface Surroundings {
  readonly ancestors?: readonly string[];
  readonly referrer?: string;
  readonly embedded?: boolean;
}

function frameIn({ ancestors, referrer = '', embedded = true }: Surroundings) {
  const postMessage = jest.fn();
  const page: Record<string, unknown> = {
    location: ancestors === undefined ? {} : { ancestorOrigins: ancestors },
    document: { referrer },
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

it.each(['new_tokens', 'removed_tokens'] as const)(
  'posts %s to a listed parent as a plain string, at its origin only',
  (word) => {
    const { frame, postMessage } = frameIn({ ancestors: [hub] });
    frame.notify(word);
    expect(frame).toMatchObject({ embedded: true, trusted: true });
    expect(postMessage.mock.calls).toEqual([[word, hub]]);
  },
);

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

it.each<[string, Surroundings]>([
  ['an unlisted parent', { ancestors: ['https://evil.example'] }],
  ['an unlisted parent whose name starts like a listed one', { ancestors: [`${hub}.evil.example`] }],
  ['the same host on another port', { ancestors: ['http://hub.payments.localhost:4001'] }],
  ['the same host over another scheme', { ancestors: ['https://hub.payments.localhost:4000'] }],
  ['a sandboxed parent', { ancestors: ['null'] }],
  [
    'an unlisted parent with a listed one as its referrer',
    { ancestors: ['https://evil.example'], referrer: `${hub}/` },
  ],
  ['an unlisted parent around a listed one', { ancestors: [hub, 'https://evil.example'] }],
  ['a parent without ancestors and referrer', { referrer: '' }],
  ['a referrer that is not an address', { referrer: 'about:blank' }],
])('neither trusts nor notifies %s', (_who, surroundings) => {
  const { frame, postMessage } = frameIn(surroundings);
  frame.notify('removed_tokens');
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

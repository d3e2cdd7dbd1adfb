import { embedSignOn } from '../src/index';

const signOnUrl = 'http://login.payments.localhost:4000';

const declined = { type: 'vestibule/confirmation', id: 'one', state: 'declined' };

function open(options: Partial<Parameters<typeof embedSignOn>[1]> = {}) {
  const heard: string[] = [];
  const { frame, remove, obstacle } = embedSignOn(document.body, {
    ...{ signOnUrl, onTokens: () => heard.push('tokens'), onRemoved: () => heard.push('removed') },
    onConfirmation: (id, state) => heard.push(`${id} ${state}`),
    ...options,
  });
  const post = (data: unknown, origin = signOnUrl, source: MessageEventSource | null = frame.contentWindow) =>
    dispatchEvent(new MessageEvent('message', { data, origin, source }));
  return { frame, remove, heard, post, obstacle };
}

it('embeds the page with its title, permissions and address, and takes it away again', () => {
  const { frame, remove, heard, post } = open({ path: '/login?supplierHub=true', application: 'e-pay' });
  expect(frame).toMatchObject({
    title: 'Sign-on page',
    allow:
      'clipboard-write; otp-credentials; payment; publickey-credentials-create; publickey-credentials-get',
    referrerPolicy: 'strict-origin',
    src: `${signOnUrl}/login?supplierHub=true&application=e-pay&resize=1`,
  });
  const { contentWindow } = frame;
  remove();
  post('new_tokens', signOnUrl, contentWindow);
  expect(heard).toEqual([]);
  expect(document.querySelector('iframe')).toBeNull();
});

it.each([
  ['nothing is known', 'https://parent.example', undefined, null],
  ['nothing is denied', 'https://parent.example', true, null],
  ['the parent is sandboxed', 'null', undefined, 'sandbox'],
  ['the policy of the parent denies access to cookies', 'https://parent.example', false, 'storage-access'],
])('reports what keeps the page from working: %s', (_case, origin, allowsFeature, expected) => {
  jest.spyOn(window, 'origin', 'get').mockReturnValue(origin);
  if (allowsFeature !== undefined)
    Object.assign(HTMLIFrameElement.prototype, {
      featurePolicy: { allowsFeature: (name: string) => name !== 'storage-access' || allowsFeature },
    });
  const { remove, obstacle } = open();
  expect(obstacle).toBe(expected);
  remove();
  Reflect.deleteProperty(HTMLIFrameElement.prototype, 'featurePolicy');
  jest.restoreAllMocks();
});

it('refuses a path that leads to another site', () => {
  for (const path of ['https://evil.example/login', '//evil.example/login'])
    expect(() => open({ path })).toThrow('leads to another site');
});

it('hears the messages of the page, and follows the height of its content', () => {
  const { frame, remove, heard, post } = open();
  for (const data of ['new_tokens', 'removed_tokens', 'new_tokens']) post(data);
  post({ type: 'vestibule/resize', height: 420.5 });
  post(declined);
  expect(heard).toEqual(['tokens', 'removed', 'tokens', 'one declined']);
  expect(frame.style.height).toBe('421px');
  remove();
});

it('ignores other origins, other windows and other messages', () => {
  const { frame, remove, heard, post } = open();
  for (const data of ['new_tokens', { type: 'vestibule/resize', height: 1 }, declined]) {
    post(data, 'https://evil.example');
    post(data, signOnUrl, window);
    post(data, signOnUrl, null);
  }
  for (const data of [null, 0, 'tokens', {}, [], { type: 'vestibule/resize', height: '9px; color: red' }])
    post(data);
  post({ type: 'vestibule/resize', height: -1 });
  expect(heard).toEqual([]);
  expect(frame.style.height).toBe('');
  remove();
});

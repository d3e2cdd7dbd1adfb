/** @jest-environment node */
import { chunkLoadFailed, reloadRequested } from '@app/crash/crash.slice';
import { loginEntered } from '@features/auth/sign-in/signIn.slice';
import { ApiError, isChunkLoadError } from '@shared/api/apiError';
import { createTextStorage } from '@shared/ports/browser/storage';
import { fakeBrowser, fakeDeps } from '../support/fakeDeps';
import { enterUsername, openApp } from '../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const lost = (name: string, extra: object = {}) => Object.assign(new Error('gone'), { name }, extra);

describe('a chunk that cannot be fetched', () => {
  it('causes one reload of the page; the next time the fallback message', async () => {
    const browser = fakeBrowser();
    const { storage } = browser.tab();
    const load = () => openApp(browser.tab({ path: '/unauthorized', overrides: { storage } }));
    const before = load();
    await before.send(chunkLoadFailed());
    expect(before.deps.navigation.reloads()).toBe(1);
    expect(before.state().page.crash).toBe(false);

    const after = load();
    await after.send(chunkLoadFailed());
    expect(after.deps.navigation.reloads()).toBe(0);
    expect(after.state().page.crash).toBe(true);
    after.dispatch(reloadRequested());
    expect(after.deps.navigation.reloads()).toBe(1);
  });

  it('causes another reload of another build', async () => {
    const browser = fakeBrowser();
    const { storage } = browser.tab();
    for (const build of ['a', 'b']) {
      const app = openApp(browser.tab({ path: '/unauthorized', overrides: { storage, build } }));
      await app.send(chunkLoadFailed());
      expect(app.deps.navigation.reloads()).toBe(1);
      expect(app.state().page.crash).toBe(false);
    }
  });

  it.each([true, false])(
    'leaves username and checkbox (%p) to the next page and no other',
    async (rememberMe) => {
      const browser = fakeBrowser();
      const { storage } = browser.tab();
      const open = () => openApp(browser.tab({ overrides: { storage } }));
      const before = open();
      before.deps.api.auth.methods.mockRejectedValue(
        new ApiError('network', {}, { cause: lost('ChunkLoadError') }),
      );
      await enterUsername(before, 'ada@example.com', rememberMe);
      expect(before.deps.navigation.reloads()).toBe(1);
      expect(open().signIn()).toEqual({ phase: 'username', username: 'ada@example.com', rememberMe });
      expect(open().signIn()).toEqual({ phase: 'username', username: '', rememberMe: false });
    },
  );

  it('keeps no username for a page that does not lead to the login', async () => {
    const app = openApp(fakeDeps({ path: '/unauthorized' }));
    app.dispatch(loginEntered({ rememberedUsername: 'ada@example.com' }));
    await app.send(chunkLoadFailed());
    expect(app.deps.storage.tab.read('entry')).toBeNull();
  });

  it('causes no reload while the host does not answer: the page would be lost too', async () => {
    const deps = fakeDeps({ path: '/unauthorized' });
    deps.pageLife.reachHost(false);
    const app = openApp(deps);
    await app.send(chunkLoadFailed());
    expect(deps.navigation.reloads()).toBe(0);
    expect(app.state().page.crash).toBe(true);
  });

  it('causes no reload if the browser cannot store it: it could reload forever', async () => {
    const refused = createTextStorage(() => {
      throw new DOMException('denied', 'SecurityError');
    }, 'p-');
    const { storage } = fakeDeps();
    const app = openApp(
      fakeDeps({ path: '/unauthorized', overrides: { storage: { ...storage, tab: refused } } }),
    );
    await app.send(chunkLoadFailed());
    expect(app.deps.navigation.reloads()).toBe(0);
    expect(app.state().page.crash).toBe(true);
  });

  it.each([
    ['a chunk', lost('ChunkLoadError'), true],
    ['its styles', lost('Error', { code: 'CSS_CHUNK_LOAD_FAILED' }), true],
    ['a bug', lost('TypeError'), false],
    ['no error at all', 'ChunkLoadError', false],
  ])('is distinguished from other errors: %s', (_name, error, expected) => {
    expect(isChunkLoadError(error)).toBe(expected);
  });
});

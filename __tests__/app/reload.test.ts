/** @jest-environment node */
import { chunkLoadFailed, reloadRequested } from '@app/crash/crash.slice';
import { isChunkLoadError } from '@shared/api/apiError';
import { createNotes } from '@shared/platform/browser/storage';
import { fakeBrowser, fakeDeps } from '../support/fakeDeps';
import { openApp, pass } from '../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const lost = (name: string, extra: object = {}) => Object.assign(new Error('gone'), { name }, extra);

describe('a chunk that cannot be fetched', () => {
  it('causes one reload of the page; the next time the fallback message', async () => {
    const browser = fakeBrowser();
    const { notes } = browser.tab();
    const load = () => openApp(browser.tab({ path: '/unauthorized', overrides: { notes } }));
    const before = load();
    before.dispatch(chunkLoadFailed());
    expect(before.deps.navigation.reloads()).toBe(1);
    expect(before.state().crash).toBe(false);

    await pass(10_000);
    const after = load();
    after.dispatch(chunkLoadFailed());
    expect(after.deps.navigation.reloads()).toBe(0);
    expect(after.state().crash).toBe(true);
    after.dispatch(reloadRequested());
    expect(after.deps.navigation.reloads()).toBe(1);
  });

  it('causes another reload after a minute: there may have been another deployment', async () => {
    const app = openApp(fakeDeps({ path: '/unauthorized' }));
    app.dispatch(chunkLoadFailed());
    await pass(61_000);
    app.dispatch(chunkLoadFailed());
    expect(app.deps.navigation.reloads()).toBe(2);
    expect(app.state().crash).toBe(false);
  });

  it('causes no reload while offline: the page would be lost too', () => {
    const deps = fakeDeps({ path: '/unauthorized' });
    deps.pageLife.emit('offline');
    const app = openApp(deps);
    app.dispatch(chunkLoadFailed());
    expect(deps.navigation.reloads()).toBe(0);
    expect(app.state().crash).toBe(true);
  });

  it('causes no reload if the browser cannot store its time: it could reload forever', () => {
    const refused = createNotes(() => {
      throw new DOMException('denied', 'SecurityError');
    }, 'p-');
    const { notes } = fakeDeps();
    const app = openApp(
      fakeDeps({ path: '/unauthorized', overrides: { notes: { ...notes, tab: refused } } }),
    );
    app.dispatch(chunkLoadFailed());
    expect(app.deps.navigation.reloads()).toBe(0);
    expect(app.state().crash).toBe(true);
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

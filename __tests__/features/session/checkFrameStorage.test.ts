import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';

beforeEach(() => {
  jest.useFakeTimers();
});

const isApart = async (deps: ReturnType<typeof fakeDeps>): Promise<boolean> => {
  const app = openApp(deps);
  await settle();
  return app.state().session.isStoragePartitioned;
};

it('a frame in a parent of another site is found to be kept apart', async () => {
  expect(await isApart(fakeDeps({ embedding: 'partitioned' }))).toBe(true);
});

it('a frame in a parent of the same site is not', async () => {
  expect(await isApart(fakeDeps({ embedding: 'trusted' }))).toBe(false);
});

it('a frame whose cookies are refused is, whatever the browser says of its storage', async () => {
  const deps = fakeDeps({ embedding: 'trusted' });
  deps.cookies.switchOff();
  expect(await isApart(deps)).toBe(true);
});

it('a window of its own asks nothing', async () => {
  const deps = fakeDeps();
  deps.cookies.switchOff();
  expect(await isApart(deps)).toBe(false);
});

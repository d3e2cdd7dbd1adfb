/** @jest-environment node */
import { methods } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { enterUsername, openApp } from '../../../support/openApp';

let mockFault: Error | undefined;

jest.mock('@features/auth/sign-in/MethodStep', () => {
  throw mockFault ?? new Error('no fault was arranged');
});

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const lost = () => Object.assign(new Error('gone'), { name: 'ChunkLoadError' });

const openWithout = async (fault: Error, { isReachable = true } = {}) => {
  mockFault = fault;
  const app = openApp(fakeDeps());
  app.deps.pageLife.reachHost(isReachable);
  // Browsers are wrong about it, both ways.
  if (isReachable) app.deps.pageLife.emit('offline');
  app.deps.api.auth.methods.mockResolvedValue([methods.basic]);
  await enterUsername(app);
  return app;
};

describe('the chunk of the method step', () => {
  it('is fetched by reloading the page if the host no longer has it', async () => {
    const app = await openWithout(lost());
    expect(app.deps.navigation.reloads()).toBe(1);
    expect(app.dialog()).toBeUndefined();
  });

  it.each([
    ['while the host does not answer', lost(), false],
    ['for another reason', new Error('a bug'), true],
  ])('that is missing %s causes an error, and the page stays', async (_name, fault, isReachable) => {
    const app = await openWithout(fault, { isReachable });
    expect(app.deps.navigation.reloads()).toBe(0);
    expect(app.state().page.crash).toBe(false);
    expect(app.dialog()).toMatchObject({ title: 'Login Error' });
    expect(app.signIn().phase).toBe('username');
  });
});

/** @jest-environment node */
import type * as chunk from '@features/events/liveEvents.saga';
import { tokenPair } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { put } from '../../support/sessionCookies';

let mockIsLost = true;

jest.mock('@features/events/liveEvents.saga', () => {
  if (mockIsLost) throw Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
  return jest.requireActual<typeof chunk>('@features/events/liveEvents.saga');
});

// Not of this test, and after `resetModules` it would be of another registry than the store.
jest.mock('@app/flows/runFlows.saga', () => ({ runFlows: () => undefined }));

it('live events whose chunk could not be loaded are tried again when the tab is shown or returns, and every minute', async () => {
  jest.useFakeTimers({ now: 1_800_000_000_000 });
  const deps = fakeDeps({ path: '/account-settings', config: { extensions: ['events'] } });
  put(deps, tokenPair({ lifeSeconds: 4 * 3600 }));
  openApp(deps);
  await pass(2000);
  const failures = () => deps.log.errors.length;
  expect(failures()).toBe(1);
  deps.pageLife.emit('shown');
  await settle();
  expect(failures()).toBe(2);
  deps.pageLife.emit('left');
  await pass(120_000);
  expect(failures()).toBe(2);
  deps.pageLife.emit('restored');
  await pass(1000);
  expect(failures()).toBe(3);

  mockIsLost = false;
  await pass(59_000);
  expect(deps.eventStream.opened()).toBe(0);
  await pass(2_000);
  expect(deps.eventStream.opened()).toBe(1);
});

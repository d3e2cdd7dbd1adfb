import { recording } from '../support/devToolsRecorder';
import { App } from '@app/App';
import { VaultContext } from '@shared/contexts';
import { act, render } from '@testing-library/react';
import { userAttributes } from '../support/builders';
import type { FakeDeps } from '../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../support/openApp';

/** The application, rendered under DevTools' recorder. */
export interface RecordedApp {
  readonly app: OpenApp;
  /** Every call of a port, in order. */
  readonly calls: readonly string[];
  /** Waits for lazily loaded screens and pending answers. */
  readonly arrive: () => Promise<void>;
  readonly act: (action: { readonly type: string }) => Promise<void>;
  /** Jumps, and checks that no port was used. */
  readonly jump: (index: number) => Promise<void>;
}

/** Renders the application over ports that record every call. */
export async function openRecorded(deps: FakeDeps): Promise<RecordedApp> {
  const calls: string[] = [];
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const app = openApp(watch(deps, calls), { devTools: true });
  render(
    <VaultContext value={deps.vault}>
      <App store={app.store} config={deps.config} />
    </VaultContext>,
  );
  const arrive = () => act(() => settle());
  await arrive();
  return {
    app,
    calls,
    arrive,
    act: async (action) => {
      act(() => app.dispatch(action));
      await arrive();
    },
    jump: async (index) => {
      const touched = calls.length;
      const before = { cookies: deps.cookies.contents(), address: deps.navigation.address() };
      act(() => recording.jumpTo(index));
      await arrive();
      expect(calls.slice(touched)).toEqual([]);
      expect({ cookies: deps.cookies.contents(), address: deps.navigation.address() }).toEqual(before);
    },
  };
}

/** The same ports, noting every call of every one, so that "nothing was touched" can be said of all of them. */
const watch = <T extends object>(ports: T, calls: string[], name = 'deps'): T =>
  new Proxy(ports, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver);
      const path = `${name}.${String(key)}`;
      if (typeof member === 'object' && member !== null) return watch(member, calls, path);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        calls.push(path);
        return Reflect.apply(member, target, args);
      };
    },
  });

/** The step of the recording that this event led to. */
export const stepAfter = (type: string): number => {
  const index = recording
    .steps()
    .findIndex(({ action }) => JSON.stringify(action).includes(`"type":"${type}"`));
  expect(index).toBeGreaterThan(0);
  return index;
};

import { recording } from '../support/devToolsRecorder';

/** The same ports, recording every call of each, so that a test can show that none was used. */
export const watch = <T extends object>(ports: T, calls: string[], name = 'deps'): T =>
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

/** The step of the recording that this event created. */
export const stepAfter = (type: string): number => {
  const index = recording
    .steps()
    .findIndex(({ action }) => JSON.stringify(action).includes(`"type":"${type}"`));
  expect(index).toBeGreaterThan(0);
  return index;
};

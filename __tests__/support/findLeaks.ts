import { recording } from './devToolsRecorder';
import type { FakeDeps } from './fakeDeps';

/**
 * Everything that a test can see of a tab afterwards, except its cookies, its calls, the vault and the address that
 * it was opened at, which is not the application's doing.
 */
const tracesOf = ({ log, navigation, parentFrame, popup }: FakeDeps): readonly string[] => [
  ...recording.steps().flatMap(({ action, state }) => [JSON.stringify(action), JSON.stringify(state)]),
  ...log.warnings.map((entry) => JSON.stringify(entry)),
  ...log.errors.map(({ event, error }) => `${event} ${String(error)} ${JSON.stringify(error)}`),
  ...navigation.pushes,
  ...navigation.replaces,
  ...navigation.leaves,
  ...[...navigation.states, navigation.current().state].map((state) => JSON.stringify(state ?? null)),
  ...parentFrame.messages,
  ...popup.windows.flatMap(({ visited, heard }) => [
    ...visited,
    ...heard.map((message) => JSON.stringify(message)),
  ]),
];

/**
 * Where a marked secret appears in what Redux DevTools recorded, the log, the history, the addresses of the page and its
 * windows, and the messages to other windows. Must be nowhere. DevTools' recorder must be the test's first import.
 */
export const findLeaks = (deps: FakeDeps, marks: readonly string[]): readonly string[] => {
  const traces = tracesOf(deps);
  return marks.flatMap((mark) =>
    traces.filter((text) => text.includes(mark) || text.includes(encodeURIComponent(mark))),
  );
};

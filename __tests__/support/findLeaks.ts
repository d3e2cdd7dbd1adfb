import { formatRecording, makeRecording } from '@app/crash/recording';
import { recording } from './devToolsRecorder';
import type { FakeDeps } from './fakeDeps';

/** What 'Copy details' would copy, were the log as long as the history. */
const details = ({ config }: FakeDeps): string => {
  const events = recording
    .steps()
    .map(({ action }) => ({ at: 0, action: action as { readonly type: string } }));
  return formatRecording(
    makeRecording(
      { start: () => recording.steps()[0]?.state, events },
      { config, look: 'default', embedding: 'none' },
    ),
  );
};

/**
 * Everything that a test can see of a tab afterwards, except its cookies, its calls, the vault and the address that
 * it was opened at, which is not the application's doing.
 */
const tracesOf = (deps: FakeDeps): readonly string[] => [
  details(deps),
  ...recording.steps().flatMap(({ action, state }) => [JSON.stringify(action), JSON.stringify(state)]),
  ...deps.log.warnings.map((entry) => JSON.stringify(entry)),
  ...deps.log.errors.map(({ event, error }) => `${event} ${String(error)} ${JSON.stringify(error)}`),
  ...deps.navigation.pushes,
  ...deps.navigation.replaces,
  ...deps.navigation.leaves,
  ...[...deps.navigation.states, deps.navigation.current().state].map((state) =>
    JSON.stringify(state ?? null),
  ),
  ...deps.parentFrame.messages.map((message) => JSON.stringify(message)),
  ...deps.popup.windows.flatMap(({ visited, heard }) => [
    ...visited,
    ...heard.map((message) => JSON.stringify(message)),
  ]),
];

/**
 * Where a marked secret appears in what Redux DevTools recorded, the text of 'Copy details', the log, the history, the addresses of the
 * page and its
 * windows, and the messages to other windows. Must be nowhere. DevTools' recorder must be the test's first import.
 */
export const findLeaks = (deps: FakeDeps, marks: readonly string[]): readonly string[] => {
  const traces = tracesOf(deps);
  return marks.flatMap((mark) =>
    traces.filter((text) => text.includes(mark) || text.includes(encodeURIComponent(mark))),
  );
};

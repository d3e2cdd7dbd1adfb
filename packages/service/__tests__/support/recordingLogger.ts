import type { Logger, LogFields } from '../../src/index.ts';

/** Everything that the service logged, for tests that check what it contains or must not contain. */
export type RecordedLog = ReturnType<typeof recordingLogger>;
export function recordingLogger() {
  const entries: { level: keyof Logger; event: string; fields: LogFields }[] = [];
  const at =
    (level: keyof Logger) =>
    (event: string, fields: LogFields = {}): void => {
      entries.push({ level, event, fields });
    };
  return {
    logger: { info: at('info'), warn: at('warn'), error: at('error') },
    entries: () => entries as readonly (typeof entries)[number][],
    /** All of it as one text. */
    text: () => JSON.stringify(entries),
  };
}

import type { Logger, LogFields } from '../../src/index.ts';

/** Everything that the service logged, for tests that check what it contains or must not contain. */
export interface RecordedLog {
  readonly logger: Logger;
  readonly entries: () => readonly { level: keyof Logger; event: string; fields: LogFields }[];
  /** All of it as one text. */
  readonly text: () => string;
}

export function recordingLogger(): RecordedLog {
  const entries: { level: keyof Logger; event: string; fields: LogFields }[] = [];
  const at =
    (level: keyof Logger) =>
    (event: string, fields: LogFields = {}): void => {
      entries.push({ level, event, fields });
    };
  return {
    logger: { info: at('info'), warn: at('warn'), error: at('error') },
    entries: () => entries,
    text: () => JSON.stringify(entries),
  };
}

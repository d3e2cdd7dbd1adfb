import type { IncomingHttpHeaders } from 'node:http';

/** A call that reached the host of the service, for the assertions of tests. It may contain passwords. */
export interface JournalEntry {
  /** Counts from 1 and never restarts, so that two readings can be distinguished. */
  readonly id: number;
  /** When it arrived, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path with query, as it arrived. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body parsed as JSON; the text where it is none; `null` where there was no body. */
  readonly body: unknown;
  /** Status of the response; `null` while there is none, or when the connection was dropped. */
  readonly status: number | null;
  /** The fault that met the call, or `null`. */
  readonly fault: string | null;
}

/** Headers that tests ask about; the rest is the browser's business. */
const keptHeaders = ['authorization', 'content-type', 'cookie', 'origin', 'referer', 'accept'] as const;

/** Everything that the service was asked, in order. */
export interface Journal {
  readonly open: (
    call: Pick<JournalEntry, 'method' | 'path' | 'body' | 'fault'> & {
      readonly headers: IncomingHttpHeaders;
    },
  ) => {
    /** Records how the call ended. */
    readonly close: (status: number) => void;
  };
  readonly entries: () => readonly JournalEntry[];
  readonly clear: () => void;
}

/** An empty journal. */
export function createJournal(): Journal {
  let entries: JournalEntry[] = [];
  let lastId = 0;
  return {
    open: ({ headers, ...call }) => {
      lastId += 1;
      const id = lastId;
      entries.push({ id, at: Date.now(), ...call, headers: subset(headers), status: null });
      return {
        close: (status) => {
          entries = entries.map((entry) => (entry.id === id ? { ...entry, status } : entry));
        },
      };
    },
    entries: () => entries,
    clear: () => {
      entries = [];
    },
  };
}

/** A body as tests compare it. */
export function parsedBody(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return null;
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function subset(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

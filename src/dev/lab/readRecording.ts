import { rootReducer, type RootState } from '@app/rootReducer';
import type { UnknownAction } from '@reduxjs/toolkit';
import { fromReadable } from '@dev/devtools/readable';
import * as v from 'valibot';
import { injectEveryReducer } from './everyReducer';
import { labMessages } from './lab.messages';

const words = labMessages.replay.problems;

injectEveryReducer();

const initialState = rootReducer(undefined, { type: '@@lab/init' });

/** The names of the slices, with which the types of their events begin. */
const slices: ReadonlySet<string> = new Set(
  Object.entries(initialState).flatMap(([name, branch]) => [name, ...Object.keys(Object(branch) as object)]),
);

/** An event of a recording, and the state that it led to. */
export interface Step {
  readonly type: string;
  /** Ms since the epoch; `null`: not recorded. */
  readonly at: number | null;
  readonly action: UnknownAction;
  readonly state: RootState;
}

/** A recording that can be replayed, or why it cannot. */
export type ReadRecording =
  | { readonly ok: true; readonly about: string; readonly steps: readonly Step[] }
  | { readonly ok: false; readonly problem: string };

/** The longest text that is read as a recording, characters. */
const longestText = 20_000_000;

const action = v.looseObject({ type: v.string() });
const copied = v.object({
  vestibule: v.literal(1),
  version: v.string(),
  environment: v.string(),
  look: v.picklist(['default', 'epay']),
  embedding: v.picklist(['none', 'trusted', 'untrusted']),
  start: v.optional(v.record(v.string(), v.unknown())),
  events: v.array(v.object({ at: v.number(), action })),
});
/** What Export of the extension writes for this application: the log, with readable states. */
const lifted = v.object({
  actionsById: v.record(v.string(), v.object({ action, timestamp: v.optional(v.number()) })),
  stagedActionIds: v.array(v.number()),
  committedState: v.optional(v.record(v.string(), v.unknown())),
});
/** What Export writes if the page keeps the log: JSON texts in JSON, without times. */
const exported = v.object({ payload: v.string(), preloadedState: v.optional(v.string()) });

interface Parsed {
  readonly about: string;
  readonly start: unknown;
  readonly events: readonly { readonly at: number | null; readonly action: UnknownAction }[];
}

/** Why a text cannot be replayed, as a sentence. */
class Problem extends Error {}

/**
 * Reads what 'Copy details' copied or DevTools exported, and computes the state after each event. The text is not to be
 * trusted: anything but events of this application's slices that its reducers accept results in a sentence. Never throws.
 */
export function readRecording(text: string): ReadRecording {
  try {
    const { about, start, events } = parse(text);
    let state = startingState(start);
    const steps = events.map(({ at, action }): Step => {
      if (!slices.has(action.type.split('/')[0] ?? ''))
        throw new Problem(words.unknownEvent(action.type.slice(0, 80)));
      state = reduce(state, action);
      return { type: action.type, at, action, state };
    });
    return steps.length === 0 ? { ok: false, problem: words.empty } : { ok: true, about, steps };
  } catch (error) {
    return { ok: false, problem: error instanceof Problem ? error.message : words.notOurs };
  }
}

function parse(text: string): Parsed {
  const value = jsonIn(text);
  if (v.is(v.object({ vestibule: v.unknown() }), value)) {
    if (value.vestibule !== 1) throw new Problem(words.anotherVersion);
    const { version, environment, look, embedding, start, events } = check(copied, value);
    return { about: [version, environment, look, embedding].join(' · '), start, events };
  }
  if (v.is(exported, value)) {
    const payload = jsonIn(value.payload);
    const start = value.preloadedState === undefined ? undefined : jsonIn(value.preloadedState);
    if (!Array.isArray(payload)) return { ...ofDevTools(payload), ...(start === undefined ? {} : { start }) };
    return {
      about: '',
      start,
      events: check(v.array(action), payload)
        .filter((one) => !isOfTools(one))
        .map((one) => ({ at: null, action: one })),
    };
  }
  return ofDevTools(value);
}

function ofDevTools(value: unknown): Parsed {
  const { actionsById, stagedActionIds, committedState } = check(lifted, value);
  const events = stagedActionIds.flatMap((id) => {
    const step = actionsById[String(id)];
    return step && !isOfTools(step.action) ? [{ at: step.timestamp ?? null, action: step.action }] : [];
  });
  return { about: '', start: fromReadable(committedState), events };
}

/** Whether an action is one of Redux (`@@INIT`, `@@PAUSED`) or of our part of DevTools. */
const isOfTools = ({ type }: UnknownAction): boolean => /^(@@|devTools\/)/.test(type);

/**
 * Finds the JSON in a text such as a mail, in which other words with brackets may surround it. A regular expression would
 * take quadratic time for a text of brackets.
 */
function jsonIn(text: string): unknown {
  const given = text.slice(0, longestText);
  const copy = given.indexOf('{"vestibule"');
  const start = copy < 0 ? given.search(/[[{]/) : copy;
  const end =
    copy < 0 ? Math.max(given.lastIndexOf(']'), given.lastIndexOf('}')) + 1 : given.lastIndexOf(']}') + 2;
  try {
    return JSON.parse(given.slice(Math.max(start, 0), end));
  } catch {
    throw new Problem(words.notJson);
  }
}

function check<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (!result.success) throw new Problem(words.notOurs);
  return result.output;
}

/** Checks that a state has the shape of the application's state. Other errors appear when it is rendered. */
function startingState(given: unknown): RootState {
  if (given === undefined) return initialState;
  if (!isLike(initialState, given)) throw new Problem(words.anotherState);
  return rootReducer(given as RootState, { type: '@@lab/init' });
}

function isLike(ours: unknown, given: unknown): boolean {
  if (typeof ours !== 'object' || ours === null || Array.isArray(ours))
    return Array.isArray(ours) === Array.isArray(given);
  if (typeof given !== 'object' || given === null) return false;
  // The phases of a slice differ in their keys.
  if ('phase' in ours) return 'phase' in given && typeof given.phase === 'string';
  // The state of a page that has shown only `/login` lacks the slices of other screens.
  return Object.entries(ours).every(
    ([key, value]) => !Object.hasOwn(given, key) || isLike(value, Reflect.get(given, key)),
  );
}

function reduce(state: RootState, action: UnknownAction): RootState {
  try {
    return rootReducer(state, action);
  } catch {
    throw new Problem(words.unusableEvent(action.type));
  }
}

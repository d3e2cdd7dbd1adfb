import type { MessageDescriptor } from '@lingui/core';
import { features } from '@app/features';
import { findRoute } from '@app/routes';
import { mask } from '@shared/routing/location.slice';
import type { Embedding } from '@features/session';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { AppConfig, Brand } from '@vestibule/contract/appConfig';
import { isEpay } from '@shared/brand/brand';
import type { Feature } from '@shared/deps';
import { wayChosen, wayRequested } from '@shared/slots';
import { generatePath, type Params } from 'react-router-dom';
import manifest from '../../../package.json';
import type { EventLog } from './eventLog';

/** The facts about the page that are not in its events. */
export interface PageFacts {
  readonly config: Pick<AppConfig, 'environment' | 'brands' | 'links' | 'languages'>;
  readonly look: Brand['look'];
  readonly embedding: Embedding;
}

/** What 'Copy details' copies, and `/#replay` reads: see docs/behaviour.md#copy-details. */
export interface Recording {
  /** Version of this format. */
  readonly vestibule: 1;
  readonly version: string;
  readonly environment: string;
  readonly look: Brand['look'];
  readonly embedding: Embedding;
  /** The state before the first event; absent: the store's first. */
  readonly start?: unknown;
  /** `at`: ms since the epoch. */
  readonly events: readonly { readonly at: number; readonly action: unknown }[];
}

const removed = '[redacted]';

/**
 * The fields of state and actions whose type is a union of literals: phases, methods, outcomes, ids of dialogs. The texts of any
 * other field are removed, so that a field which is added later is removed until it is named, here or by its feature.
 */
const literalFields: ReadonlySet<string> = new Set([
  ...'activation at by cause checked country embedding id kind known look method outcome phase'.split(' '),
  ...'providers purpose reason route secondStep status tone trouble way what which'.split(' '),
  ...features.flatMap((feature: Feature) => feature.literals ?? []),
]);

/** The fields with a language that the page offers. */
const languageFields: ReadonlySet<string> = new Set(['shown', 'chosen', 'language', 'payload']);

/** The form of a literal. A text of another form is removed even from a field of literals. */
const literal = /^[A-Za-z]+(?:[- ][a-z]+)*$/;

/** A time is replaced by another time and not by a mark, because the screens format it. */
const time = /^\d{4}-\d\d-\d\d[T ][\d:. +-]+Z?$/;

/** Payloads that consist of one literal. */
const literalPayloads: ReadonlySet<string> = new Set(
  'google microsoft text password provider refused copied phone app code session screen'.split(' '),
);

/** Events whose payload is the name of a feature. In any other event the same text may be a username. */
const namesFeature: ReadonlySet<string> = new Set([
  wayRequested.type,
  wayChosen.type,
  'challenge/codeKindSwitched',
]);

/** The values of these fields are removed from sentences as well, however short they are. */
const personal: ReadonlySet<string> = new Set([
  ...'username email firstName lastName uid text'.split(' '),
  ...features.flatMap((feature: Feature) => feature.personal ?? []),
]);

/** Texts that the user sees: the application's or the service's. */
const sentences: ReadonlySet<string> = new Set(['title', 'message', 'confirmLabel', 'cancelLabel']);

/** Parameters of an address that decide what is rendered. */
const shownParameters: ReadonlySet<string> = new Set(['application', 'supplierHub', 'mode', 'method']);
const shownValues: ReadonlySet<string> = new Set(['', 'true', 'false', 'verify', 'sms', 'qrcode']);

/** Makes the recording of a page, without a secret, an account or an address of another site. */
export function makeRecording(log: Pick<EventLog<unknown>, 'start' | 'events'>, facts: PageFacts): Recording {
  const isBrandName = (text: string): boolean => isEpay(text) || Object.hasOwn(facts.config.brands, text);
  const names = new Set<string>();
  const redact = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return redactText(value, key);
    if (Array.isArray(value)) return value.map((one) => redact(one, key));
    if (typeof value !== 'object' || value === null) return value;
    if (isMessage(value)) {
      const { id, message, values } = value;
      return { id, message, ...(values && { values: redactValues(values) }) };
    }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redact(one, name)]));
  };
  const redactValues = (values: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(
      Object.entries(values).map(([name, one]) => [name, redact(one, personal.has(name) ? name : 'message')]),
    );
  const redactAction = ({ type, payload, ...rest }: UnknownAction): unknown => ({
    type,
    ...(payload !== undefined && { payload: redact(payload, namesFeature.has(type) ? 'way' : 'payload') }),
    ...(redact(rest, 'action') as object),
  });
  const redactText = (text: string, key: string): string => {
    if (text === '') return text;
    if (sentences.has(key)) return scrub(text, names, facts.config.links.providerSupport);
    if (key === 'pathname') return redactPath(text);
    if (key === 'search') return redactQuery(text, isBrandName);
    if (key === 'to') return redactAddress(text, isBrandName);
    if (time.test(text)) return '2000-01-01T00:00:00Z';
    if (languageFields.has(key) && (text === 'en' || facts.config.languages?.includes(text))) return text;
    if (literalFields.has(key) && !personal.has(key) && literal.test(text)) return text;
    if (key === 'payload' && literalPayloads.has(text)) return text;
    if (key === 'application' && isBrandName(text)) return text;
    const name = text.trim();
    if (name.length > (personal.has(key) ? 0 : 2)) names.add(name);
    return removed;
  };
  const all = (): Pick<Recording, 'start' | 'events'> => ({
    start: redact(log.start(), 'start'),
    events: log.events.map(({ at, action }) => ({ at, action: redactAction(withCause(action)) })),
  });
  // This runs twice, because a name may occur in a text before the field that holds it.
  all();
  const { environment } = facts.config;
  return {
    vestibule: 1,
    version: manifest.version,
    environment,
    look: facts.look,
    embedding: facts.embedding,
    ...all(),
  };
}

/** Whether it is a text of the application. Its values may be personal. */
const isMessage = (value: object): value is MessageDescriptor =>
  'id' in value && typeof value.id === 'string' && messageId.test(value.id) && 'message' in value;
const messageId = /^[a-z/-]+(?:\.[\w-]+)+$/;

/** An action that no saga dispatched comes from a screen, for the user. DevTools records more causes. */
function withCause(action: UnknownAction): UnknownAction {
  const meta = action['meta'] as object | undefined;
  if ('@@redux-saga/SAGA_ACTION' in action || (meta && 'cause' in meta)) return action;
  return { ...action, meta: { ...meta, cause: 'user' } };
}

/**
 * A service may repeat in its message what it was sent: names, addresses, codes and tokens are removed.
 *
 * @param contact - the one address that the application's own texts contain
 */
function scrub(sentence: string, names: ReadonlySet<string>, contact: string): string {
  const parts = sentence.split(new RegExp(`(?<!\\S)${escape(contact)}(?=[\\s.,]|$)`, 'u'));
  return parts.map((part) => scrubPart(part, names)).join(contact);
}

function scrubPart(part: string, names: ReadonlySet<string>): string {
  return withoutNames(part, names)
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+|\S*(?:@|%40)\S*/gi, removed)
    .replace(/[\w+/=.~%-]{8,}/g, (run) => (isWords(run) ? run : removed))
    .replace(/\p{Nd}(?:[\s().-]{0,2}\p{Nd}){3,}/gu, removed);
}

/**
 * Whether a run consists of words rather than a token or an id: words such as '30-second', host names, or a text without digits
 * that is too short for a token.
 */
const isWords = (run: string): boolean =>
  /^(?:\d{1,3}-)?[A-Z]?[a-z.-]+$|^[A-Z]+(?:_[A-Z]+)+\.*$/.test(run) || (run.length < 20 && !/\d/.test(run));

/** Removes names in upper and lower case, the longest first, because one name may be a part of another. */
function withoutNames(sentence: string, names: ReadonlySet<string>): string {
  const patterns = [...names]
    .sort((one, other) => other.length - one.length)
    // A short name is removed only where it is a word of its own.
    .map((name) => (name.length > 2 ? escape(name) : `(?<![\\p{L}\\p{N}])${escape(name)}(?![\\p{L}\\p{N}])`));
  return patterns.length === 0 ? sentence : sentence.replace(new RegExp(patterns.join('|'), 'giu'), removed);
}

/** Escapes a text for use in a regular expression. */
const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The purposes of verify identity. */
const purposes: ReadonlySet<string> = new Set(features.flatMap(({ purposes: own = {} }) => Object.keys(own)));

/** The address of one of the application's routes, without the values of its segments. */
function redactPath(pathname: string): string {
  const match = findRoute(pathname);
  if (!match) return `/${mask}`;
  const kept = Object.entries(match.params).map(([name, value = '']) => [
    name,
    purposes.has(value) ? value : mask,
  ]);
  return generatePath(match.route.pattern, Object.fromEntries(kept) as Params);
}

function redactQuery(search: string, isBrandName: (text: string) => boolean): string {
  const query = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search))
    if (shownParameters.has(name))
      query.set(name, isBrandName(value) || shownValues.has(value) ? value : removed);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function redactAddress(address: string, isBrandName: (text: string) => boolean): string {
  const [pathname = '', search = ''] = address.split(/(?=\?)/, 2);
  return redactPath(pathname) + redactQuery(search, isBrandName);
}

/** Formats a recording as JSON with one event in each line. */
export function formatRecording({ events, ...head }: Recording): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"events":[\n${lines}\n]}\n`;
}

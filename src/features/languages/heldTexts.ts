import type { UnknownAction } from '@reduxjs/toolkit';
import { languageShown, type RenewedTexts } from './languages.slice';
import type { Replaced } from './translations';

/** The names of fields in which the state holds texts of the page. What users enter has other names. */
const isText = (field: string): boolean => /message$|title$|label$/i.test(field);

/**
 * The new texts of those that a state holds, such as the message of an open dialog. A text stays as it is if its place is uncertain: two
 * places had the same text, and now differ.
 */
export function renewedTexts(state: unknown, replaced: readonly Replaced[]): RenewedTexts {
  const texts: Record<string, Record<string, string>> = {};
  for (const { field, text } of heldTexts(state)) {
    const candidates = replaced.filter(({ former }) => former === text);
    const exact = candidates.filter(({ key }) => key === field);
    const [next, ...others] = new Set((exact.length > 0 ? exact : candidates).map((one) => one.next));
    if (next !== undefined && next !== text && others.length === 0) (texts[field] ??= {})[text] = next;
  }
  return texts;
}

type HeldText = { readonly field: string; readonly text: string };

function heldTexts(state: unknown, field = ''): readonly HeldText[] {
  if (typeof state === 'string') return isText(field) ? [{ field, text: state }] : [];
  if (typeof state !== 'object' || state === null) return [];
  return Object.entries(state).flatMap(([key, value]) => heldTexts(value, key));
}

/** Shows the texts that the state holds in the language that has just been chosen. */
export function renewTexts<State>(state: State, action: UnknownAction): State {
  const { texts = {} } = languageShown.match(action) ? action.payload : {};
  return Object.keys(texts).length === 0 ? state : (renewed(state, texts) as State);
}

function renewed(state: unknown, texts: RenewedTexts, field = ''): unknown {
  if (typeof state === 'string') return textIn(texts, field, state);
  if (Array.isArray(state)) return state.map((one: unknown) => renewed(one, texts));
  if (typeof state !== 'object' || state === null) return state;
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, renewed(value, texts, key)]));
}

function textIn(texts: RenewedTexts, field: string, text: string): string {
  const ofField = Object.hasOwn(texts, field) ? texts[field] : undefined;
  return ofField && Object.hasOwn(ofField, text) ? (ofField[text] ?? text) : text;
}

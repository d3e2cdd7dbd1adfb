import type { Reducer } from '@reduxjs/toolkit';
import { componentIn, createOptionalChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import type { ComponentType } from 'react';
import type { SagaGenerator } from 'typed-redux-saga';

/** What the `index.ts` of an extension exports for its section on the account settings. */
export interface SettingsSection {
  /** Not drawn in setup mode. */
  readonly Section: ComponentType;
  /** Its slice, whose state has the name of the extension. */
  readonly reducer?: Reducer;
  /** Runs as long as the page, also in setup mode. */
  readonly saga?: (deps: Deps) => SagaGenerator<void>;
}

/** A chunk without which the settings work as without the extension. */
function sectionIn<Module extends SettingsSection>(fetch: () => Promise<Module>) {
  const chunk = createOptionalChunk(fetch);
  return { ...chunk, Section: componentIn(chunk, ({ Section }: Partial<SettingsSection>) => Section) };
}

/** The section of each extension on the account settings, in this order. */
export const sections = {
  passkeys: sectionIn(() => import('@features/auth/passkeys')),
  sessions: sectionIn(() => import('@features/activity')),
};

/** The offer on the screens that show a change of factors, with the extension `sessions`. */
export const OtherSessionsOffer = componentIn(
  sections.sessions,
  ({ OtherSessionsOffer }) => OtherSessionsOffer,
);

type Module<Name extends keyof typeof sections> = Awaited<ReturnType<(typeof sections)[Name]['load']>>;

/** The reducers of the sections that have one. */
export type SectionReducers = {
  readonly [
    Name in keyof typeof sections as 'reducer' extends keyof Module<Name> ? Name : never
  ]: Module<Name> extends { readonly reducer?: infer Found extends Reducer } ? Found : never;
};

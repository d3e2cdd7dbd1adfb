import { componentIn, createChunk } from '@shared/chunk';
import type * as signInPasskeys from './signInPasskeys';

/** What sign-in and verify identity need of passkeys. Without its file the page is as without the extension. */
export const passkeysChunk = createChunk<Partial<typeof signInPasskeys>>(() =>
  import(/* webpackChunkName: "passkeys" */ './signInPasskeys').catch(() => ({})),
);

const nothing = () => null;

/** Marks the username field beside it for the browser's list. */
export const PasskeyField = componentIn(passkeysChunk, ({ PasskeyField: Field = nothing }) => Field);

import { componentIn, createChunk } from '@shared/chunk';
import type * as signInPasskeys from './signInPasskeys';

type PasskeysModule = Partial<typeof signInPasskeys>;

/** What sign-in and verify identity need of passkeys. Without its file the page is as without the extension. */
export const passkeysChunk = createChunk<PasskeysModule>(() =>
  import(/* webpackChunkName: "passkeys" */ './signInPasskeys').catch(() => ({})),
);

const nothing = () => null;

/** 'Sign in with a Passkey' or 'Use a Passkey'. */
export const PasskeyButton = componentIn(passkeysChunk, ({ PasskeyButton: Button = nothing }) => Button);

/** Marks the username field beside it for the browser's list. */
export const PasskeyField = componentIn(passkeysChunk, ({ PasskeyField: Field = nothing }) => Field);

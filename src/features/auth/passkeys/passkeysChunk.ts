import { createChunk } from '@shared/chunk';
import type * as signInPasskeys from './signInPasskeys';

/** What sign-in and verify identity need of passkeys. Without its file the page is as without the extension. */
export const passkeysChunk = createChunk<Partial<typeof signInPasskeys>>(() =>
  import(/* webpackChunkName: "passkeys" */ './signInPasskeys').catch(() => ({})),
);

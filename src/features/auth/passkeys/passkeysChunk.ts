import { createChunk } from '@shared/chunk';
import type * as passkeyAuthentication from './passkeyAuthentication';

/** The code of passkeys for sign-in and verify identity. If it cannot be loaded, the page works as without the extension. */
export const passkeysChunk = createChunk<Partial<typeof passkeyAuthentication>>(() =>
  import(/* webpackChunkName: "passkeys" */ './passkeyAuthentication').catch(() => ({})),
);

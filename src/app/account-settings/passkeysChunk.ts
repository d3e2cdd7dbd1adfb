import { createOptionalChunk } from '@shared/chunk';

/** The passkeys of a signed-in user. If it cannot be loaded, the settings work as without the extension. */
export const passkeysChunk = createOptionalChunk(() => import('@features/auth/passkeys'));

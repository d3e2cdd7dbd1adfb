import { createOptionalChunk } from '@shared/chunk';

/** The code of passkeys for sign-in and verify identity. If it cannot be loaded, the page works as without the extension. */
export const wayChunk = createOptionalChunk(() => import(/* webpackChunkName: "passkeys" */ './passkeyWay'));

import { componentIn, createOptionalChunk } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { addAfterPassword } from './addAfterPassword.saga';
import { passkeysScenarios } from './passkeys.scenarios';
import { wayChunk } from './wayChunk';

const settings = createOptionalChunk(() => import('./index'));

/** See docs/behaviour.md#passkeys. */
export const passkeys = {
  name: 'passkeys',
  late: settings,
  calls: { passkeys: () => import(/* webpackChunkName: "extensions" */ './passkeys.calls') },
  personal: ['name', 'credentialId'],
  Section: componentIn(settings, (module) => module.PasskeysSection),
  way: {
    Button: componentIn(wayChunk, (module) => module.PasskeyButton),
    work: wayChunk,
    autoComplete: 'webauthn',
  },
  afterSignIn: addAfterPassword,
  eventTexts: createOptionalChunk(
    () => import(/* webpackChunkName: "extensions" */ './passkeyEvents.messages'),
  ),
  purposes: {
    'add-passkey': async () => (await settings.load()).addition,
    'remove-passkey': async () => (await settings.load()).removal,
  },
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: passkeysScenarios }),
} as const satisfies Feature;

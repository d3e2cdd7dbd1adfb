import { componentIn } from '@shared/chunk';
import { passkeysChunk } from './passkeysChunk';

/** 'Sign in with a Passkey' or 'Use a Passkey'. Not in the first bundle. */
export const PasskeyButton = componentIn(passkeysChunk, (module) => module.PasskeyButton);

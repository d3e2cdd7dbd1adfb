import { componentIn } from '@shared/chunk';
import { passkeysChunk } from './passkeysChunk';

const nothing = () => null;

/** 'Sign in with a Passkey' or 'Use a Passkey'. Not in the first bundle. */
export const PasskeyButton = componentIn(passkeysChunk, ({ PasskeyButton: Button = nothing }) => Button);

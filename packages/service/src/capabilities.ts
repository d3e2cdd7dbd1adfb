import type { Capability } from './capability.ts';
import { recoveryCodes } from './recovery-codes/capability.ts';

/** The parts of the service. Hooks run in this order. */
export const capabilities: readonly Capability[] = [recoveryCodes];

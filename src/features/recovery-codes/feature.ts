import { componentIn, createOptionalChunk } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { recoveryScenarios } from './recoveryCodes.scenarios';

const chunk = createOptionalChunk(() => import(/* webpackChunkName: "recovery-codes" */ './index'));
const step = createOptionalChunk(() => import('./recoveryStep'));

declare module '@shared/ports/vault' {
  interface VaultContents {
    /** New recovery codes, until the user presses 'Done' or leaves the screen. */
    readonly recoveryCodes: readonly string[];
  }
}

/** See docs/behaviour.md#recovery-codes. */
export const recoveryCodes = {
  name: 'recovery-codes',
  late: chunk,
  calls: { recovery: () => import(/* webpackChunkName: "extensions" */ './recoveryCodes.calls') },
  SecondStepPart: componentIn(chunk, (module) => module.RecoveryCodesPart),
  secondStep: {
    Form: componentIn(step, (module) => module.RecoveryForm),
    Switch: componentIn(step, (module) => module.RecoverySwitch),
    use: (api, challenge, { code, trust }) =>
      api.recovery.use({ ...challenge, code, ...(trust && { trust }) }),
  },
  eventTexts: createOptionalChunk(
    () => import(/* webpackChunkName: "extensions" */ './recoveryEvents.messages'),
  ),
  purposes: { 'recovery-codes': async () => (await chunk.load()).newCodes },
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: recoveryScenarios }),
} as const satisfies Feature;

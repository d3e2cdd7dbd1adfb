import { paths } from '@shared/routing/paths';
import type { SetupState, SetupStep } from './setup.slice';

/** What entering the address of a step means for the set-up. */
export type StepDecision = { readonly kind: 'enter' } | { readonly kind: 'redirect'; readonly to: string };

/** Where the set-up of this user stands; the choice of a method when there is none. */
export function setupPath(state: SetupState, uid: string): string {
  if (state.phase === 'code' || state.phase === 'verifying') return paths.setupCode(uid);
  return 'method' in state ? firstStepPath(state.method, uid) : paths.mfaOptions();
}

/**
 * Whether an address can be entered. A step is its own user's, who has chosen a method in this page (decisions §9) and
 * proved who they are.
 *
 * @param owner - whose step the address is, percent-encoded
 * @param uid - of the person who has proved it; `null`: nobody has
 */
export function decideStep(
  step: SetupStep,
  owner: string | undefined,
  state: SetupState,
  uid: string | null,
): StepDecision {
  if (!('method' in state) || uid === null || owner !== encodeURIComponent(uid))
    return { kind: 'redirect', to: paths.mfaOptions() };
  return isOpen(step, state) ? { kind: 'enter' } : { kind: 'redirect', to: firstStepPath(state.method, uid) };
}

type Begun = Extract<SetupState, { method: unknown }>;

function firstStepPath(method: Begun['method'], uid: string): string {
  return method === 'sms' ? paths.phoneSetup(uid) : paths.appSetup(uid);
}

function isOpen(step: SetupStep, state: Begun): boolean {
  switch (step) {
    case 'phone':
      return state.method === 'sms';
    case 'app':
      return state.method === 'qrcode';
    case 'code':
      // A code can be had: a message was sent, or the app has been shown its key.
      return state.phase === 'code' || state.phase === 'verifying' || state.phase === 'enrolled';
  }
}

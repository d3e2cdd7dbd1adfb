import type { RouteMatch } from '@shared/routing/matchRoute';
import { paths, type RouteName } from '@shared/routing/paths';
import type { SetupState, SetupStep } from './setup.slice';

/** What entering an address means for the set-up. */
export type StepDecision =
  | { readonly kind: 'enter'; readonly step: SetupStep }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Identity is being proved (again): what was entered is kept, and what was under way is over. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'leave' };

const steps: Partial<Record<RouteName, SetupStep>> = {
  phoneSetup: 'phone',
  appSetup: 'app',
  setupCode: 'code',
};

/** The step that a route shows, if it is one of the set-up. */
export const stepOf = (match: RouteMatch | null): SetupStep | undefined =>
  match ? steps[match.name] : undefined;

/** Where the set-up of this user stands; the choice of a method when there is none. */
export function setupPath(state: SetupState, uid: string): string {
  if (state.phase === 'code' || state.phase === 'verifying') return paths.setupCode(uid);
  return 'method' in state ? firstStepPath(state.method, uid) : paths.mfaOptions();
}

/**
 * Whether an address can be entered. A step is its own user's, who has chosen a method in this page (decisions §9) and
 * proved who they are.
 *
 * @param uid - of the person who has proved it; `null`: nobody has
 */
export function decideStep(match: RouteMatch | null, state: SetupState, uid: string | null): StepDecision {
  const step = stepOf(match);
  if (!match || !step)
    return match?.name === 'askPassword' && match.params['authystatus'] === 'enable'
      ? { kind: 'pause' }
      : { kind: 'leave' };
  if (!('method' in state) || uid === null || match.params['uid'] !== encodeURIComponent(uid))
    return { kind: 'redirect', to: paths.mfaOptions() };
  return isOpen(step, state)
    ? { kind: 'enter', step }
    : { kind: 'redirect', to: firstStepPath(state.method, uid) };
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

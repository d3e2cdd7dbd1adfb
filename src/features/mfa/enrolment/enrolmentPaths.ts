import { paths } from '@vestibule/contract/paths';
import type { EnrolmentState, EnrolmentStep } from './enrolment.slice';

/** Whether a step may be entered, and otherwise where to go. */
export type StepDecision = { readonly kind: 'enter' } | { readonly kind: 'redirect'; readonly to: string };

/** The address of the step that the enrolment has reached; the choice of a method when there is no enrolment. */
export function enrolmentPath(state: EnrolmentState, uid: string): string {
  if (state.phase === 'code' || state.phase === 'verifying') return paths.enrolmentCode(uid);
  return 'method' in state ? firstStepPath(state.method, uid) : paths.mfaOptions();
}

/**
 * Whether the address of a step can be entered: by its own user, who has chosen a method in this page and verified their
 * identity. See docs/behaviour.md#choosing-a-method.
 *
 * @param owner - the user in the address, percent-encoded except for slashes, as react-router has it
 * @param uid - the user whose identity is verified; `null`: not verified
 */
export function decideStep(
  step: EnrolmentStep,
  owner: string | undefined,
  state: EnrolmentState,
  uid: string | null,
): StepDecision {
  if (!('method' in state) || uid === null || owner !== encodeURIComponent(uid).replaceAll('%2F', '/'))
    return { kind: 'redirect', to: paths.mfaOptions() };
  return isOpen(step, state) ? { kind: 'enter' } : { kind: 'redirect', to: firstStepPath(state.method, uid) };
}

type Begun = Extract<EnrolmentState, { method: unknown }>;

function firstStepPath(method: Begun['method'], uid: string): string {
  return method === 'text' ? paths.phoneEnrolment(uid) : paths.appEnrolment(uid);
}

function isOpen(step: EnrolmentStep, state: Begun): boolean {
  switch (step) {
    case 'phone':
      return state.method === 'text';
    case 'app':
      return state.method === 'app';
    case 'code':
      // A code can be entered after a message was sent or the key was shown.
      return state.phase === 'code' || state.phase === 'verifying' || state.phase === 'keyShown';
  }
}

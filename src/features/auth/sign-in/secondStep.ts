/**
 * What `/login` needs only once a username was sent, as one chunk: the first bundle stays small enough to be typed into
 * early. Loaded by `loadSecondStep.ts` only.
 */
export { MethodStep } from './MethodStep';
export { chooseMethod } from './chooseMethod.saga';

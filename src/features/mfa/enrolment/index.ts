import { componentIn, createChunk } from '@shared/chunk';
import type { Room } from '@shared/routing/room';
import { EnrolmentCodeScreen } from './EnrolmentCode.container';
import { enrolment } from './enrolment.saga';

/* The phone data and the QR code are each in the chunk of their own screen. */

export const phoneRoom: Room = {
  Screen: componentIn(
    createChunk(() => import('./phone/PhoneEnrolment.container')),
    ({ PhoneEnrolmentScreen }) => PhoneEnrolmentScreen,
  ),
  work: (deps, visit) => enrolment(deps, 'phone', visit),
};
export const appRoom: Room = {
  Screen: componentIn(
    createChunk(() => import('./AppEnrolment.container')),
    ({ AppEnrolmentScreen }) => AppEnrolmentScreen,
  ),
  work: (deps, visit) => enrolment(deps, 'app', visit),
};
export const codeRoom: Room = {
  Screen: EnrolmentCodeScreen,
  work: (deps, visit) => enrolment(deps, 'code', visit),
};

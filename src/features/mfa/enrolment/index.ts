import { componentIn, createChunk } from '@shared/chunk';
import type { ScreenModule } from '@shared/deps';
import { EnrolmentCodeScreen } from './EnrolmentCode.container';
import { enrolment } from './enrolment.saga';

/** The data of phone numbers is in the chunk of this screen, and the QR code in the chunk of the other. */

export const phoneScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./phone/PhoneEnrolment.container')),
    ({ PhoneEnrolmentScreen }) => PhoneEnrolmentScreen,
  ),
  saga: (deps, visit) => enrolment(deps, 'phone', visit),
};
export const appScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./AppEnrolment.container')),
    ({ AppEnrolmentScreen }) => AppEnrolmentScreen,
  ),
  saga: (deps, visit) => enrolment(deps, 'app', visit),
};
export const codeScreen: ScreenModule = {
  Screen: EnrolmentCodeScreen,
  saga: (deps, visit) => enrolment(deps, 'code', visit),
};

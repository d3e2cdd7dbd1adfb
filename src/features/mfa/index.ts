export { confirmTurnOff, disableMfa } from './turn-off/turnOff.saga';
export { selectIsTurnOffConfirmed, turnOffConfirmed, turnOffRequested } from './turn-off/turnOff.slice';
export { resumeEnrolment } from './mfa.saga';
export { enrolmentMethodChosen, factorActivated, selectEnrolment } from './enrolment/enrolment.slice';
export { TwoStepSection, type TwoStepStatus } from './status/TwoStepSection';
export { activePhoneRequested, selectActivePhone } from './status/activePhone.slice';

export { confirmTurnOff, disableMfa } from './disable/turnOff.saga';
export { selectIsTurnOffConfirmed, turnOffConfirmed, turnOffRequested } from './disable/turnOff.slice';
export { mfaReducer } from './mfa.reducer';
export { mfaSaga, resumeSetup } from './mfa.saga';
export { selectSetup, setupMethodChosen, type SetupMethod } from './setup/setup.slice';
export { TwoStepSection, type TwoStepStatus } from './status/TwoStepSection';
export { activePhoneRequested, selectActivePhone } from './status/activePhone.slice';

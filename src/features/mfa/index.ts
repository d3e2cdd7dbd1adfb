export { confirmTurnOff, disableMfa } from './disable/turnOff.saga';
export { selectIsTurnOffConfirmed, turnOffConfirmed, turnOffRequested } from './disable/turnOff.slice';
export { mfaReducer } from './mfa.reducer';
export { mfaSaga } from './mfa.saga';
export { selectSetup } from './setup/setup.selectors';
export { resumeSetup } from './setup/resumeSetup.saga';
export { setupMethodChosen, type SetupMethod } from './setup/setup.slice';
export { TwoStepSection, type TwoStepStatus } from './status/TwoStepSection';
export { activePhoneRequested, selectActivePhone } from './status/activePhone.slice';

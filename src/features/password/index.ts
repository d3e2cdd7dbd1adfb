export { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from './save/newPassword.slice';
export { passwordReducer } from './password.reducer';
export { describeLastChange } from './section/lastChange';
export { PasswordSection, type LastPasswordChange } from './section/PasswordSection';

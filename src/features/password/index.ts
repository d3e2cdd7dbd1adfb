export { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from './save/newPassword.slice';
export { passwordReducer } from './password.reducer';
export { PasswordSection, type LastPasswordChange } from './PasswordSection';

export { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from './save/newPassword.slice';
export { PasswordSection, type LastPasswordChange } from './PasswordSection';

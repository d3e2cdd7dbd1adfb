export { describeLastChange } from './section/lastChange';
export { PasswordSection, type LastPasswordChange } from './section/PasswordSection';

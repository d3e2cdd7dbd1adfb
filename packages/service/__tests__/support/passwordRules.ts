/** For the page's test, which compares its own rules with them. */
export { meetsPasswordRules } from '../../src/password/passwordRules.ts';

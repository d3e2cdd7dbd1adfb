import { texts } from '@shared/texts';

/** The dialog of a wrong code. */
export const wrongCodeMessages = texts('wrong-code', {
  id: 'wrong-code',
  title: 'Incorrect Security or Verification Code',
  message: 'Incorrect code. Please enter verification code again.',
  confirmLabel: 'Ok',
});

import { createAction } from '@reduxjs/toolkit';

/* Actions of a passkey at sign-in and verify identity. The state is in the slice of each screen. */

/** 'Sign in with a Passkey' or 'Use a Passkey' was pressed. */
export const passkeyRequested = createAction('passkeys/passkeyRequested');
/** A passkey was chosen in the list of the username field. */
export const passkeyChosen = createAction('passkeys/passkeyChosen');
/** The passkey was cancelled or refused. The screen returns to its former state. */
export const passkeyAttemptEnded = createAction('passkeys/passkeyAttemptEnded');

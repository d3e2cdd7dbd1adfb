import { createAction } from '@reduxjs/toolkit';

/* A passkey at sign-in or at verify identity; the screen's slice has the state. */

/** 'Sign in with a Passkey' or 'Use a Passkey' was pressed. */
export const passkeyRequested = createAction('passkey/passkeyRequested');
/** A passkey was chosen in the list of the username field. */
export const passkeyChosen = createAction('passkey/passkeyChosen');
/** Cancelled or refused: the screen is as before. */
export const passkeyAttemptEnded = createAction('passkey/passkeyAttemptEnded');

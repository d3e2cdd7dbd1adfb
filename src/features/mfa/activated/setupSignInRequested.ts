import { createAction } from '@reduxjs/toolkit';

/** Sign In was pressed at the end of a set-up in setup mode. */
export const setupSignInRequested = createAction('mfa/setupSignInRequested');

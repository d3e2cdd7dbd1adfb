import { createAction } from '@reduxjs/toolkit';

/** Turn Off was pressed on the account settings. */
export const turnOffRequested = createAction('mfa/turnOffRequested');

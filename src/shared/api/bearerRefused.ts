import { createAction } from '@reduxjs/toolkit';

/** A call was refused because of its bearer: the session may be over, or only its token. */
export const bearerRefused = createAction('api/bearerRefused');

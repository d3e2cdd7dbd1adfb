import type { Capability } from '../capability.ts';
import { signInEvents } from './events.ts';
import { createToken } from './createToken.ts';
import { loginMethods } from './loginMethods.ts';
import { signInTexts } from './signIn.messages.ts';

/** Sign-in: the methods of a username, and the token call. */
export const signIn = {
  name: 'sign-in',
  operations: {
    getLoginMethods: (context, { params }) => loginMethods(context, params.username),
    createToken: (context, { body }) => createToken(context, body),
  },
  auditEvents: signInEvents,
  noticeTexts: { 'new-device': signInTexts.newDevice },
} satisfies Capability;

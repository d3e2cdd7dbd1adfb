import { createAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { Api } from './api/api';
import type { LoginMethodName, TokenResponse } from './api/decoders';

/* What features exchange through the slots of `Feature`, without knowing each other. */

/** A token whose session the service can end. */
export type StoredToken = { readonly refresh: string } | { readonly mfaToken: string };

/** A sign-in that has just succeeded. */
export interface SignedIn {
  /** The session token. */
  readonly token: string;
  /** The token response, with the fields of extensions, which may be secrets. Absent after a link. */
  readonly response?: Readonly<Record<string, unknown>>;
}

/** First input in the username field of `/login`. */
export const usernameEditStarted = createAction('signIn/usernameEditStarted');

/** The button of another way was pressed. Payload: the name of its feature. */
export const wayRequested = createAction<string>('auth/wayRequested');
/** Another way was chosen in the list of the username field. */
export const wayChosen = createAction<string>('auth/wayChosen');
/** The other way was cancelled or refused. The screen returns to its former state. */
export const wayEnded = createAction('auth/wayEnded');

export interface WayButtonProps {
  /** The button has the text of `/login`. */
  readonly signsIn?: boolean;
  /** The other way is in progress. */
  readonly busy: boolean;
  readonly disabled: boolean;
}

/** Who signs in by another way. `rememberMe`: absent if the first step has handled it, or was not submitted. */
export interface WayUser {
  readonly username: string;
  readonly rememberMe?: boolean;
}

/** A form in place of the boxes of `/two-auth`. What is entered is submitted as a code. */
export interface SecondStepWay {
  readonly Form: ComponentType<SecondStepFormProps>;
  /** Leads from the boxes to the form, and back. */
  readonly Switch: ComponentType<SecondStepSwitchProps>;
  /** Makes the call that replaces the token call. */
  readonly use: (api: Api, challenge: HeldChallenge, entered: EnteredCode) => Promise<TokenResponse>;
}

/** The challenge as the service knows it. */
interface HeldChallenge {
  readonly username: string;
  readonly method: LoginMethodName;
  readonly authVerificationToken: string;
}

/** What the user has entered. `trust` is 'Trust this device'. */
export interface EnteredCode {
  readonly code: string;
  readonly trust: boolean;
}

export interface SecondStepFormProps {
  /**
   * `opening`: the saga of the screen is being loaded, and a code can be entered already. `waiting`: another way is in
   * progress.
   */
  readonly status: 'opening' | 'ready' | 'checking' | 'waiting' | 'rejected';
  /** Each increment focuses the field, and empties it unless `keepsCode` is set. */
  readonly restarts: number;
  readonly keepsCode: boolean;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly texts: { readonly trustDevice: string; readonly submit: string };
  readonly onSubmit: (entered: EnteredCode) => void;
}

export interface SecondStepSwitchProps {
  readonly isOpen: boolean;
  /** The address of the screen. */
  readonly href: string;
  readonly onSwitch: () => void;
}

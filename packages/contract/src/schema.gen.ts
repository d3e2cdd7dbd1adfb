// Generated from openapi.yaml by packages/contract/generate.mjs. Do not edit.

export interface paths {
    readonly "/auth/v1/method/{username}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The sign-in methods that a username may use.
         * @description An unknown username gets an empty list, in the same time as a known one. The list tells who has an account, and
         *     of a Microsoft account the tenant and the client: the application needs them before anything was proved. So
         *     this call has a limit per address.
         */
        readonly get: operations["getLoginMethods"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign in; answer an MFA challenge; ask for a new text message; exchange a magic link.
         * @description One call in several forms, which differ in their properties:
         *
         *     - password: `username`, `method: basic`, `password`;
         *     - provider: `username`, `method: google | microsoft`, `code` (and `codeVerifier` for microsoft);
         *     - MFA code: `username`, `method`, `authVerificationToken`, `mfaCode`;
         *     - resend: `username`, `method`, `authVerificationToken` and no `mfaCode`: the service sends a new text message
         *       in place of the old one and responds with the challenge again (an authenticator app needs none);
         *     - magic link: `magiclinkId`, `method: magiclink`. A link counts once. Where it leads to a form of the sign-on itself
         *       (`metaData.type`), the same id is the `hash` of that form, and the exchange does not use it up.
         *
         *     The response to all but the last is a flat `TokenResponse`: a session (`token`, `refresh`), a challenge
         *     (`mfaRequired`), or a set-up token (`mfaJWT`).
         *
         *     A challenge belongs to the username and the method that it was opened with, and is used up by the right code; a
         *     code counts once. `trust: true` with the MFA code asks for a `trustedToken`, which sent as `trustedJWT` skips the
         *     challenge until it expires, the second factor is changed or turned off, or the password is reset.
         */
        readonly post: operations["createToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/refresh": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Exchange a refresh token for a new pair.
         * @description Refresh tokens rotate: the one sent is dead once the new one is issued, and sending a dead one ends the whole
         *     session (reuse detection). A service may have a grace period, in which a token that was just exchanged gets
         *     its response again, so that a lost response does not end the session; 10 seconds are enough for it.
         */
        readonly post: operations["refreshToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/validate-password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify the signed-in user's identity again.
         * @description Who signed in with a password sends `password`; who signed in with a provider sends the `code` of a forced
         *     re-authentication at any provider that the account offers, with `codeVerifier` for microsoft and without for
         *     google. The verification token is bound to the session and
         *     lives 180 seconds.
         */
        readonly post: operations["validatePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mfa/v1/validate-setup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify the first code of a new second factor, which makes it active.
         * @description The new factor takes the place of any other: a user has one. 400 when nothing of this kind is being set up (any
         *     more), 401 for a wrong code. `authVerificationToken` is required of a session token and used up; in setup mode
         *     it is left out, and the set-up token sets up nothing more once a factor was set up or turned off.
         */
        readonly post: operations["validateMfaSetup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mfa/v1/sms-authy-add": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Register a phone for text messages and send the first code to it.
         * @description Called again it sends a new code. What is active stays so until the code was verified. 400 for a number of
         *     neither country; `authVerificationToken` is required of a session token.
         */
        readonly post: operations["addSmsPhone"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mfa/v1/twofactor-add": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Begin the enrolment of an authenticator app.
         * @description A new secret each time. What is active stays so until a code was verified; `authVerificationToken` is required
         *     of a session token.
         */
        readonly post: operations["addAuthenticator"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mfa/v1/disable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Turn two-step verification off.
         * @description Who signed in with a password sends `password` together with `authVerificationToken`, others the token alone. The
         *     token is used up.
         */
        readonly post: operations["disableMfa"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/mfa/v1/authy-info": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The phone that receives the signed-in user's text messages. */
        readonly get: operations["getAuthyInfo"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/user-management/v1/users/{uid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Attributes of the signed-in user (their own uid only). */
        readonly get: operations["getUser"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-reset/v1/forgot-password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a reset link to an e-mail address.
         * @description Responds the same, in the same time, to a known and an unknown address. A link works once and for a limited time;
         *     a newer one takes its place.
         */
        readonly post: operations["requestPasswordReset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-reset/v1/password-reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Set a new password with the hash of a reset link.
         * @description The link works once; a password that is refused leaves it as it is. All sessions of the user end.
         */
        readonly post: operations["resetPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-reset/v1/password-reset-manual": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Change the signed-in user's password.
         * @description The service reports when the two new passwords differ (code `password_mismatch`). Wrong old passwords count towards
         *     a lockout. All sessions of the user end, this one too.
         */
        readonly post: operations["changePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/password-reset/v1/activate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Activate an invited user with the hash of an invitation link.
         * @description The link works once; a password that is refused leaves it as it is.
         */
        readonly post: operations["activateAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/user-management/v1/api-users/invite/link/{hash}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The API key and secret behind a one-time link.
         * @description The key and secret are given out once, to one of several that ask at once; a used, expired or unknown link is 404.
         *     Only GET opens the link: HEAD does not.
         */
        readonly get: operations["getApiInvite"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End a session at sign-out.
         * @description Ends the session that a refresh token belongs to, or makes an `mfaJWT` worthless: from the response on, none of the
         *     session's access tokens is accepted on any call, and none of its refresh tokens, whichever of them was sent. Other
         *     sessions of the user, and trusted devices, stay.
         *
         *     The token itself proves ownership, so no bearer is required: an access token expires long before the session does.
         *     Idempotent. A token that is unknown, has expired or is over already gets the same response, and nothing happens.
         *
         *     The application sends it with `keepalive`, when the page may be about to close, and neither waits for the response
         *     nor sends it again.
         */
        readonly post: operations["revokeSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/recovery-codes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * How many recovery codes the user has left.
         * @description The codes themselves cannot be read again.
         */
        readonly get: operations["getRecoveryCodes"];
        readonly put?: never;
        /**
         * Create ten recovery codes, which replace the former ones.
         * @description Needs a verified identity and an active second step; without the latter the response is 400. Each code has at least
         *     64 random bits, is stored hashed and works once. Turning two-step verification off removes all of them.
         */
        readonly post: operations["makeRecoveryCodes"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/recovery-codes/use": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Answer an MFA challenge with a recovery code.
         * @description As the MFA code of the token call: the challenge is used up, and `trust` asks for a `trustedToken`. Case, blanks and
         *     hyphens of the code do not matter. A wrong code, which is also one of another user or one that was used, counts with
         *     the wrong codes of the second step.
         */
        readonly post: operations["useRecoveryCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The live events of a session.
         * @description An event stream (`text/event-stream`) that ends when the bearer expires or its session ends. It sends a comment line at
         *     least every 25 s, and these events with their data:
         *
         *     - `session-ended`: `SessionEndedEvent`. Its stream ends then.
         *     - `account-changed`: `AccountChangedEvent`.
         *
         *     It may begin with an `id` without an event: the current version of the account. Only later changes are sent as events. A
         *     client that has read the same `accountVersion` has missed nothing. Otherwise, or without an `id`, it reads the account again.
         *
         *     The application also notices these changes without the stream.
         */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Where the user is signed in.
         * @description The sessions that have not ended, the newest first.
         */
        readonly get: operations["listSessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/sessions/end": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End some of the user's sessions, or all but the bearer's.
         * @description From the response on no call accepts a token of an ended session. Idempotent: an id that is unknown, or of another user,
         *     changes nothing.
         */
        readonly post: operations["endSessions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/trusted-devices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The devices on which the user needs no second step.
         * @description The newest first.
         */
        readonly get: operations["listTrustedDevices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/trusted-devices/forget": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop trusting devices.
         * @description The next sign-in there needs the second step. Idempotent, as `endSessions`.
         */
        readonly post: operations["forgetTrustedDevices"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/activity": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What happened in the account in the last ninety days.
         * @description A page of events, the newest first.
         */
        readonly get: operations["listActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/devices/known": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Identify the device of a session.
         * @description Made after each sign-in. With the token of a device that the user has signed in on before, no mail about a new device
         *     is sent. The response has the token to keep: the one that was sent, or that of a new device.
         */
        readonly post: operations["knowDevice"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/notices/{hash}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The event that a mailed notice is about.
         * @description Changes nothing. An unknown notice is 404.
         */
        readonly get: operations["getNotice"];
        readonly put?: never;
        /**
         * Answer whether the user caused the event.
         * @description `mine: false` ends the sessions that the event is about, forgets the trusted devices, and returns the hash of a
         *     reset link where the account has a password. A notice that is not open is 404; the same response given again is accepted
         *     and changes nothing.
         */
        readonly post: operations["answerNotice"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/sign-in/options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Begin to sign in with a passkey.
         * @description Without a username any passkey of the relying party may be used (conditional mediation). With one, known and unknown
         *     usernames get the same kind of response: as many credentials, some or all of which do not exist.
         */
        readonly post: operations["startPasskeySignIn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign in with a passkey.
         * @description The response of the token call. The passkey verified the user, so there is no second step; a user who has to set up
         *     two-step verification gets an `mfaJWT`. `method` of the token is how the user verifies the identity otherwise. A
         *     challenge counts once. Errors: 404 `unknown_credential`, 400 `challenge_expired`, 401 `passkey_refused`.
         */
        readonly post: operations["signInWithPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/verify/options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin to verify the identity with a passkey. */
        readonly post: operations["startPasskeyVerification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify the identity with a passkey.
         * @description The token is accepted for two-step verification, passkeys and recovery codes. Changing the password still needs the old
         *     password. Errors as those of `signInWithPasskey`.
         */
        readonly post: operations["verifyWithPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The user's passkeys.
         * @description The newest first.
         */
        readonly get: operations["listPasskeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/add/options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Begin to add a passkey.
         * @description With a verified identity, or `automatic` within five minutes of a sign-in with a password.
         */
        readonly post: operations["startPasskeyAddition"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/add": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Add a passkey.
         * @description Without a name the service chooses one. Errors: 400 `challenge_expired`, 401 `passkey_refused` (also for a passkey
         *     that is registered already).
         */
        readonly post: operations["addPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/rename": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Name a passkey.
         * @description Error: 404 `unknown_credential`.
         */
        readonly post: operations["renamePasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/v1/passkeys/remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Remove a passkey.
         * @description Error: 404 `unknown_credential`.
         */
        readonly post: operations["removePasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A username as entered, trimmed. Compared without regard to case. */
        readonly Username: string;
        /** @description Opaque text that is sent as one URL segment (a uid). */
        readonly PathSegment: string;
        /**
         * @description A password as entered; never trimmed, never truncated. Some systems type 'ü' as one character, others as two: a service
         *     should hash Unicode's composed form (NFC) and compare it first, then what was entered.
         */
        readonly EnteredPassword: string;
        /**
         * @description A password to be set. 8 to 50 characters, at least one digit, one lowercase and one uppercase letter, no whitespace, no run
         *     of five or more digits (docs/behaviour.md#password-rules). Rules and confirmation apply to the composed form. The service
         *     responds with 400 `password_rules` otherwise; the schema only bounds the size, so that the response can be in plain words.
         */
        readonly NewPassword: string;
        /**
         * @description Not blank. The service responds with 400 otherwise; the schema only bounds the size, so that the response can be in
         *     plain words.
         */
        readonly PersonName: string;
        /**
         * @description The opaque text of a link, as long as an address can carry: one that is too long to be a link of the service is
         *     treated like any other unknown link.
         */
        readonly LinkHash: string;
        /** @description A token as it was issued; clients do not look inside. */
        readonly OpaqueToken: string;
        /** @description A signed JSON Web Token (compact form). */
        readonly SignedToken: string;
        /** @description The authorisation code of an identity provider. */
        readonly AuthorizationCode: string;
        /** @description The PKCE verifier (RFC 7636 §4.1). */
        readonly CodeVerifier: string;
        /** @description Six digits. */
        readonly MfaCode: string;
        /**
         * @description `authy` = text message, `mfa` = authenticator app.
         * @enum {string}
         */
        readonly MfaType: "authy" | "mfa";
        /** @enum {string} */
        readonly SignInMethod: "basic" | "google" | "microsoft";
        /** @description What every 4xx and 5xx response carries. */
        readonly ErrorResponse: {
            readonly error: {
                /** @description For a person, in plain words; shown as text. */
                readonly message: string;
                /**
                 * @description For programs. Known: invalid_request, invalid_credentials, no_access, invalid_code,
                 *     invalid_verification, invalid_link, invalid_refresh, unauthorized, forbidden, not_found, password_rules, password_mismatch,
                 *     password_breached, password_guessable, too_many_failed_attempts, rate_limited, unavailable, unexpected; of passkeys
                 *     challenge_expired, passkey_refused, unknown_credential.
                 */
                readonly code: string;
            };
        };
        /**
         * @description Not read: any JSON, any other text, or no body at all. Only a page of HTML is taken for the response of
         *     something else, such as a proxy.
         */
        readonly DoneResponse: unknown;
        /** @description Names a user; text, or a number that JavaScript holds exactly. */
        readonly Uid: string | number;
        readonly MicrosoftConfiguration: {
            /** @description A GUID, a domain, or `common`, `organizations`, `consumers`. */
            readonly tenantId: string;
            /** @description A GUID. */
            readonly clientId: string;
        };
        /**
         * @description One method. Known values of `method`: `basic`, `google`, `microsoft` (which carries `configuration`); a client
         *     ignores others.
         */
        readonly LoginMethod: {
            /**
             * @example basic
             * @example google
             * @example microsoft
             */
            readonly method: string;
            readonly configuration?: components["schemas"]["MicrosoftConfiguration"];
        };
        /** @description A list without a known method counts as empty. */
        readonly LoginMethods: readonly components["schemas"]["LoginMethod"][];
        readonly TokenRequest: components["schemas"]["MfaCodeTokenRequest"] | components["schemas"]["PasswordTokenRequest"] | components["schemas"]["GoogleTokenRequest"] | components["schemas"]["MicrosoftTokenRequest"] | components["schemas"]["ResendTokenRequest"] | components["schemas"]["MagicLinkTokenRequest"];
        /** password sign-in */
        readonly PasswordTokenRequest: {
            readonly username: components["schemas"]["Username"];
            /** @constant */
            readonly method: "basic";
            readonly password: components["schemas"]["EnteredPassword"];
            readonly trustedJWT?: components["schemas"]["SignedToken"];
            readonly trust?: boolean;
        };
        /** Google sign-in */
        readonly GoogleTokenRequest: {
            readonly username: components["schemas"]["Username"];
            /** @constant */
            readonly method: "google";
            readonly code: components["schemas"]["AuthorizationCode"];
            readonly codeVerifier?: components["schemas"]["CodeVerifier"];
            readonly trustedJWT?: components["schemas"]["SignedToken"];
            readonly trust?: boolean;
        };
        /** Microsoft sign-in */
        readonly MicrosoftTokenRequest: {
            readonly username: components["schemas"]["Username"];
            /** @constant */
            readonly method: "microsoft";
            readonly code: components["schemas"]["AuthorizationCode"];
            readonly codeVerifier: components["schemas"]["CodeVerifier"];
            readonly trustedJWT?: components["schemas"]["SignedToken"];
            readonly trust?: boolean;
        };
        /**
         * MFA code
         * @description What the sign-in was begun with may come along (the password; of a provider the code and the verifier). The
         *     challenge's token replaces it, so it is neither checked nor exchanged again.
         */
        readonly MfaCodeTokenRequest: {
            readonly username: components["schemas"]["Username"];
            readonly method: components["schemas"]["SignInMethod"];
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
            readonly mfaCode: components["schemas"]["MfaCode"];
            /** @description True asks for a `trustedToken`, with which this device skips the challenge from now on. */
            readonly trust?: boolean;
            readonly trustedJWT?: components["schemas"]["SignedToken"];
            readonly password?: components["schemas"]["EnteredPassword"];
            readonly code?: components["schemas"]["AuthorizationCode"];
            readonly codeVerifier?: components["schemas"]["CodeVerifier"];
        };
        /**
         * new text message
         * @description A challenge's token without a code asks for a new text message (docs/behaviour.md#resend).
         */
        readonly ResendTokenRequest: {
            readonly username: components["schemas"]["Username"];
            readonly method: components["schemas"]["SignInMethod"];
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
            readonly code?: components["schemas"]["AuthorizationCode"];
            readonly codeVerifier?: components["schemas"]["CodeVerifier"];
            readonly trust?: boolean;
            readonly trustedJWT?: components["schemas"]["SignedToken"];
        };
        /** magic link */
        readonly MagicLinkTokenRequest: {
            readonly magiclinkId: components["schemas"]["LinkHash"];
            /** @constant */
            readonly method: "magiclink";
        };
        /**
         * @description Flat; one of: a session (`token` and `refresh`, perhaps `trustedToken`), a challenge (`mfaRequired: true` with
         *     `mfaType`, `authVerificationToken`, `uid` and for text messages `authyId`), or `mfaJWT` for a user who has to
         *     set up two-step verification first.
         */
        readonly TokenResponse: {
            readonly token?: components["schemas"]["SignedToken"];
            readonly refresh?: components["schemas"]["OpaqueToken"];
            readonly mfaJWT?: components["schemas"]["SignedToken"];
            readonly mfaRequired?: boolean;
            readonly mfaType?: components["schemas"]["MfaType"];
            readonly authVerificationToken?: components["schemas"]["OpaqueToken"];
            /** @description The text-message provider's id of the user; some providers use numbers. */
            readonly authyId?: string | number;
            readonly uid?: components["schemas"]["Uid"];
            /** @description A token of its own, whose `exp` is the end of the trust. */
            readonly trustedToken?: components["schemas"]["SignedToken"];
        };
        readonly MagicLinkTarget: {
            readonly application?: string;
            readonly applicationUrl: string;
            readonly metaData?: {
                /**
                 * @description The link route for a target that is the sign-on itself.
                 * @example activate
                 * @example reset-password
                 * @example secret-key
                 */
                readonly type?: string;
            };
            readonly redirectUrl?: string;
        };
        /**
         * @description The first entry of `data` is the target; here the refresh token is called `refreshToken`. Where the target is the
         *     sign-on itself, no one reads the tokens, and a service should not put a session into them.
         */
        readonly MagicLinkResponse: {
            readonly data: readonly components["schemas"]["MagicLinkTarget"][];
            readonly token: components["schemas"]["SignedToken"];
            readonly refreshToken: components["schemas"]["OpaqueToken"];
        };
        readonly RefreshRequest: {
            readonly refresh: components["schemas"]["OpaqueToken"];
        };
        readonly RefreshResponse: {
            readonly token: components["schemas"]["SignedToken"];
            readonly refresh: components["schemas"]["OpaqueToken"];
        };
        readonly Persona: {
            readonly applicationUrl: string;
        };
        /**
         * @description What the application reads of a session token and of an `mfaJWT` (docs/behaviour.md#token-claims). `method` is `basic`
         *     for a password; for a provider its name, or `other`. `isMfaSetup` is true in an `mfaJWT`.
         */
        readonly AccessTokenClaims: {
            /** @description One entry per persona group; a user without any cannot sign in. */
            readonly personas: {
                readonly [key: string]: readonly components["schemas"]["Persona"][];
            };
            /** @description Seconds since 1970. */
            readonly exp: number;
            /** @description Seconds since 1970. */
            readonly iat: number;
            readonly uid: components["schemas"]["Uid"];
            readonly username: string;
            readonly email: string;
            readonly firstName: string;
            /** @enum {string} */
            readonly method: "basic" | "google" | "microsoft" | "other";
            readonly isMfaSetup: boolean;
        };
        /** @description What the application reads of a `trustedToken`. */
        readonly TrustedTokenClaims: {
            /** @description Seconds since 1970. */
            readonly exp: number;
        };
        readonly ValidatePasswordRequest: components["schemas"]["ValidateByPasswordRequest"] | components["schemas"]["ValidateByProviderRequest"];
        /** password */
        readonly ValidateByPasswordRequest: {
            readonly password: components["schemas"]["EnteredPassword"];
        };
        /** provider re-authentication */
        readonly ValidateByProviderRequest: {
            readonly code: components["schemas"]["AuthorizationCode"];
            readonly codeVerifier?: components["schemas"]["CodeVerifier"];
        };
        readonly ValidatePasswordResponse: {
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
        };
        readonly ValidateSetupRequest: {
            readonly mfaCode: components["schemas"]["MfaCode"];
            readonly mfaRegistering: components["schemas"]["MfaType"];
            readonly authVerificationToken?: components["schemas"]["OpaqueToken"];
        };
        readonly SmsAddRequest: {
            /** @description E.164. */
            readonly phone: string;
            /** @enum {string} */
            readonly countryCode: "US" | "GB";
            /** @constant */
            readonly register: true;
            readonly authVerificationToken?: components["schemas"]["OpaqueToken"];
        };
        readonly SmsAddResponse: {
            readonly lastFourPhone: string;
        };
        readonly TwoFactorAddRequest: {
            readonly authVerificationToken?: components["schemas"]["OpaqueToken"];
        };
        readonly TwoFactorAddResponse: {
            /** @description The secret key, base32. */
            readonly code: string;
            /** @description The content of the QR code. */
            readonly url: string;
        };
        readonly DisableMfaRequest: {
            readonly password?: components["schemas"]["EnteredPassword"];
            readonly authVerificationToken?: components["schemas"]["OpaqueToken"];
        };
        readonly AuthyInfoResponse: {
            readonly status: {
                readonly phone_number: string;
            };
        };
        readonly UserAttributes: {
            readonly email: string;
            /** @description Text messages are on. */
            readonly authyActive: boolean;
            /** @description The authenticator app is on. */
            readonly twoFactorActive: boolean;
            /**
             * Format: date-time
             * @description Time of the last password change (ISO 8601); null, or left out, for never.
             */
            readonly lastReset?: string | null;
        };
        readonly UserResponse: {
            readonly data: {
                readonly attributes: components["schemas"]["UserAttributes"];
            };
            /**
             * @description Optional, of the extension `events`: a text that differs after each change that `account-changed` reports. It is not
             *     newer than the attributes.
             */
            readonly accountVersion?: string;
        };
        readonly ForgotPasswordRequest: {
            readonly email: string;
        };
        readonly PasswordResetRequest: {
            readonly password: components["schemas"]["NewPassword"];
            readonly confirm: components["schemas"]["NewPassword"];
            readonly hash: components["schemas"]["LinkHash"];
            /** @constant */
            readonly method: "basic";
        };
        readonly PasswordChangeRequest: {
            readonly newPassword: components["schemas"]["NewPassword"];
            readonly confirmPassword: components["schemas"]["NewPassword"];
            readonly oldPassword: components["schemas"]["EnteredPassword"];
            /** @description The user's e-mail or username (docs/behaviour.md#change-password). */
            readonly username: components["schemas"]["Username"];
        };
        readonly ActivateRequest: {
            readonly firstName: components["schemas"]["PersonName"];
            readonly lastName: components["schemas"]["PersonName"];
            readonly password: components["schemas"]["NewPassword"];
            readonly confirm: components["schemas"]["NewPassword"];
            readonly hash: components["schemas"]["LinkHash"];
            /** @constant */
            readonly method: "basic";
        };
        readonly ApiInviteResponse: {
            readonly apiKey: string;
            readonly apiSecret: string;
        };
        readonly RevokeRequest: components["schemas"]["RevokeSessionRequest"] | components["schemas"]["RevokeSetupRequest"];
        /** session */
        readonly RevokeSessionRequest: {
            readonly refresh: components["schemas"]["OpaqueToken"];
        };
        /** setup mode */
        readonly RevokeSetupRequest: {
            readonly mfaToken: components["schemas"]["SignedToken"];
        };
        readonly RecoveryCodesResponse: {
            readonly remaining: number;
            /**
             * Format: date-time
             * @description Of the codes that are left; null without any.
             */
            readonly createdAt: string | null;
        };
        readonly MakeRecoveryCodesRequest: {
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
        };
        readonly NewRecoveryCodesResponse: {
            readonly codes: readonly string[];
        };
        readonly UseRecoveryCodeRequest: {
            readonly username: components["schemas"]["Username"];
            readonly method: components["schemas"]["SignInMethod"];
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
            /** @description As entered. */
            readonly code: string;
            readonly trust?: boolean;
        };
        /** @description Of a session, a device or an event; opaque. */
        readonly EntryId: string;
        readonly EntryIds: readonly components["schemas"]["EntryId"][];
        /** Format: date-time */
        readonly Time: string;
        /** @description Name and version for the user, such as `Firefox 153`; null where it is unknown. */
        readonly BrowserName: string | null;
        /** @description Such as `Windows`; null where it is unknown. */
        readonly SystemName: string | null;
        /** @description The network of the client, shortened so that it names no single device; null where it is unknown. */
        readonly NetworkName: string | null;
        readonly SessionEndedEvent: {
            /** @enum {string} */
            readonly reason: "ended-elsewhere" | "password-changed" | "locked" | "reused";
        };
        readonly AccountChangedEvent: {
            /** @description `sessions`: another session of the account has ended, or its trusted devices have changed. A sign-in need not be reported. */
            readonly what: readonly ("profile" | "mfa" | "passkeys" | "sessions" | "recovery-codes")[];
        };
        readonly SessionEntry: {
            readonly id: components["schemas"]["EntryId"];
            readonly current: boolean;
            readonly startedAt: components["schemas"]["Time"];
            /** @description The last sign-in or refresh. */
            readonly lastSeenAt: components["schemas"]["Time"];
            /** @enum {string} */
            readonly method: "basic" | "google" | "microsoft" | "passkey" | "link";
            readonly browser: components["schemas"]["BrowserName"];
            readonly system: components["schemas"]["SystemName"];
            readonly network: components["schemas"]["NetworkName"];
        };
        readonly SessionsResponse: {
            readonly sessions: readonly components["schemas"]["SessionEntry"][];
        };
        readonly EndSessionsRequest: components["schemas"]["EndSessionsByIdRequest"] | components["schemas"]["EndOtherSessionsRequest"];
        /** by id */
        readonly EndSessionsByIdRequest: {
            readonly ids: components["schemas"]["EntryIds"];
        };
        /** all others */
        readonly EndOtherSessionsRequest: {
            /** @constant */
            readonly others: true;
        };
        readonly TrustedDevice: {
            readonly id: components["schemas"]["EntryId"];
            readonly browser: components["schemas"]["BrowserName"];
            readonly system: components["schemas"]["SystemName"];
            readonly trustedAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["Time"];
        };
        readonly TrustedDevicesResponse: {
            readonly devices: readonly components["schemas"]["TrustedDevice"][];
        };
        readonly ForgetDevicesRequest: {
            readonly ids: components["schemas"]["EntryIds"];
        };
        readonly ActivityEvent: {
            readonly id: components["schemas"]["EntryId"];
            readonly at: components["schemas"]["Time"];
            /**
             * @description One of `signed-in`, `sign-in-failed`, `password-changed`, `mfa-changed`, `passkey-added`, `passkey-removed`,
             *     `recovery-code-used`, `locked`, `session-ended`. The application leaves out others.
             */
            readonly kind: string;
            /** @description Of a sign-in, as that of a session; null for other events. */
            readonly method: string | null;
            readonly browser: components["schemas"]["BrowserName"];
            readonly system: components["schemas"]["SystemName"];
            readonly network: components["schemas"]["NetworkName"];
        };
        readonly ActivityResponse: {
            readonly events: readonly components["schemas"]["ActivityEvent"][];
            readonly more: boolean;
        };
        readonly DeviceToken: string;
        readonly KnownDeviceRequest: {
            readonly deviceToken?: components["schemas"]["DeviceToken"];
        };
        readonly KnownDeviceResponse: {
            readonly deviceToken: components["schemas"]["DeviceToken"];
        };
        readonly NoticeResponse: {
            /**
             * @description A kind of `ActivityEvent`, or `new-device`, `phone-changed`, `recovery-codes-made`, `token-reused`, or `second-step-missed`: a
             *     password or provider was accepted, and the second step was not passed. The application has a sentence for others.
             */
            readonly kind: string;
            readonly at: components["schemas"]["Time"];
            readonly browser: components["schemas"]["BrowserName"];
            readonly system: components["schemas"]["SystemName"];
            readonly network: components["schemas"]["NetworkName"];
            /** @enum {string} */
            readonly state: "open" | "confirmed" | "denied" | "expired";
        };
        readonly AnswerNoticeRequest: {
            readonly mine: boolean;
        };
        readonly AnswerNoticeResponse: {
            /** @description Of a reset link; absent where the account has no password, and after `mine` true. */
            readonly resetHash?: components["schemas"]["LinkHash"];
        };
        /** @description Base64url, as the browser names it. */
        readonly CredentialId: string;
        /** @description The user of a passkey, base64url; random, and neither the uid nor the username. */
        readonly UserHandle: string;
        /** @description Not blank. The service responds with 400 otherwise. */
        readonly PasskeyName: string;
        readonly EmptyRequest: Record<string, never>;
        readonly CredentialDescriptor: {
            readonly id: components["schemas"]["CredentialId"];
            /** @constant */
            readonly type: "public-key";
            readonly transports?: readonly string[];
        };
        readonly PasskeySignInOptionsRequest: {
            readonly username?: components["schemas"]["Username"];
        };
        readonly PasskeyRequestOptions: {
            readonly challengeToken: components["schemas"]["OpaqueToken"];
            /** @description PublicKeyCredentialRequestOptionsJSON. */
            readonly publicKey: {
                readonly challenge: string;
                readonly rpId: string;
                /** @description Milliseconds. */
                readonly timeout?: number;
                /** @constant */
                readonly userVerification: "required";
                readonly allowCredentials?: readonly components["schemas"]["CredentialDescriptor"][];
            };
        };
        readonly PasskeyCreationOptions: {
            readonly challengeToken: components["schemas"]["OpaqueToken"];
            /** @description PublicKeyCredentialCreationOptionsJSON. */
            readonly publicKey: {
                readonly challenge: string;
                readonly rp: {
                    readonly id: string;
                    readonly name: string;
                };
                readonly user: {
                    readonly id: components["schemas"]["UserHandle"];
                    readonly name: string;
                    readonly displayName: string;
                };
                readonly pubKeyCredParams: readonly {
                    /** @constant */
                    readonly type: "public-key";
                    readonly alg: number;
                }[];
                /** @description Milliseconds. */
                readonly timeout?: number;
                /** @constant */
                readonly attestation: "none";
                readonly authenticatorSelection: {
                    /** @constant */
                    readonly residentKey: "required";
                    readonly requireResidentKey?: boolean;
                    /**
                     * @description Preferred for an automatic one, for which browsers do not ask the user.
                     * @enum {string}
                     */
                    readonly userVerification: "required" | "preferred";
                };
                readonly excludeCredentials?: readonly components["schemas"]["CredentialDescriptor"][];
            };
        };
        /** @description AuthenticationResponseJSON; open, because browsers add properties. */
        readonly PasskeyAssertion: {
            readonly id: components["schemas"]["CredentialId"];
            readonly rawId: components["schemas"]["CredentialId"];
            /** @constant */
            readonly type: "public-key";
            readonly clientExtensionResults?: Record<string, never>;
            readonly response: {
                readonly clientDataJSON: components["schemas"]["BinaryValue"];
                readonly authenticatorData: components["schemas"]["BinaryValue"];
                readonly signature: components["schemas"]["BinaryValue"];
                readonly userHandle?: components["schemas"]["UserHandle"] | null;
            };
        };
        /** @description RegistrationResponseJSON; open, because browsers add properties. */
        readonly NewPasskey: {
            readonly id: components["schemas"]["CredentialId"];
            readonly rawId: components["schemas"]["CredentialId"];
            /** @constant */
            readonly type: "public-key";
            readonly clientExtensionResults?: Record<string, never>;
            readonly response: {
                readonly clientDataJSON: components["schemas"]["BinaryValue"];
                readonly attestationObject: components["schemas"]["BinaryValue"];
                readonly transports?: readonly string[];
            };
        };
        /** @description Base64url. */
        readonly BinaryValue: string;
        readonly PasskeyAssertionRequest: {
            readonly challengeToken: components["schemas"]["OpaqueToken"];
            readonly credential: components["schemas"]["PasskeyAssertion"];
        };
        readonly PasskeyAddOptionsRequest: components["schemas"]["PasskeyAddVerifiedRequest"] | components["schemas"]["PasskeyAddAutomaticallyRequest"];
        /** verified identity */
        readonly PasskeyAddVerifiedRequest: {
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
        };
        /** after a password */
        readonly PasskeyAddAutomaticallyRequest: {
            /** @constant */
            readonly automatic: true;
        };
        readonly PasskeyAddRequest: {
            readonly challengeToken: components["schemas"]["OpaqueToken"];
            readonly credential: components["schemas"]["NewPasskey"];
            readonly name?: components["schemas"]["PasskeyName"];
        };
        readonly PasskeyEntry: {
            readonly id: components["schemas"]["CredentialId"];
            readonly name: string;
            readonly createdAt: components["schemas"]["Time"];
            /** @description Null for never. */
            readonly lastUsedAt: components["schemas"]["Time"] | null;
            /** @description The passkey is backed up, and also on other devices of the user. */
            readonly isSynced: boolean;
        };
        readonly PasskeysResponse: {
            readonly userId: components["schemas"]["UserHandle"];
            readonly passkeys: readonly components["schemas"]["PasskeyEntry"][];
        };
        readonly RenamePasskeyRequest: {
            readonly id: components["schemas"]["CredentialId"];
            readonly name: components["schemas"]["PasskeyName"];
        };
        readonly RemovePasskeyRequest: {
            readonly id: components["schemas"]["CredentialId"];
            readonly authVerificationToken: components["schemas"]["OpaqueToken"];
        };
    };
    responses: {
        /** @description Done, whatever the status from 200 to 299. */
        readonly Done: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DoneResponse"];
            };
        };
        /** @description The request breaks the contract, or cannot be carried out as it is. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The new password breaks the rules (docs/behaviour.md#password-rules) or was not repeated alike. */
        readonly PasswordRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The new password is common, appeared in a data breach, or consists of a word that others know. It is refused before the
         *     link or the old password is checked, so the response reveals nothing about them. Names of the account count only with a valid link.
         */
        readonly PasswordBreached: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The link is unknown, used or expired. */
        readonly LinkRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The bearer token, the password, the code or the verification token was not accepted. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is nothing here (any more). */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests of this address, too many failed attempts, or too many text messages. */
        readonly TooManyRequests: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The service has too much to do for the moment: `Retry-After` says when to come back, and no attempt was counted.
         *     Or something that the call needs is not there: the carrier of text messages, a provider that is set up.
         */
        readonly Unavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Any other failure. */
        readonly Failure: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before the next try. */
        readonly RetryAfter: number;
    };
    pathItems: never;
}
export type Username = components['schemas']['Username'];
export type PathSegment = components['schemas']['PathSegment'];
export type EnteredPassword = components['schemas']['EnteredPassword'];
export type NewPassword = components['schemas']['NewPassword'];
export type PersonName = components['schemas']['PersonName'];
export type LinkHash = components['schemas']['LinkHash'];
export type OpaqueToken = components['schemas']['OpaqueToken'];
export type SignedToken = components['schemas']['SignedToken'];
export type AuthorizationCode = components['schemas']['AuthorizationCode'];
export type CodeVerifier = components['schemas']['CodeVerifier'];
export type MfaCode = components['schemas']['MfaCode'];
export type MfaType = components['schemas']['MfaType'];
export type SignInMethod = components['schemas']['SignInMethod'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type DoneResponse = components['schemas']['DoneResponse'];
export type Uid = components['schemas']['Uid'];
export type MicrosoftConfiguration = components['schemas']['MicrosoftConfiguration'];
export type LoginMethod = components['schemas']['LoginMethod'];
export type LoginMethods = components['schemas']['LoginMethods'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type PasswordTokenRequest = components['schemas']['PasswordTokenRequest'];
export type GoogleTokenRequest = components['schemas']['GoogleTokenRequest'];
export type MicrosoftTokenRequest = components['schemas']['MicrosoftTokenRequest'];
export type MfaCodeTokenRequest = components['schemas']['MfaCodeTokenRequest'];
export type ResendTokenRequest = components['schemas']['ResendTokenRequest'];
export type MagicLinkTokenRequest = components['schemas']['MagicLinkTokenRequest'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type MagicLinkTarget = components['schemas']['MagicLinkTarget'];
export type MagicLinkResponse = components['schemas']['MagicLinkResponse'];
export type RefreshRequest = components['schemas']['RefreshRequest'];
export type RefreshResponse = components['schemas']['RefreshResponse'];
export type Persona = components['schemas']['Persona'];
export type AccessTokenClaims = components['schemas']['AccessTokenClaims'];
export type TrustedTokenClaims = components['schemas']['TrustedTokenClaims'];
export type ValidatePasswordRequest = components['schemas']['ValidatePasswordRequest'];
export type ValidateByPasswordRequest = components['schemas']['ValidateByPasswordRequest'];
export type ValidateByProviderRequest = components['schemas']['ValidateByProviderRequest'];
export type ValidatePasswordResponse = components['schemas']['ValidatePasswordResponse'];
export type ValidateSetupRequest = components['schemas']['ValidateSetupRequest'];
export type SmsAddRequest = components['schemas']['SmsAddRequest'];
export type SmsAddResponse = components['schemas']['SmsAddResponse'];
export type TwoFactorAddRequest = components['schemas']['TwoFactorAddRequest'];
export type TwoFactorAddResponse = components['schemas']['TwoFactorAddResponse'];
export type DisableMfaRequest = components['schemas']['DisableMfaRequest'];
export type AuthyInfoResponse = components['schemas']['AuthyInfoResponse'];
export type UserAttributes = components['schemas']['UserAttributes'];
export type UserResponse = components['schemas']['UserResponse'];
export type ForgotPasswordRequest = components['schemas']['ForgotPasswordRequest'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordChangeRequest = components['schemas']['PasswordChangeRequest'];
export type ActivateRequest = components['schemas']['ActivateRequest'];
export type ApiInviteResponse = components['schemas']['ApiInviteResponse'];
export type RevokeRequest = components['schemas']['RevokeRequest'];
export type RevokeSessionRequest = components['schemas']['RevokeSessionRequest'];
export type RevokeSetupRequest = components['schemas']['RevokeSetupRequest'];
export type RecoveryCodesResponse = components['schemas']['RecoveryCodesResponse'];
export type MakeRecoveryCodesRequest = components['schemas']['MakeRecoveryCodesRequest'];
export type NewRecoveryCodesResponse = components['schemas']['NewRecoveryCodesResponse'];
export type UseRecoveryCodeRequest = components['schemas']['UseRecoveryCodeRequest'];
export type EntryId = components['schemas']['EntryId'];
export type EntryIds = components['schemas']['EntryIds'];
export type Time = components['schemas']['Time'];
export type BrowserName = components['schemas']['BrowserName'];
export type SystemName = components['schemas']['SystemName'];
export type NetworkName = components['schemas']['NetworkName'];
export type SessionEndedEvent = components['schemas']['SessionEndedEvent'];
export type AccountChangedEvent = components['schemas']['AccountChangedEvent'];
export type SessionEntry = components['schemas']['SessionEntry'];
export type SessionsResponse = components['schemas']['SessionsResponse'];
export type EndSessionsRequest = components['schemas']['EndSessionsRequest'];
export type EndSessionsByIdRequest = components['schemas']['EndSessionsByIdRequest'];
export type EndOtherSessionsRequest = components['schemas']['EndOtherSessionsRequest'];
export type TrustedDevice = components['schemas']['TrustedDevice'];
export type TrustedDevicesResponse = components['schemas']['TrustedDevicesResponse'];
export type ForgetDevicesRequest = components['schemas']['ForgetDevicesRequest'];
export type ActivityEvent = components['schemas']['ActivityEvent'];
export type ActivityResponse = components['schemas']['ActivityResponse'];
export type DeviceToken = components['schemas']['DeviceToken'];
export type KnownDeviceRequest = components['schemas']['KnownDeviceRequest'];
export type KnownDeviceResponse = components['schemas']['KnownDeviceResponse'];
export type NoticeResponse = components['schemas']['NoticeResponse'];
export type AnswerNoticeRequest = components['schemas']['AnswerNoticeRequest'];
export type AnswerNoticeResponse = components['schemas']['AnswerNoticeResponse'];
export type CredentialId = components['schemas']['CredentialId'];
export type UserHandle = components['schemas']['UserHandle'];
export type PasskeyName = components['schemas']['PasskeyName'];
export type EmptyRequest = components['schemas']['EmptyRequest'];
export type CredentialDescriptor = components['schemas']['CredentialDescriptor'];
export type PasskeySignInOptionsRequest = components['schemas']['PasskeySignInOptionsRequest'];
export type PasskeyRequestOptions = components['schemas']['PasskeyRequestOptions'];
export type PasskeyCreationOptions = components['schemas']['PasskeyCreationOptions'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type NewPasskey = components['schemas']['NewPasskey'];
export type BinaryValue = components['schemas']['BinaryValue'];
export type PasskeyAssertionRequest = components['schemas']['PasskeyAssertionRequest'];
export type PasskeyAddOptionsRequest = components['schemas']['PasskeyAddOptionsRequest'];
export type PasskeyAddVerifiedRequest = components['schemas']['PasskeyAddVerifiedRequest'];
export type PasskeyAddAutomaticallyRequest = components['schemas']['PasskeyAddAutomaticallyRequest'];
export type PasskeyAddRequest = components['schemas']['PasskeyAddRequest'];
export type PasskeyEntry = components['schemas']['PasskeyEntry'];
export type PasskeysResponse = components['schemas']['PasskeysResponse'];
export type RenamePasskeyRequest = components['schemas']['RenamePasskeyRequest'];
export type RemovePasskeyRequest = components['schemas']['RemovePasskeyRequest'];
export type ResponseDone = components['responses']['Done'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponsePasswordRefused = components['responses']['PasswordRefused'];
export type ResponsePasswordBreached = components['responses']['PasswordBreached'];
export type ResponseLinkRefused = components['responses']['LinkRefused'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseFailure = components['responses']['Failure'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    readonly getLoginMethods: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Encoded as one URL segment.
                 * @example ada@example.com
                 */
                readonly username: components["schemas"]["Username"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The methods, possibly none. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LoginMethods"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly createToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TokenRequest"];
            };
        };
        readonly responses: {
            /** @description A session, a challenge, a set-up token, or the exchanged magic link. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenResponse"] | components["schemas"]["MagicLinkResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            /** @description The password, provider code, MFA code or link was not accepted. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description Too many attempts. After too many wrong passwords or codes the message contains 'Too many failed login attempts'
             *     (docs/behaviour.md#lockout); the limits per address and of text messages have other messages.
             */
            readonly 429: {
                headers: {
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly refreshToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        readonly responses: {
            /** @description The new pair. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RefreshResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            /** @description The refresh token is unknown, expired, revoked or was used before; the session is over. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly validatePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidatePasswordRequest"];
            };
        };
        readonly responses: {
            /** @description The identity is verified. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidatePasswordResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly validateMfaSetup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidateSetupRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly addSmsPhone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SmsAddRequest"];
            };
        };
        readonly responses: {
            /** @description A code is on its way. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SmsAddResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly addAuthenticator: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TwoFactorAddRequest"];
            };
        };
        readonly responses: {
            /** @description The secret to enter or scan; it becomes active once a code was verified. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TwoFactorAddResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly disableMfa: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DisableMfaRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getAuthyInfo: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The phone, shortened as the service sees fit to show it. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuthyInfoResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Encoded as one URL segment; the `uid` of the bearer's token.
                 * @example u_1
                 */
                readonly uid: components["schemas"]["PathSegment"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The attributes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            /** @description Another user's uid. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly requestPasswordReset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ForgotPasswordRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly resetPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["PasswordRefused"];
            readonly 401: components["responses"]["LinkRefused"];
            readonly 422: components["responses"]["PasswordBreached"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly changePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordChangeRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["PasswordRefused"];
            readonly 401: components["responses"]["Unauthorized"];
            /** @description Another user's name. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 422: components["responses"]["PasswordBreached"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly activateAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ActivateRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["PasswordRefused"];
            readonly 401: components["responses"]["LinkRefused"];
            readonly 422: components["responses"]["PasswordBreached"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 503: components["responses"]["Unavailable"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getApiInvite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Encoded as one URL segment.
                 * @example h_3f9a
                 */
                readonly hash: components["schemas"]["LinkHash"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key and the secret. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiInviteResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly revokeSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RevokeRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getRecoveryCodes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The number of unused codes, and when they were made. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly makeRecoveryCodes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MakeRecoveryCodesRequest"];
            };
        };
        readonly responses: {
            /** @description The codes, which no other call returns. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewRecoveryCodesResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly useRecoveryCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UseRecoveryCodeRequest"];
            };
        };
        readonly responses: {
            /** @description A session. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly streamEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The stream. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sessions, at least that of the bearer. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly endSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EndSessionsRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listTrustedDevices: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The devices, possibly none. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrustedDevicesResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly forgetTrustedDevices: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ForgetDevicesRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listActivity: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The id of the last event of the page before; without it the newest events.
                 * @example a_1093
                 */
                readonly before?: components["schemas"]["EntryId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page; `more` is whether another one follows. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ActivityResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly knowDevice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["KnownDeviceRequest"];
            };
        };
        readonly responses: {
            /** @description The token of the device. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KnownDeviceResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly getNotice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Encoded as one URL segment.
                 * @example h_3f9a
                 */
                readonly hash: components["schemas"]["LinkHash"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event and its answer. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NoticeResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly answerNotice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description Encoded as one URL segment.
                 * @example h_3f9a
                 */
                readonly hash: components["schemas"]["LinkHash"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AnswerNoticeRequest"];
            };
        };
        readonly responses: {
            /** @description The next step. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AnswerNoticeResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly startPasskeySignIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeySignInOptionsRequest"];
            };
        };
        readonly responses: {
            /** @description What the browser needs, and the token of the challenge. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly signInWithPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyAssertionRequest"];
            };
        };
        readonly responses: {
            /** @description A session, or a set-up token. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TokenResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly startPasskeyVerification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        readonly responses: {
            /** @description What the browser needs, and the token of the challenge. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly verifyWithPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyAssertionRequest"];
            };
        };
        readonly responses: {
            /** @description The identity is verified. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidatePasswordResponse"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly listPasskeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The passkeys, possibly none. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeysResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly startPasskeyAddition: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyAddOptionsRequest"];
            };
        };
        readonly responses: {
            /** @description What the browser needs, and the token of the challenge. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly addPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyAddRequest"];
            };
        };
        readonly responses: {
            /** @description The new passkey. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyEntry"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly renamePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RenamePasskeyRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
    readonly removePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RemovePasskeyRequest"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly "2XX": components["responses"]["Done"];
            readonly default: components["responses"]["Failure"];
        };
    };
}

/** What an authorization request asks for. */
export interface AuthorizationRequest {
  readonly prompt: ReadonlySet<string>;
  /** The most seconds since the authentication; `null`: any. */
  readonly maxAge: number | null;
  /** The level that the request prefers (`acr_values`), and the least one of the client. */
  readonly acrValues: 1 | 2;
  readonly leastAcr: 1 | 2;
  readonly scopes: readonly string[];
  /** Whether the client needs the consent of its users. */
  readonly asksConsent: boolean;
  /** Whether it is known that the request is of this client. */
  readonly isAssured: boolean;
}

/** What is known of the user. */
export interface EndUser {
  /** Ms since 1970. */
  readonly authTime: number;
  readonly acr: 1 | 2;
  /** Whether a second step is set up. */
  readonly hasSecondStep: boolean;
  /** The user has signed in for this request. */
  readonly isFresh: boolean;
  /** The user was asked for a level before that could not be reached. */
  readonly wasAsked: boolean;
  /** The user has answered within this request: with a proof of identity, with consent, with this account. */
  readonly hasProved: boolean;
  readonly hasAgreed: boolean;
  readonly hasSelected: boolean;
  /** The scopes that the user has agreed to for this client; `null`: not asked yet. */
  readonly consented: readonly string[] | null;
}

export type Prompt = 'login' | 'select_account' | 'consent';

/** The level of `acr` that a proof of identity for a request has to reach, if the user can. */
export const levelFor = ({ acrValues, leastAcr }: AuthorizationRequest): 1 | 2 =>
  acrValues === 2 || leastAcr === 2 ? 2 : 1;

/**
 * What the user is asked before the browser goes on to the application.
 *
 * @param now ms since 1970.
 */
export function promptsOf(request: AuthorizationRequest, user: EndUser, now: number): readonly Prompt[] {
  const prompts: Prompt[] = [];
  if (needsLogin(request, user, now)) prompts.push('login');
  if (request.prompt.has('select_account') && !user.isFresh && !user.hasSelected)
    prompts.push('select_account');
  if (needsConsent(request, user)) prompts.push('consent');
  return prompts;
}

function needsLogin(
  { prompt, maxAge, acrValues, leastAcr }: AuthorizationRequest,
  { authTime, acr, hasSecondStep, isFresh, wasAsked, hasProved }: EndUser,
  now: number,
): boolean {
  if (hasProved) return false;
  // Also after a sign-in: a passkey may raise the level.
  if (acr < leastAcr) return true;
  if (acr < acrValues && (hasSecondStep || !(isFresh || wasAsked))) return true;
  if (isFresh) return false;
  return prompt.has('login') || (maxAge !== null && now - authTime > maxAge * 1000);
}

function needsConsent(
  { prompt, scopes, asksConsent, isAssured }: AuthorizationRequest,
  { consented, hasAgreed }: EndUser,
): boolean {
  if (hasAgreed) return false;
  if (prompt.has('consent') || !isAssured) return true;
  return asksConsent && scopes.some((scope) => scope !== 'openid' && consented?.includes(scope) !== true);
}

/** Whether the proof did not reach the level that the client requires. */
export function isUnmet({ leastAcr }: AuthorizationRequest, { acr, hasProved }: EndUser): boolean {
  return hasProved && acr < leastAcr;
}

/** The level of `acr_values`: the first one that is known; 1 without one. */
export function levelIn(acrValues: string | undefined): 1 | 2 {
  const first = acrValues?.split(' ').find((value) => /^urn:vestibule:[12]$/.test(value));
  return first === 'urn:vestibule:2' ? 2 : 1;
}

/** What an authorization request asks for. */
export interface Demand {
  readonly prompts: ReadonlySet<string>;
  /** The most seconds since the authentication; `null`: any. */
  readonly maxAge: number | null;
  /** The level that the request prefers (`acr_values`), and the least one of the client. */
  readonly preferredLevel: 1 | 2;
  readonly leastLevel: 1 | 2;
  readonly scopes: readonly string[];
  /** Whether the client needs the consent of its users. */
  readonly asksConsent: boolean;
  /** Whether it is known that the request is of this client. */
  readonly isAssured: boolean;
}

/** What is known of the user. */
export interface Standing {
  /** Ms since 1970. */
  readonly authenticatedAt: number;
  readonly level: 1 | 2;
  /** The user has authenticated for this request. */
  readonly isFresh: boolean;
  /** The user had a session, and has proved the identity for this request. */
  readonly hasProved: boolean;
  /** The scopes that the user has agreed to for this client; `null`: not asked yet. */
  readonly consented: readonly string[] | null;
  /** The user has agreed within this request. */
  readonly hasAgreed: boolean;
}

export type Need = 'identity' | 'consent';

/**
 * What the user has to do before the browser goes on to the application.
 *
 * @param now ms since 1970.
 */
export function needsOf(demand: Demand, standing: Standing, now: number): readonly Need[] {
  return [
    ...(needsIdentity(demand, standing, now) ? (['identity'] as const) : []),
    ...(needsConsent(demand, standing) ? (['consent'] as const) : []),
  ];
}

function needsIdentity(
  { prompts, maxAge, preferredLevel, leastLevel }: Demand,
  { authenticatedAt, level, isFresh, hasProved }: Standing,
  now: number,
): boolean {
  // Also after a sign-in: a passkey may raise the level.
  if (level < leastLevel) return !hasProved;
  if (isFresh || hasProved) return false;
  if (prompts.has('login') || level < preferredLevel) return true;
  return maxAge !== null && now - authenticatedAt > maxAge * 1000;
}

function needsConsent(
  { prompts, scopes, asksConsent, isAssured }: Demand,
  { consented, hasAgreed }: Standing,
): boolean {
  if (hasAgreed) return false;
  if (prompts.has('consent') || !isAssured) return true;
  return asksConsent && scopes.some((scope) => scope !== 'openid' && consented?.includes(scope) !== true);
}

/** Whether the proof did not reach the level that the client requires. */
export function isUnmet({ leastLevel }: Demand, { level, hasProved }: Standing): boolean {
  return hasProved && level < leastLevel;
}

/** The level of `acr_values`: the first one that is known; 1 without one. */
export function levelIn(acrValues: string | undefined): 1 | 2 {
  const first = acrValues?.split(' ').find((value) => /^urn:vestibule:[12]$/.test(value));
  return first === 'urn:vestibule:2' ? 2 : 1;
}

/**
 * The secrets that outlive one step and must never enter the store, storage or history (docs/behaviour.md#state-and-secrets).
 * The comment of each says when it is dropped. Extensions add theirs to this type.
 */
export interface VaultContents {
  /** `authVerificationToken` of the two-step challenge, with a provider's code and verifier: until the challenge ends. */
  readonly challenge: {
    readonly authVerificationToken: string;
    readonly code?: string;
    readonly codeVerifier?: string;
  };
  /** The proof of identity, until the end of the verification period (docs/behaviour.md#verification-period). */
  readonly verification: {
    readonly authVerificationToken: string;
    readonly password?: string;
    /** It was given by another way (`Feature.way`), which needs no second step. */
    readonly byOtherWay?: true;
  };
  /** The key for an authenticator app, until the enrolment ends or is restarted. */
  readonly authenticatorKey: { readonly code: string; readonly url: string };
  /** The key and secret of an invited API user, until the screen is left. */
  readonly apiInvite: { readonly apiKey: string; readonly apiSecret: string };
  /** The parts of the address that are masked in the store (`/reset-password/{hash}`, `?code=`). */
  readonly maskedLocation: Readonly<Record<string, string>>;
}

/** Keeps secrets in memory only. It is emptied on `pagehide`. */
export interface Vault {
  readonly put: <K extends keyof VaultContents>(key: K, value: VaultContents[K]) => void;
  readonly get: <K extends keyof VaultContents>(key: K) => VaultContents[K] | undefined;
  readonly drop: (key: keyof VaultContents) => void;
  /**
   * Drops everything that belongs to a session. The content of a one-time link stays, because it is available only once, and
   * so does the challenge of a sign-in in progress.
   */
  readonly dropOfSession: () => void;
  readonly dropAll: () => void;
}

/** Makes an empty vault. */
export function createVault(): Vault {
  const held = new Map<keyof VaultContents, VaultContents[keyof VaultContents]>();
  return {
    put: (key, value) => void held.set(key, value),
    // The value type of the map is the union over all keys. `put` is the only writer, and it pairs each key with its type.
    get: <K extends keyof VaultContents>(key: K) => held.get(key) as VaultContents[K] | undefined,
    drop: (key) => void held.delete(key),
    dropOfSession: () => {
      for (const key of held.keys()) if (key !== 'apiInvite' && key !== 'challenge') held.delete(key);
    },
    dropAll: () => {
      held.clear();
    },
  };
}

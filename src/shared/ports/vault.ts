/**
 * What has to outlive one step but must never enter the store, storage or history (docs/behaviour.md#state-and-secrets).
 * Each key names the step that drops it. An extension adds its own to this type.
 */
export interface VaultContents {
  /** `authVerificationToken` of the two-step challenge, with a provider's code and verifier: until the challenge ends. */
  readonly challenge: {
    readonly authVerificationToken: string;
    readonly code?: string;
    readonly codeVerifier?: string;
  };
  /** Proof of identity: until its 180 s are over (docs/behaviour.md#verification-period). */
  readonly verification: { readonly authVerificationToken: string; readonly password?: string };
  /** What an authenticator app is set up with: until the enrolment is over or restarted. */
  readonly authenticatorKey: { readonly code: string; readonly url: string };
  /** What an invited API user is shown once: until the screen is left. */
  readonly apiInvite: { readonly apiKey: string; readonly apiSecret: string };
  /** Segments and query values of the address that the store holds masked only (`/reset-password/{hash}`, `?code=`). */
  readonly maskedLocation: Readonly<Record<string, string>>;
}

/** Memory-only, typed holder of secrets; emptied on `pagehide`. */
export interface Vault {
  readonly put: <K extends keyof VaultContents>(key: K, value: VaultContents[K]) => void;
  readonly get: <K extends keyof VaultContents>(key: K) => VaultContents[K] | undefined;
  readonly drop: (key: keyof VaultContents) => void;
  /**
   * A session is over: drops everything but what belongs to none. What a one-time link has opened is its holder's, and
   * cannot be had again; a challenge is of a sign-in that is still under way.
   */
  readonly dropOfSession: () => void;
  readonly dropAll: () => void;
}

/** Makes an empty vault. */
export function createVault(): Vault {
  const held = new Map<keyof VaultContents, VaultContents[keyof VaultContents]>();
  return {
    put: (key, value) => void held.set(key, value),
    // The map's value type is the union over all keys; `put` is the only writer and ties value to key.
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

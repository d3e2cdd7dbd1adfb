import type { LocalEnvironment } from './environment';

/** One call as the service received it: its bearer, and every key that was sent. */
interface SentCall {
  /** Such as `POST /mfa/v1/disable`. */
  readonly call: string;
  /** Token of the `Authorization` header; `null` if there was none. */
  readonly bearer: string | null;
  /** `null`: there was none. */
  readonly body: unknown;
}

/** The calls to paths with this prefix, in the order of arrival. */
export async function sentCalls(
  environment: LocalEnvironment,
  ...beginnings: readonly string[]
): Promise<readonly SentCall[]> {
  const calls = await environment.calls();
  return calls
    .filter(({ path }) => beginnings.some((beginning) => path.startsWith(beginning)))
    .map(({ method, path, headers, body }) => ({
      call: `${method} ${path}`,
      bearer: /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? null,
      body,
    }));
}

/** Where the second step is managed: identity, set-up, turning off. */
export const twoStepPaths = ['/auth/v1/validate-password', '/mfa/'] as const;

import type { World } from './world';

/** One call as the service got it: who asked for it, and every key that was sent. */
interface SentCall {
  /** Such as `POST /mfa/v1/disable`. */
  readonly call: string;
  /** Token of the `Authorization` header; `null` where there was none. */
  readonly bearer: string | null;
  /** `null`: there was none. */
  readonly body: unknown;
}

/** The calls to paths that begin so, in the order in which they came. */
export async function sentCalls(
  world: World,
  ...beginnings: readonly string[]
): Promise<readonly SentCall[]> {
  const calls = await world.calls();
  return calls
    .filter(({ path }) => beginnings.some((beginning) => path.startsWith(beginning)))
    .map(({ method, path, headers, body }) => ({
      call: `${method} ${path}`,
      bearer: /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? null,
      body,
    }));
}

/** Where the second step is looked after: identity, set-up, turning off. */
export const twoStepPaths = ['/auth/v1/validate-password', '/mfa/'] as const;
